/** Measures cells in the worker: prepares a group, samples its cells in turn, concludes each as soon as it has ended. */

import { MadeAhead } from "../../datasets/ahead.js";
import { DoesNotFit, Unsupported, UsageError } from "../../kernels/device/errors.js";
import type { Gpu, MemoryKind } from "../../kernels/device/gpu.js";
import { type Owned, Owner } from "../../kernels/device/owned.js";
import { ProgramLost } from "../base/errors.js";
import type { CellSpec } from "../base/experiment.js";
import { CPU_DEVICE, type SamplerDevice, samplerDevice } from "../measure/device.js";
import { type Outcome, roundRobin, Sampler, type Sampling } from "../measure/sampler.js";
import { Shared } from "../measure/shared.js";
import { summariseTimes } from "../measure/statistics.js";
import type { StoppingOptions } from "../measure/stopping.js";
import { exact, type Metric, within } from "../results/metrics.js";
import type { Status } from "../results/record.js";
import { memoryOf } from "../scenarios/allocation.js";
import type { PreparedCell, Stage } from "../scenarios/benchmark.js";
import { benchmarks, byCpuClock, prepare } from "../scenarios/index.js";
import { loadKeys } from "../scenarios/workload/keys.js";
import type { CompiledAhead } from "./compiled-ahead.js";
import { Group } from "./group.js";
import { KeySets, type Load } from "./key-sets.js";
import { type Bundle as BundleOf, bundles, knownBytes } from "./order.js";
import type { CellJob, WorkerOptions, WorkerResult } from "./protocol.js";
import type { Reporter } from "./reporter.js";

/** Part of a cell's share of the budget that its samples may take; the rest is for data, building, checking, counting. */
const SAMPLING_SHARE = 0.5;
/**
 * Wall time for a cell of a benchmark that the CPU's clock times, though three samples are always taken: such cells show the scale,
 * and the GPU idles meanwhile.
 */
const CPU_STOPPING = { maxTimeMs: 100, fewestSamples: 3 };
/** The same for native tables on the CPU, which figures compare: more time does not make their medians agree. */
const NATIVE_STOPPING = { maxTimeMs: 1000, fewestSamples: 3 };
/** The same for tables in host memory: the bus carries a hundredth of the accesses, and further samples do not narrow its range. */
const HOST_STOPPING = { maxTimeMs: 300, fewestSamples: 5, fewestOfLong: 2 };

/** Share of the memory for cells that data sets for the next experiment may take in addition. */
const KEPT_SHARE = 0.5;

/** Cells that a GPU prepares at the same time: a cell then waits for the compiler, which has cores of its own. */
const TOGETHER = 16;

/** Cells that the device or the table cannot do are skipped. A cell whose program was lost is tried again. */
function statusOf(error: unknown): "skipped" | "failed" | "crash" {
  if (error instanceof ProgramLost) return "crash";
  const lacks = [DoesNotFit, UsageError, Unsupported].some((one) => error instanceof one);
  return lacks ? "skipped" : "failed";
}

function shorter(stopping: StoppingOptions, most: Partial<StoppingOptions> & { readonly maxTimeMs: number }) {
  return { ...stopping, ...most, maxTimeMs: Math.min(stopping.maxTimeMs, most.maxTimeMs) };
}

type Bundle = BundleOf<CellJob>;

interface Member {
  readonly bundle: Bundle;
  readonly cell: Owned<PreparedCell>;
  readonly sampler: Sampler;
}

interface Refused {
  readonly bundle: Bundle;
  readonly error: unknown;
}

export class Cells {
  private readonly keys: KeySets;
  /** Memory of cells by its kind. In host memory are their tables alone. */
  private readonly memory: Readonly<Record<MemoryKind, { readonly gpu: Gpu; readonly shared: Shared }>>;
  /** Runs of cells that have ended, and what they took, all in all: data, building, sampling, checking, counting. */
  private ended = { runs: 0, ms: 0 };
  /** Bundles that did not fit beside others: each is tried again alone. */
  private readonly crowded = new Set<Bundle>();
  /** Cells of later jobs, to compile ahead; null: nothing is compiled ahead. */
  private soon: readonly CellSpec[] | null = [];

