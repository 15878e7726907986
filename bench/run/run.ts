/** `hashbench run`: plans cells, measures them in workers, writes every one as it finishes. */

import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { UsageError } from "../../kernels/device/errors.js";
import type { DeviceInfo } from "../../kernels/device/gpu.js";
import type { Experiment } from "../base/experiment.js";
import { chooseAdapter } from "../device/adapter/adapter.js";
import { lostLargePages } from "../device/adapter/large-pages.js";
import { slotsFor } from "../device/adapter/slots.js";
import { defaultStopping, type StoppingOptions } from "../measure/stopping.js";
import { runsOn } from "../native/systems.js";
import { commitOfRun, hostEnvironment } from "../results/environment.js";
import { cellKey } from "../results/key.js";
import { UNFINISHED } from "../results/names.js";
import type { RunInfo } from "../results/record.js";
import { openResults } from "../results/write.js";
import { benchmarks } from "../scenarios/index.js";
import { Queue, split } from "./budget.js";
import { type Asked, configuration, quickStopping, SOFTWARE_NUMBERS } from "./configuration.js";
import { earlierOn } from "./earlier.js";
import { adapterKind, byConstants, estimate, type SecondsBy, type WorkSeconds } from "./estimate.js";
import { forkPool, type PoolOptions } from "./fork.js";
import { LimitsStore } from "./limits-store.js";
import { measureAll, type WorkerRun } from "./measure-all.js";
import { Measuring } from "./measuring.js";
import { type Planned, plan } from "./plan.js";
import type { Pool } from "./pool.js";
import type { Progress } from "./progress.js";
import { readyFirst } from "./ready-first.js";
import { addSpent, addSpentBy, type Spent, type SpentBy } from "./stopwatch.js";
import { together } from "./together.js";

export interface RunOptions extends Asked {
  readonly experiments: readonly Experiment[];
  /** For rows, in place of what is found. */
  readonly commit?: string | undefined;
  readonly device: string;
  /** Results folder; called with the device once it is known. */
  readonly out: (device: DeviceInfo) => string;
  readonly resume: boolean;
  readonly force: boolean;
  readonly timeoutMs: number;
  readonly stopping: Partial<StoppingOptions>;
  readonly toggles: readonly string[];
  readonly robust: boolean;
  /** With WebGPU's default limits, not the adapter's. */
  readonly defaultLimits: boolean;
  /** Load the layer for large pages where the adapter needs it. */
  readonly largePages: boolean;
  /** GiB of cells measured together; by default 4 on a GPU, 1 on a software adapter. */
  readonly memoryGiB?: number | undefined;
  readonly counting: boolean;
  readonly plugins: readonly string[];
  readonly native: readonly string[];
  /** Wall time for the whole run; null: as long as it takes. */
  readonly budgetMs: number | null;
  /** GPUs of this host to use; `all`: those that can be separated. */
  readonly gpus: number | "all";
}

interface RunSummary {
  readonly run: string;
  readonly out: string;
  readonly device: DeviceInfo;
  readonly planned: readonly Planned[];
  /** Cells of this run by status; those that an earlier run had finished are `kept`. */
  readonly counts: Readonly<Record<string, number>>;
  readonly seconds: Seconds;
}

/** Wall time in seconds: of the whole command, and by what the workers did (of several GPUs together). */
export interface Seconds {
  readonly all: number;
  readonly workers: Spent;
  /** The same by experiment, of the time that belongs to one: of the workers that have a GPU, and of the one beside them. */
  readonly experiments: SpentBy;
  readonly beside: SpentBy;
  /** What the constants of estimate.ts say of the cells that were measured: later estimates are scaled by it. */
  readonly expected: Readonly<Record<string, WorkSeconds>>;
}

/** How often a run that may be cut off notes what it has spent. */
const NOTE_MS = 10_000;

/** A host of so many cores measures CPU tables at the same time as the GPU's cells, in a process of its own. */
const CORES_ASIDE = 8;
export function hasCoresAside(software: boolean): boolean {
  return !software && availableParallelism() >= CORES_ASIDE;
}
const SOFTWARE_QUICK = "--quick is implied on a software adapter; give --scale or --n for other sizes";

