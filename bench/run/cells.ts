/** Measures cells in the worker: prepares a group, samples its cells in turn, concludes each as soon as it has ended. */
import { DoesNotFit, UsageError } from "../../kernels/device/errors.js";
import type { Gpu } from "../../kernels/device/gpu.js";
import type { Owned } from "../../kernels/device/owned.js";
import { benchmarks, bytesOf, prepare } from "../benchmarks/index.js";
import type { CellSpec } from "../experiment.js";
import type { KeyCache, PreparedCell } from "../measure/benchmark.js";
import { CPU_DEVICE, type SamplerDevice, samplerDevice } from "../measure/device.js";
import { type Outcome, roundRobin, Sampler } from "../measure/sampler.js";
import { summarise } from "../measure/statistics.js";
import type { StoppingOptions } from "../measure/stopping.js";
import { type Metric, within } from "../results/metrics.js";
import { type DeviceKeys, loadKeys } from "../workload/workload.js";
import { Group } from "./group.js";
import { Budget, Pace } from "./pace.js";
import type { CellJob, WorkerOptions } from "./protocol.js";
import type { Reporter } from "./reporter.js";

/** Part of a cell's share of the budget that its samples may take; the rest is for data, building, checking, counting. */
const SAMPLING_SHARE = 0.5;
/** Cells by the CPU's clock are there for scale, and no GPU waits for them gladly: so much wall time each, for three samples at least. */
const CPU_STOPPING = { maxTimeMs: 400, fewestSamples: 3 };

/** Data sets on the device; those that no waiting cell wants are dropped. */
class Keys implements KeyCache {
  private readonly sets = new Map<string, Owned<DeviceKeys>>();

  constructor(
    private readonly gpu: Gpu,
    private readonly reporter: Reporter,
  ) {}

  async get(dataset: string, n: number, seed: number): Promise<DeviceKeys> {
    const name = keysName(dataset, n, seed);
    const known = this.sets.get(name);
    if (known) return known;
    const made = await this.reporter.watch.during("data", () => loadKeys(this.gpu, dataset, n, seed));
    this.sets.set(name, made);
    return made;
  }

  keepOnly(cells: readonly CellSpec[]): void {
    const wanted = new Set(cells.map(({ dataset, n, seed }) => keysName(dataset, n, seed)));
    for (const [name, keys] of this.sets) {
      if (wanted.has(name)) continue;
      keys.destroy();
      this.sets.delete(name);
    }
  }
}

function keysName(dataset: string, n: number, seed: number): string {
  return `${dataset} ${n} ${seed}`;
}

/** What the device or the table cannot do is no fault. */
function statusOf(error: unknown): "skipped" | "failed" {
  return error instanceof DoesNotFit || error instanceof UsageError ? "skipped" : "failed";
}

/** A cell that is warm. */
interface Member {
  readonly job: CellJob;
  readonly cell: Owned<PreparedCell>;
  readonly sampler: Sampler;
}

export class Cells {
  private readonly keys: Keys;
  private readonly pace = new Pace();

  constructor(
    private readonly gpu: Gpu,
    private readonly options: WorkerOptions,
    private readonly reporter: Reporter,
  ) {
    this.keys = new Keys(gpu, reporter);
  }

  /** Measures all jobs; those by the CPU's clock by themselves, at the end. */
  async run(jobs: readonly CellJob[], budgetMs: number | null): Promise<void> {
    const byCpu = ({ spec }: CellJob) => benchmarks[spec.bench]?.clock === "cpu";
    const budget = new Budget(budgetMs, this.pace);
    const { stopping } = this.options;
    const own = jobs.filter((job) => !byCpu(job));
    if (own.length > 0) await this.runKind(own, budget, stopping, await samplerDevice(this.gpu));
    const maxTimeMs = Math.min(stopping.maxTimeMs, CPU_STOPPING.maxTimeMs);
    const short = { ...stopping, ...CPU_STOPPING, maxTimeMs };
    await this.runKind(jobs.filter(byCpu), budget, short, CPU_DEVICE);
  }

