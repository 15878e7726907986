/** `hashbench run`: plans cells, measures them in workers, writes every one as it finishes. */

import { availableParallelism } from "node:os";
import type { DeviceInfo } from "../../kernels/device/gpu.js";
import type { CellSpec } from "../base/experiment.js";
import { runsOn } from "../native/systems.js";
import { commitOfRun, dawnVersion, hostEnvironment } from "../results/environment.js";
import { cellKey } from "../results/key.js";
import { UNFINISHED } from "../results/names.js";
import type { CellResult, RunInfo } from "../results/record.js";
import { openResults } from "../results/write.js";
import { benchmarks } from "../scenarios/index.js";
import { Queue } from "./budget.js";
import { type Asked, configuration, isQuick, quickStopping, runId, SOFTWARE_NUMBERS } from "./configuration.js";
import { earlierOn, keptSeconds } from "./earlier.js";
import { estimate, type Work, workBy } from "./estimate.js";
import { LimitsStore } from "./limits-store.js";
import { type DeviceAsked, type OpenDevice, onDevice, type WorkersAsked } from "./open.js";
import { blocks, byPlace, only, type Part, readyFirst } from "./order.js";
import { type Planned, planFrom, type Sized, sized } from "./plan.js";
import type { Progress } from "./progress.js";
import { Session, type Share } from "./session.js";
import { addSpent, addSpentBy, type Spent, type SpentBy } from "./stopwatch.js";
import type { Turns } from "./turns.js";

export interface RunOptions extends Asked {
  /** Its experiments, with their cells before a device is known. */
  readonly whole: readonly Sized[];
  /** The rows' commit, in place of the one that is found. */
  readonly commit?: string | undefined;
  readonly on: DeviceAsked;
  readonly workers: WorkersAsked;
  /** Results folder; called with the device once it is known. */
  readonly out: (device: DeviceInfo) => string;
  readonly resume: boolean;
  readonly force: boolean;
  /** Runs that measure their blocks in turn, this one among them. */
  readonly turns?: Turns;
  /** Wall time for the whole run; null: as long as it takes. */
  readonly budgetMs: number | null;
}

export interface RunSummary {
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
  /** Time that belongs to an experiment, by experiment: of the workers that have a GPU, and of the one beside them. */
  readonly experiments: SpentBy;
  readonly beside: SpentBy;
  /** Cells that were measured: later estimates are scaled by them. */
  readonly work: Readonly<Record<string, Work>>;
}

/** How often a run that may be cut off notes what it has spent. */
const NOTE_MS = 10_000;

/** A host with at least this number of cores measures CPU tables beside the GPU's cells, in a process of its own. */
const CORES_ASIDE = 8;
function hasCoresAside(software: boolean): boolean {
  return !software && availableParallelism() >= CORES_ASIDE;
}
const SOFTWARE_QUICK = "--quick is implied on a software adapter; give --scale or --n for other sizes";

export function run(options: RunOptions, progress: Progress): Promise<RunSummary> {
  const began = performance.now();
  return onDevice(options.on, workersFor(options), async (opened) => {
    const { device, software, choice, workers } = opened;
    const { planned, info, out, asked } = askedOn(opened, options);
    const writer = await openResults(out, asked, options);
    try {
      const gpus = workers.map(({ pool, node }, i) => {
        const own = workers.length > 1 ? { ...info, run: `${info.run}-gpu${i}` } : info;
        const { driver, dawn, toggles } = info;
        const limits = new LimitsStore([info.device, driver, dawn, toggles, ...(node ? [node] : [])]);
        return { pool, info: own, node, limits };
      });
      const host = hostEnvironment();
      const describe = (more: object) =>
        Promise.all(
          gpus.map(({ info: { run }, node }) => {
            const part = { ...(node ? { gpu: node } : {}), ...(options.shard ? { shard: options.shard } : {}) };
            return writer.writeEnvironment({ ...host, run, device, adapter: choice.source, ...part, ...more });
          }),
        );
      await describe({});
      const { parts, cells, kept, expected } = leftOf(planned, writer.finished(), opened, out, workers.length);
      const budget = options.budgetMs === null ? null : options.budgetMs - (performance.now() - began);
      progress.started(device, planned, { cells, expected, budgetMs: budget }, out);
      for (const line of notesOf(opened, options)) progress.note(line);
      const { aside, queue, besideQueue } = await queuesOf(parts, budget, opened, options.turns);
      const shares: Share[] = gpus.map((gpu) => ({ ...gpu, queue }));
      const [gpu] = gpus;
      if (aside && gpu) shares.push({ ...gpu, pool: aside, queue: besideQueue });
      const spent = () =>
        secondsOf(
          performance.now() - began,
          gpus.map(({ pool }) => pool.spent),
          aside?.spent ?? {},
        );
      const measured: CellSpec[] = [];
      let noted = Number.NEGATIVE_INFINITY;
      const noting = {
        ...progress,
        finished(cell: CellSpec, result: CellResult) {
          if (result.status !== "postponed") measured.push(cell);
          progress.finished(cell, result);
          if (performance.now() - noted < NOTE_MS) return;
          noted = performance.now();
          // A disk that is full is said where the next cell is written.
          describe({ seconds: spent(), [UNFINISHED]: true }).catch(() => undefined);
        },
      };
      const session = new Session(writer, noting, options.turns);
      await session.measure(shares, { software, runs: (cell) => runsOn(info.device, cell) });
      const { counts } = session;
      if (kept > 0) counts.kept = kept;
      const seconds = { ...spent(), work: Object.fromEntries(workBy([{ cells: measured }])) };
      await describe({ seconds });
      return { run: info.run, out, device, planned, counts, seconds };
    } finally {
      await writer.close();
    }
  }).finally(() => progress.ended());
}