export async function run(options: RunOptions, progress: Progress): Promise<RunSummary> {
  const began = performance.now();
  const { choice, software, quick, poolOptions } = await openingOf(options);
  const slots = slotsFor(software ? "" : (choice.details?.vendor ?? choice.name), options.gpus);
  const pools = slots.map(({ launcher }) => forkPool({ ...poolOptions, launcher }));
  try {
    const [first, ...others] = await Promise.all(pools.map((pool) => pool.device()));
    if (!first) throw new Error("no GPU slot");
    const told = ({ name, driver, toggles }: DeviceInfo) => [name, driver, toggles].join(", ");
    const odd = others.find((other) => told(other) !== told(first));
    if (odd) throw new UsageError(`the GPUs differ (${told(first)}; ${told(odd)}); --gpus 1 measures on one of them`);
    const planned = plan(options.experiments, { ...options, quick }, first);
    const info = runInfo(first, options);
    const out = options.out(first);
    const writer = await openResults(out, configuration(options, planned, info), options);
    try {
      const gpus: { readonly info: RunInfo; readonly measuring: Measuring }[] = [];
      const describers: ((more: object) => Promise<void>)[] = [];
      const host = hostEnvironment();
      for (const [i, pool] of pools.entries()) {
        const node = slots[i]?.node ?? "";
        const own = pools.length > 1 ? { ...info, run: `${info.run}-gpu${i}` } : info;
        const part = { ...(node ? { gpu: node } : {}), ...(options.shard ? { shard: options.shard } : {}) };
        const environment = { run: own.run, device: first, adapter: choice.source, ...part };
        const describe = (more: object) => writer.writeEnvironment({ ...host, ...environment, ...more });
        await describe({});
        const limits = new LimitsStore([...limitsKey(info), ...(node ? [node] : [])]);
        const measuring = new Measuring(pool, { software, runs: (cell) => runsOn(info.device, cell) }, limits, (line) =>
          progress.note(line),
        );
        gpus.push({ info: own, measuring });
        describers.push(describe);
      }
      const parts = planned.map(({ experiment, cells }) => {
        return { experiment, cells: cells.filter((cell) => !writer.finished().has(cellKey(cell))) };
      });
      const all = planned.reduce((sum, { cells }) => sum + cells.length, 0);
      const cells = parts.flatMap((part) => part.cells);
      const budget = options.budgetMs === null ? null : options.budgetMs - (performance.now() - began);
      const expected = estimate(parts, {
        device: first,
        earlier: earlierOn(first, out),
        beside: hasCoresAside(software),
        gpus: slots.length,
      });
      const work = { cells, expectedMs: 1000 * expected.seconds, budgetMs: budget };
      progress.started(first, planned, work, out);
      const lost = lostLargePages(choice.largePages, first);
      if (lost) progress.note(lost);
      if (software) progress.note(SOFTWARE_NUMBERS);
      if (software && quick && !options.quick) progress.note(SOFTWARE_QUICK);
      if (slots.length > 1) progress.note(`${slots.length} GPUs: each figure is measured on one of them`);
      const [cpuParts, gpuParts] = split(parts, ({ bench }) => benchmarks[bench]?.runs?.besideGpu === true);
      const [gpu] = gpus;
      const beside = forkPool(poolOptions);
      pools.push(beside);
      const aside = hasCoresAside(software) && cpuParts.length > 0 && (await opens(beside));
      const own = aside ? gpuParts : parts;
      // Several GPUs have a figure each.
      const apart = own.map(({ experiment, cells }) => ({ experiments: [experiment], cells }));
      const queue = new Queue(slots.length > 1 ? apart : await readyFirst(together(own)), budget, slots.length);
      const workers: WorkerRun[] = gpus.map((one) => ({ ...one, queue }));
      if (aside && gpu)
        workers.push({
          info: gpu.info,
          measuring: gpu.measuring.on(beside),
          queue: new Queue(together(cpuParts), budget, 1),
        });
      const measured = new Set<string>();
      const spent = () => secondsOf(performance.now() - began, pools.slice(0, slots.length), beside);
      let noted = Number.NEGATIVE_INFINITY;
      const counts = await measureAll(workers, writer, {
        ...progress,
        finished(cell, result) {
          if (result.status !== "postponed") measured.add(cellKey(cell));
          progress.finished(cell, result);
          if (performance.now() - noted < NOTE_MS) return;
          noted = performance.now();
          for (const describe of describers) {
            // A disk that is full is said where the next cell is written.
            describe({ seconds: spent(), [UNFINISHED]: true }).catch(() => undefined);
          }
        },
      });
      if (all > cells.length) counts.kept = all - cells.length;
      const seconds = {
        ...spent(),
        expected: rounded(
          byConstants(
            parts.map((part) => ({ ...part, cells: part.cells.filter((cell) => measured.has(cellKey(cell))) })),
            adapterKind(first),
          ),
        ),
      };
      for (const describe of describers) await describe({ seconds });
      return { run: info.run, out, device: first, planned, counts, seconds };
    } finally {
      await writer.close();
    }
  } finally {
    for (const pool of pools) pool.stop();
    progress.ended();
  }
}