  constructor(
    private readonly gpu: Gpu,
    private readonly options: WorkerOptions,
    private readonly reporter: Reporter,
    /** Compiles kernels before they are wanted. */
    private readonly compiled?: Pick<CompiledAhead, "begin" | "busy" | "end">,
  ) {
    reporter.ahead = () => compiled?.busy === true;
    const load: Load = (...set) => reporter.watch.during("data", () => loadKeys(...set));
    const plain = new Owner(gpu, "", "plain");
    const memoryIn = (gpu: Gpu) => ({ gpu, shared: new Shared(gpu) });
    this.memory = { device: memoryIn(gpu), plain: memoryIn(plain), host: memoryIn(gpu) };
    // A software adapter's kernels run on the cores that threads would take.
    const ahead = gpu.info.software ? undefined : new MadeAhead();
    this.keys = new KeySets(gpu, load, KEPT_SHARE * options.memory, ahead);
  }

  /** Frees memory of the device that no cell needs; whether there was any. */
  release(): boolean {
    return this.keys.release();
  }

  /**
   * Measures all jobs; those by the CPU's clock by themselves, at the end.
   * @param together whether several may be prepared at the same time
   * @param soon cells of later jobs
   */
  async run(
    jobs: readonly CellJob[],
    budgetMs: number | null,
    together: boolean,
    soon: readonly CellSpec[] = [],
  ): Promise<void> {
    this.keys.soon = soon;
    // One by one, cells show which of them ends the worker: none is compiled beside them then.
    this.soon = together ? soon : null;
    const byCpu = ({ spec }: CellJob) => byCpuClock(spec);
    const end = budgetMs === null ? Number.POSITIVE_INFINITY : performance.now() + budgetMs;
    const { stopping } = this.options;
    const own = jobs.filter((job) => !byCpu(job));
    const wave = together ? TOGETHER : 1;
    if (own.length > 0) await this.runKind(own, wave, end, stopping, await samplerDevice(this.gpu));
    const others = jobs.filter(byCpu);
    const isBrief = ({ spec }: CellJob) => benchmarks[spec.bench]?.clock === "cpu";
    // Native tables compile nothing.
    const native = others.filter((job) => !isBrief(job));
    await this.runKind(native, 1, end, shorter(stopping, NATIVE_STOPPING), CPU_DEVICE);
    const brief = others.filter(isBrief);
    // Nor do tables in JavaScript.
    const compiles = !brief.some(({ spec }) => benchmarks[spec.bench]?.runs?.besideGpu);
    await this.runKind(brief, compiles ? wave : 1, end, shorter(stopping, CPU_STOPPING), CPU_DEVICE);
  }

  private async runKind(
    jobs: readonly CellJob[],
    wave: number,
    end: number,
    stopping: StoppingOptions,
    device: SamplerDevice,
  ): Promise<void> {
    if (jobs.length === 0) return;
    const specsOf = (some: readonly Bundle[]) => some.map(([{ spec }]) => spec);
    let waiting = bundles(jobs, ({ spec }) => spec);
    // Nothing else is to run while the CPU's clock times cells.
    const beside = device !== CPU_DEVICE;
    if (!beside) await this.compiled?.end();
    else if (this.soon) this.compiled?.begin([...specsOf(waiting.slice(wave)), ...this.soon]);
    while (waiting.length > 0) {
      const left = end - performance.now();
      const room = this.room(left, waiting.length);
      if (room === 0) {
        for (const bundle of waiting) this.finish(bundle, "postponed", "not begun within --budget");
        break;
      }
      await this.keys.keepOnly(specsOf(waiting), beside);
      waiting = this.keys.readyFirst(waiting, ([{ spec }]) => spec);
      const share = (SAMPLING_SHARE * left) / waiting.length;
      const began = performance.now();
      const own = { ...stopping, maxTimeMs: Math.min(stopping.maxTimeMs, share) };
      const { members, rest } = await this.gather(waiting, wave, room, own, device);
      await roundRobin(
        members.map(({ sampler }) => sampler),
        async (outcome, at) => {
          const member = members[at];
          if (member) await this.conclude(member, outcome);
        },
      );
      this.ended = {
        runs: this.ended.runs + waiting.length - rest.length,
        ms: this.ended.ms + performance.now() - began,
      };
      waiting = rest;
    }
    await this.keys.keepOnly([]);
  }