  private async runKind(
    jobs: readonly CellJob[],
    budget: Budget,
    stopping: StoppingOptions,
    device: SamplerDevice,
  ): Promise<void> {
    let waiting = [...jobs];
    while (waiting.length > 0) {
      const room = budget.room(waiting.map(({ spec }) => spec));
      if (room === 0) {
        for (const { index } of waiting) this.reporter.finish(index, "postponed", "not begun within --budget");
        break;
      }
      this.keys.keepOnly(waiting.map(({ spec }) => spec));
      const share = (SAMPLING_SHARE * budget.left) / waiting.length;
      const began = performance.now();
      const own = { ...stopping, maxTimeMs: Math.min(stopping.maxTimeMs, share) };
      const { members, rest } = await this.gather(waiting, room, own, device);
      await roundRobin(
        members.map(({ sampler }) => sampler),
        async (outcome, at) => {
          const member = members[at];
          if (member) await this.conclude(member, outcome);
        },
      );
      const done = waiting.slice(0, waiting.length - rest.length);
      this.pace.learn(
        done.map(({ spec }) => spec),
        performance.now() - began,
      );
      waiting = rest;
    }
    this.keys.keepOnly([]);
  }

  /** Prepares and warms up jobs from the front, as many as make a group; those that cannot be prepared are reported. */
  private async gather(
    jobs: readonly CellJob[],
    room: number,
    stopping: StoppingOptions,
    device: SamplerDevice,
  ): Promise<{ members: Member[]; rest: CellJob[] }> {
    const { reporter } = this;
    const members: Member[] = [];
    const group = new Group({ memory: this.options.memory, room });
    for (const [at, job] of jobs.entries()) {
      const { index, spec, place } = job;
      reporter.phase(index, "prepare");
      try {
        const candidate = { bytes: bytesOf(spec), place };
        if (!group.admits(candidate)) return { members, rest: jobs.slice(at) };
        const cell = await prepare(spec, this.gpu, this.keys);
        const beat = (phase: Parameters<Reporter["phase"]>[1], samples: number) =>
          reporter.phase(index, phase, samples);
        const sampler = new Sampler(cell, stopping, device, beat);
        await sampler.warmUp();
        const { outcome } = sampler;
        if (outcome && !outcome.ok && outcome.error instanceof DoesNotFit) {
          cell.destroy();
          throw outcome.error;
        }
        members.push({ job, cell, sampler });
        group.add(candidate, sampler.leastMs);
      } catch (error) {
        // With others in memory it may only have been their memory: it is tried again with the device to itself.
        if (error instanceof DoesNotFit && members.length > 0) return { members, rest: jobs.slice(at) };
        reporter.finish(index, statusOf(error), error);
      }
    }
    return { members, rest: [] };
  }

  /** Verifies what the last sample left, counts, reports, and gives the memory back. */
  private async conclude({ job: { index }, cell }: Member, outcome: Outcome): Promise<void> {
    const { reporter } = this;
    try {
      reporter.phase(index, "verify");
      if (!outcome.ok) throw outcome.error;
      const wrong = await cell.verify();
      if (wrong) return reporter.finish(index, "failed", wrong);
      const { samples, repetitions, stopped } = outcome;
      const { median, lo, hi } = summarise(samples);
      const { operations, dataHash, access } = cell;
      const rate = (ns: number) => (operations * 1e3) / ns;
      const metrics: Metric[] = [
        within("mops", { value: rate(median), lo: rate(hi), hi: rate(lo) }),
        within("time", { value: median, lo, hi }),
      ];
      if (this.options.counting) {
        reporter.phase(index, "count");
        metrics.push(...(await cell.metrics(median)));
      }
      const numbers = { metrics, samples, repetitions, stopped };
      reporter.result(index, { status: "ok", reason: "", dataHash, ...numbers, access, operations });
    } catch (error) {
      reporter.finish(index, statusOf(error), error);
    } finally {
      cell.destroy();
    }
  }
}