/** The adapter of a run, and how its workers are opened. */
export async function openingOf(options: RunOptions) {
  const choice = await chooseAdapter(options);
  const software = choice.kind === "software";
  const sized = options.scale !== undefined || options.n !== undefined;
  const quick = options.quick || (software && !sized);
  const poolOptions: PoolOptions = {
    env: choice.env,
    timeoutMs: options.timeoutMs,
    open: {
      adapter: choice.adapterFlag,
      robust: options.robust,
      toggles: options.toggles,
      defaultLimits: options.defaultLimits,
    },
    stopping: { ...defaultStopping, ...(quick ? quickStopping(software) : {}), ...options.stopping },
    memory: (options.memoryGiB ?? (software ? 1 : 4)) * 2 ** 30,
    counting: options.counting,
    plugins: options.plugins,
    native: options.native,
  };
  return { choice, software, quick, poolOptions };
}

/** Whether one more worker can open the device: some drivers give a GPU to one process only. */
function opens(pool: Pool): Promise<boolean> {
  return pool.device().then(
    () => true,
    () => false,
  );
}

function secondsOf(ms: number, pools: readonly Pool[], beside: Pool): Omit<Seconds, "expected"> {
  const rounded = (value: number) => Number((value / 1e3).toFixed(2));
  const phases = (spent: Spent) =>
    Object.fromEntries(Object.entries(spent).map(([phase, value]) => [phase, rounded(value)]));
  const own = pools.reduce((sum, { spent }) => addSpentBy(sum, spent), {} as SpentBy);
  const byExperiment = ({ "": _, ...some }: SpentBy): SpentBy =>
    Object.fromEntries(Object.entries(some).map(([id, spent]) => [id, phases(spent)]));
  return {
    all: rounded(ms),
    workers: phases(Object.values(addSpentBy(own, beside.spent)).reduce(addSpent, {})),
    experiments: byExperiment(own),
    beside: byExperiment(beside.spent),
  };
}

/** Of the experiments of which something was measured. */
function rounded(seconds: SecondsBy): Record<string, WorkSeconds> {
  const digits = (value: number) => Number(value.toPrecision(4));
  const some = [...seconds].filter(([, { own, beside }]) => own + beside > 0);
  return Object.fromEntries(some.map(([id, { own, beside }]) => [id, { own: digits(own), beside: digits(beside) }]));
}

/** Shards that start in the same second on several machines still are different runs. */
export function runInfo(device: DeviceInfo, { shard, commit }: Pick<RunOptions, "shard" | "commit"> = {}): RunInfo {
  const now = new Date();
  const { version } = createRequire(import.meta.url)("webgpu/package.json") as { version: string };
  const second = now.toISOString().replace(/[-:]/g, "").replace(/\.\d+/, "");
  return {
    run: shard ? `${second}-${shard.index}of${shard.count}` : second,
    commit: commitOfRun(commit),
    device: device.name,
    driver: device.driver,
    dawn: `webgpu ${version}`,
    toggles: device.toggles,
  };
}

function limitsKey({ device, driver, dawn, toggles }: RunInfo): string[] {
  return [device, driver, dawn, toggles];
}
