/** `hashbench tune`: points of a table become cells, measured and verified by the workers of `run`, one batch after another. */

import { UsageError } from "../../../kernels/device/errors.js";
import type { DeviceInfo } from "../../../kernels/device/gpu.js";
import type { TableType } from "../../../kernels/table.js";
import type { CellSpec } from "../../base/experiment.js";
import { formatNumber } from "../../base/format.js";
import { deviceLine } from "../../results/device-name.js";
import { hostEnvironment } from "../../results/environment.js";
import type { RunInfo } from "../../results/record.js";
import { openResults } from "../../results/write.js";
import { DEFAULT_BENCH } from "../../scenarios/index.js";
import { quickStopping } from "../configuration.js";
import { type DeviceAsked, onDevice, type WorkersAsked } from "../open.js";
import type { Pool } from "../pool.js";
import type { Progress } from "../progress.js";
import type { WorkerResult } from "../protocol.js";
import { noResult } from "../reporter.js";
import { runInfo } from "../run.js";
import { Session } from "../session.js";
import { type Found, type Measured, search } from "./search.js";
import { type Dimension, impossible, moved, type Point, pointKey } from "./space.js";

export const OBJECTIVES = {
  find: { title: "retrievals", unit: "M op/s", prefers: "more" },
  insert: { title: "insertions", unit: "M op/s", prefers: "more" },
  bytes: { title: "bytes per pair", unit: "B", prefers: "less" },
} as const;
export type Objective = keyof typeof OBJECTIVES;

export interface TuneOptions {
  readonly type: TableType;
  readonly start: Point;
  readonly dimensions: readonly Dimension[];
  readonly objective: Objective;
  /** M retrievals/s that a point has at least, of the objective `bytes`. */
  readonly atLeast?: number;
  /** Pairs; null: as many as suit the kind of adapter. */
  readonly n: number | null;
  readonly dataset: string;
  readonly positiveRatio: number;
  readonly seed: number;
  readonly on: DeviceAsked;
  readonly workers: WorkersAsked;
  /** Wall time in which batches may begin. */
  readonly budgetMs: number;
  /** Results folder for the rows; null: they are not kept. */
  readonly out: string | null;
  readonly force: boolean;
}

interface Facts {
  readonly bytesPerPair: number | null;
  readonly mops: number | null;
  readonly status: WorkerResult["status"];
}

export interface Tuning extends Found {
  readonly device: DeviceInfo;
  readonly n: number;
  /** By `pointKey`. */
  readonly facts: ReadonlyMap<string, Facts>;
}

/** Larger than the caches of a GPU; quick to build. */
const GPU_PAIRS = 2 ** 24;
const SOFTWARE_PAIRS = 2 ** 16;

export function tune(options: TuneOptions, progress: Progress): Promise<Tuning> {
  const end = performance.now() + options.budgetMs;
  const { on, workers } = options;
  const workersFor = (software: boolean): WorkersAsked => ({
    ...workers,
    open: { robust: false },
    stopping: { ...quickStopping(software), ...workers.stopping },
    counting: false,
  });
  return onDevice(on, workersFor, async ({ device, software, choice, workers: [worker], notes }) => {
    const n = options.n ?? (software ? SOFTWARE_PAIRS : GPU_PAIRS);
    const info = runInfo(device);
    const writer = options.out === null ? null : await openFolder(options.out, options, n, info);
    try {
      await writer?.writeEnvironment({ ...hostEnvironment(), run: info.run, device, adapter: choice.source });
      for (const line of [deviceLine(device), ...notes]) progress.note(line);
      const { type, start, objective, dimensions } = options;
      const session = new Session(writer, progress);
      const points = new Points(options, n, worker.pool, end, progress, (cell, result) =>
        session.record(info, cell, result),
      );
      const found = await search({
        start,
        dimensions,
        prefers: OBJECTIVES[objective].prefers,
        move: (point, name, value) => moved(type, point, name, value),
        measure: (some) => points.measure(some),
      });
      return { ...found, device, n, facts: points.facts };
    } finally {
      await writer?.close();
    }
  }).finally(() => progress.ended());
}

function openFolder(out: string, options: TuneOptions, n: number, { device, driver, toggles }: RunInfo) {
  const { type, objective, dataset, positiveRatio, seed, force } = options;
  const configuration = { tune: type.id, objective, n, dataset, positiveRatio, seed, device, driver, toggles };
  return openResults(out, configuration, { resume: null, force });
}

class Points {
  readonly facts = new Map<string, Facts>();

  constructor(
    private readonly options: TuneOptions,
    private readonly n: number,
    private readonly pool: Pick<Pool, "measure">,
    /** The end, by performance.now(). */
    private readonly end: number,
    private readonly progress: Pick<Progress, "working">,
    private readonly keep: (cell: CellSpec, result: WorkerResult) => Promise<void>,
  ) {}

  async measure(points: readonly Point[]): Promise<Measured[]> {
    const { type } = this.options;
    const results: Measured[] = points.map((point) => impossible(type, point) || null);
    const wanted = points.flatMap((point, i) => (results[i] === null ? [{ i, point, cell: this.cellOf(point) }] : []));
    for (const [i, reason] of results.entries())
      if (typeof reason === "string") await this.record(points[i] as Point, noResult("skipped", reason));
    const cells = wanted.map(({ cell }) => cell);
    await this.pool.measure(cells, {
      deadline: this.end,
      onPhase: (index, phase, samples) => cells[index] && this.progress.working(cells[index], phase, samples),
      onResult: async (index, result) => {
        const one = wanted[index];
        if (!one || result.status === "postponed") return;
        results[one.i] = await this.record(one.point, result);
      },
    });
    return results;
  }

  /** Keeps a result, and says what it means for the objective. */
  private async record(point: Point, result: WorkerResult): Promise<Measured> {
    await this.keep(this.cellOf(point), result);
    const { objective, atLeast = 0 } = this.options;
    const rate = result.metrics.find(({ metric }) => metric === "mops");
    const bytes = result.metrics.find(({ metric }) => metric === "held_per_pair")?.value ?? null;
    this.facts.set(pointKey(point), { bytesPerPair: bytes, mops: rate?.value ?? null, status: result.status });
    if (result.status !== "ok" || !rate) return `${result.status}: ${result.reason}`;
    const score = { value: rate.value, lo: rate.lo ?? rate.value, hi: rate.hi ?? rate.value };
    if (objective !== "bytes") return score;
    if (bytes === null) return "its bytes are not known";
    if (rate.value < atLeast) return `${formatNumber(rate.value, 4)} M op/s, below --at-least`;
    return { value: bytes, lo: bytes, hi: bytes, tie: score };
  }

  private cellOf({ loadFactor, params }: Point): CellSpec {
    const { type, objective, dataset, positiveRatio, seed } = this.options;
    const insert = objective === "insert";
    return {
      experiment: `tune/${type.id}`,
      bench: DEFAULT_BENCH,
      table: type.id,
      variant: "",
      op: insert ? "insert" : "find",
      dataset,
      n: this.n,
      loadFactor,
      positiveRatio: insert ? null : positiveRatio,
      seed,
      params,
    };
  }
}

/** Throws a UsageError for a table that cannot be tuned so. */
export function checkTunable(type: TableType, objective: Objective): void {
  if (type.answers)
    throw new UsageError(`${type.id} answers with ${type.answers}s; tune measures tables that answer with values`);
  const op = objective === "insert" ? "insert" : "find";
  if (!type.ops.includes(op)) throw new UsageError(`${type.id} has no ${op} in bulk`);
}