  /** How many of the cells to begin together, so that they end in time: one alone while it is unknown how long one takes. */
  private room(left: number, cells: number): number {
    const { runs, ms } = this.ended;
    if (left <= 0) return 0;
    if (left === Number.POSITIVE_INFINITY) return cells;
    return runs === 0 ? 1 : Math.min(cells, Math.floor((left * runs) / ms));
  }

  /** A cell without numbers, and those that its run would have measured too. */
  private finish(bundle: Bundle, status: Status, error: unknown): void {
    for (const { index } of bundle) this.reporter.finish(index, status, error);
  }

  /**
   * Prepares and warms up cells from the front, as many as make a group, up to `wave` at a time; those that cannot be prepared
   * are reported.
   */
  private async gather(
    waiting: readonly Bundle[],
    wave: number,
    room: number,
    stopping: StoppingOptions,
    device: SamplerDevice,
  ): Promise<{ members: Member[]; rest: Bundle[] }> {
    const { reporter } = this;
    const members: Member[] = [];
    const again: Bundle[] = [];
    const group = new Group({ memory: this.options.memory, room });
    let next = 0;
    while (again.length === 0) {
      const first = waiting[next];
      const single = members.length === 0 && first !== undefined && this.crowded.has(first);
      const ready = this.admitted(group, waiting.slice(next, next + (single ? 1 : wave)));
      if (ready.length === 0) break;
      next += ready.length;
      const alone = members.length === 0 && ready.length === 1;
      reporter.together = ready.length > 1;
      for (const one of await this.warm(ready, stopping, device)) {
        if ("cell" in one) {
          members.push(one);
          group.takes(one.sampler.leastMs);
        } else if (one.error instanceof DoesNotFit && !alone) {
          // With others in memory it may only have been their memory: it is tried again with the device to itself.
          again.push(one.bundle);
          this.crowded.add(one.bundle);
        } else {
          this.finish(one.bundle, statusOf(one.error), one.error);
        }
      }
    }
    return { members, rest: [...again, ...waiting.slice(next)] };
  }

  /** The first bundles, as far as they join the group. */
  private admitted(group: Group, waiting: readonly Bundle[]): readonly Bundle[] {
    const end = waiting.findIndex(([{ spec, place }]) => {
      const bytes = knownBytes(spec);
      return bytes !== null && !group.joins({ bytes, place });
    });
    return end < 0 ? waiting : waiting.slice(0, end);
  }

  /**
   * Prepares cells and warms them up, all at a time but for the long ones, which are rehearsed together: that is when kernels are compiled.
   * The CPU's clock sees what others do: there several are only rehearsed together.
   */
  private async warm(
    ready: readonly Bundle[],
    stopping: StoppingOptions,
    device: SamplerDevice,
  ): Promise<readonly (Member | Refused)[]> {
    const inTurn = device === CPU_DEVICE;
    const made = await Promise.all(
      ready.map(async (bundle) => {
        const one = await this.prepare(bundle, stopping, device);
        if (!("cell" in one)) return one;
        const alone = one.sampler.beginsAlone;
        const beside = inTurn ? ready.length > 1 : alone;
        if (beside) await one.sampler.rehearse();
        if (!inTurn && !alone) await one.sampler.warmUp();
        return one;
      }),
    );
    this.reporter.together = false;
    for (const one of made) if ("cell" in one && (inTurn || one.sampler.beginsAlone)) await one.sampler.warmUp();
    return made.map((one) => ("cell" in one ? fitting(one) : one));
  }