export function workersFor(options: RunOptions): (software: boolean) => WorkersAsked {
  const { workers } = options;
  return (software) => {
    const usual = isQuick(options, software) ? quickStopping(software) : {};
    return { ...workers, stopping: { ...usual, ...workers.stopping } };
  };
}

/** The plan and the configuration of a run on the device. */
export function askedOn({ device, software }: OpenDevice, options: RunOptions) {
  // Shards are made by what their experiments took in the kept runs.
  const times = options.shard ? { times: keptSeconds(idsOf(options.whole)) } : {};
  const quick = isQuick(options, software);
  const wanted = { ...options, ...times, quick };
  // Where --quick is implied, its axes are not those that were checked.
  const whole = quick === options.quick ? options.whole : options.whole.map((one) => sized(one.experiment, wanted));
  const planned = planFrom(whole, wanted, device);
  const info = runInfo(device, options);
  return { planned, info, out: options.out(device), asked: configuration(options, planned, info) };
}

/** The cells that are left to measure, and how long they will take. */
export function leftOf(
  planned: readonly Planned[],
  finished: ReadonlySet<string>,
  { device, software }: OpenDevice,
  out: string,
  gpus: number,
) {
  const parts = only(planned, (cell) => !finished.has(cellKey(cell)));
  const cells = parts.flatMap((part) => part.cells);
  const all = planned.reduce((sum, part) => sum + part.cells.length, 0);
  const expected = estimate(parts, {
    device,
    earlier: earlierOn(device, out, idsOf(planned)),
    beside: hasCoresAside(software),
    gpus,
  });
  return { parts, cells, kept: all - cells.length, expected };
}

function idsOf(planned: readonly Planned[]): Set<string> {
  return new Set(planned.map(({ experiment }) => experiment.id));
}

function notesOf({ notes, software, workers }: OpenDevice, options: RunOptions): string[] {
  return [
    ...notes,
    ...(software ? [SOFTWARE_NUMBERS] : []),
    ...(isQuick(options, software) && !options.quick ? [SOFTWARE_QUICK] : []),
    ...(workers.length > 1 ? [`${workers.length} GPUs: each figure is measured on one of them`] : []),
  ];
}

/** The order of measuring, and the worker for CPU tables beside the GPUs' own, where the host has one. */
async function queuesOf(
  parts: readonly Part[],
  budget: number | null,
  { software, workers, another }: OpenDevice,
  turns?: Turns,
) {
  const isBeside = ({ bench }: CellSpec) => !turns && benchmarks[bench]?.runs?.besideGpu === true;
  const besideBlocks = blocks(only(parts, isBeside));
  const pool = hasCoresAside(software) && besideBlocks.length > 0 ? another() : null;
  // Some drivers give a GPU to one process only.
  const opened = await pool?.device().catch(() => undefined);
  const aside = opened ? pool : null;
  const own = aside ? only(parts, (cell) => !isBeside(cell)) : parts;
  // Several GPUs have a figure each.
  const order = workers.length > 1 ? own.flatMap((part) => blocks([part])) : await readyFirst(blocks(own));
  const queue = turns ? new Queue(byPlace(order), budget, 1 / turns.members) : new Queue(order, budget, workers.length);
  return { aside, queue, besideQueue: new Queue(besideBlocks, budget, 1) };
}

/** @param gpus of each GPU's worker */
function secondsOf(ms: number, gpus: readonly SpentBy[], beside: SpentBy): Omit<Seconds, "work"> {
  const rounded = (value: number) => Math.round(value / 10) / 100;
  const phases = (spent: Spent) =>
    Object.fromEntries(Object.entries(spent).map(([phase, value]) => [phase, rounded(value)]));
  const own = gpus.reduce(addSpentBy, {});
  const byExperiment = ({ "": _, ...some }: SpentBy): SpentBy =>
    Object.fromEntries(Object.entries(some).map(([id, spent]) => [id, phases(spent)]));
  return {
    all: rounded(ms),
    workers: phases(Object.values(addSpentBy(own, beside)).reduce(addSpent, {})),
    experiments: byExperiment(own),
    beside: byExperiment(beside),
  };
}

/** Shards that start in the same second on several machines still are different runs. */
export function runInfo(device: DeviceInfo, { shard, commit }: Pick<RunOptions, "shard" | "commit"> = {}): RunInfo {
  return {
    run: shard ? `${runId()}-${shard.index}of${shard.count}` : runId(),
    commit: commitOfRun(commit),
    device: device.name,
    driver: device.driver,
    dawn: device.implementation ?? dawnVersion(),
    toggles: device.toggles,
  };
}