  private async prepare(bundle: Bundle, stopping: StoppingOptions, device: SamplerDevice): Promise<Member | Refused> {
    const [{ index, spec }] = bundle;
    const { reporter } = this;
    try {
      reporter.phase(index, "prepare");
      const { gpu, shared } = this.memory[memoryOf(spec)];
      const cell = await prepare(spec, gpu, this.keys, shared);
      const own = memoryOf(spec) === "host" ? shorter(stopping, HOST_STOPPING) : stopping;
      const sampler = new Sampler(cell, own, device, (phase, samples) => reporter.phase(index, phase, samples));
      return { bundle, cell, sampler };
    } catch (error) {
      return { bundle, error };
    }
  }

  /** Verifies what the last sample left, counts, reports, and gives the memory back. */
  private async conclude({ bundle, cell }: Member, outcome: Outcome): Promise<void> {
    const [{ index }, ...others] = bundle;
    const { reporter } = this;
    try {
      reporter.phase(index, "verify");
      if (!outcome.ok) throw outcome.error;
      const wrong = await cell.verify();
      if (wrong) return this.finish(bundle, "failed", wrong);
      reporter.phase(index, "count");
      const results = [await this.resultOf(cell, cell, outcome, outcome.samples)];
      for (const { spec } of others) {
        const stage = stageOf(cell, spec);
        const dataHash = (await stage.dataHash?.()) ?? cell.dataHash;
        results.push(await this.resultOf({ ...cell, dataHash }, stage, outcome, outcome.calls.map(stage.ns)));
      }
      for (const [i, job] of bundle.entries()) {
        const result = results[i];
        if (result) reporter.result(job.index, result);
      }
    } catch (error) {
      this.finish(bundle, statusOf(error), error);
    } finally {
      cell.destroy();
    }
  }

  /** The numbers of a cell, or of a stage of its run. */
  private async resultOf(
    { dataHash, access, heldPerPair }: Pick<PreparedCell, "dataHash" | "access" | "heldPerPair">,
    { operations, metrics: more }: Pick<PreparedCell, "operations" | "metrics">,
    { repetitions, tickNs, stopped }: Sampling,
    samples: readonly number[],
  ): Promise<WorkerResult> {
    const { median, ...narrow } = summariseTimes(samples);
    // One sample has no range.
    const some = samples.length > 1;
    const lo = some ? Math.min(narrow.lo, Math.max(median / 2, median - tickNs)) : null;
    const hi = some ? Math.max(narrow.hi, median + tickNs) : null;
    const rate = (ns: number) => (operations * 1e3) / ns;
    const rateOrNull = (ns: number | null) => (ns === null ? null : rate(ns));
    const counted = this.options.counting ? await this.counted(() => more(median)) : { metrics: [], reason: "" };
    const metrics = [
      within("mops", { value: rate(median), lo: rateOrNull(hi), hi: rateOrNull(lo) }),
      within("time", { value: median, lo, hi }),
      ...(heldPerPair ? [exact("held_per_pair", heldPerPair())] : []),
      ...counted.metrics,
    ];
    const { reason } = counted;
    return { status: "ok", reason, dataHash, metrics, samples, repetitions, stopped, access, operations };
  }

  /**
   * A counting variant binds a buffer more than the kernel that was timed. Without one there are no metrics of it, and a
   * reason.
   */
  private async counted(count: () => Promise<readonly Metric[]>): Promise<Pick<WorkerResult, "metrics" | "reason">> {
    try {
      return { metrics: await count(), reason: "" };
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
      return { metrics: [], reason: `not counted: ${error.message}` };
    }
  }
}

/** The member, or that there was no room for what it made of memory while it warmed up. */
function fitting(one: Member): Member | Refused {
  const { bundle, cell, sampler } = one;
  const { outcome } = sampler;
  if (!outcome || outcome.ok || !(outcome.error instanceof DoesNotFit)) return one;
  cell.destroy();
  return { bundle, error: outcome.error };
}

function stageOf(cell: PreparedCell, spec: CellSpec): Stage {
  if (!cell.stage) throw new Error(`${spec.bench} has histories, and cells without stages`);
  return cell.stage(spec);
}
