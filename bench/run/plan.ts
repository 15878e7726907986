/** Which cells a run has, and how large: scale, shards, order. */

import type { DeviceInfo } from "../../kernels/device/gpu.js";
import type { CellSpec, Experiment } from "../experiment.js";
import { expand, largestN, MIN_N, type Size } from "../experiments/expand.js";

/** Seconds that --quick aims at, for the whole run, and at least for each experiment of a longer one. */
const QUICK_SECONDS = 60;
const QUICK_SECONDS_EACH = 15;
/**
 * Random operations/s that --quick reckons with, and seconds that a cell costs whatever its size. Constants of the kind of
 * adapter, not measured at the start: the same command has to give the same cells every time.
 */
const SPEED = {
  gpu: { rate: 1e9, cellSeconds: 0.25 },
  lavapipe: { rate: 1.5e7, cellSeconds: 0.25 },
  swiftshader: { rate: 2e6, cellSeconds: 0.35 },
};
/** Runs a cell makes in all: warm-up, samples, verification, counting. */
const RUNS = 22;

export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly count: number;
}

export interface PlanOptions {
  readonly quick: boolean;
  readonly scale?: number;
  /** Largest n of every experiment. */
  readonly n?: number;
  readonly seed: number;
  readonly tables?: readonly string[];
  readonly datasets?: readonly string[];
  readonly shard?: Shard;
}

export interface Planned {
  readonly experiment: Experiment;
  readonly scale: number;
  readonly cells: readonly CellSpec[];
}

/** The cells of every experiment, for a device. */
export function plan(
  experiments: readonly Experiment[],
  options: PlanOptions,
  device: Pick<DeviceInfo, "software" | "name">,
): Planned[] {
  const speed = !device.software ? SPEED.gpu : /swiftshader/i.test(device.name) ? SPEED.swiftshader : SPEED.lavapipe;
  const seconds = Math.max(QUICK_SECONDS / experiments.length, QUICK_SECONDS_EACH);
  return experiments.map((experiment) => {
    const size = (scale: number): Size => ({
      scale,
      quick: options.quick,
      seed: options.seed,
      ...(options.tables ? { tables: options.tables } : {}),
      ...(options.datasets ? { datasets: options.datasets } : {}),
      ...(options.n !== undefined ? { smallest: Math.min(MIN_N, options.n) } : {}),
    });
    const scale =
      options.scale ??
      (options.n !== undefined
        ? options.n / largestN(experiment, options.datasets)
        : options.quick
          ? quickScale(experiment, expand(experiment, size(1)), seconds, speed)
          : 1);
    const cells = inShard(shuffled(expand(experiment, size(scale)), options.seed), options.shard);
    return { experiment, scale, cells };
  });
}

function quickScale(
  { cost = 1 }: Experiment,
  cells: readonly CellSpec[],
  seconds: number,
  speed: { rate: number; cellSeconds: number },
): number {
  const operations = cells.reduce((sum, cell) => sum + cell.n + Number(cell.params.lookups ?? 0), 0) * RUNS * cost;
  const affordable = Math.max(0.1 * seconds, seconds - speed.cellSeconds * cells.length) * speed.rate;
  return Number(Math.min(1, affordable / Math.max(1, operations)).toPrecision(2));
}

/** Every count-th cell, so that shards get equal shares of every series. */
function inShard(cells: readonly CellSpec[], shard: Shard | undefined): readonly CellSpec[] {
  return shard ? cells.filter((_, i) => i % shard.count === shard.index - 1) : cells;
}

/** Fisher-Yates, seeded: groups that do not fit in memory together are still not measured series by series. */
function shuffled(cells: readonly CellSpec[], seed: number): CellSpec[] {
  const order = [...cells];
  let state = seed >>> 0;
  for (let i = order.length - 1; i > 0; i--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const j = Math.floor((state / 2 ** 32) * (i + 1));
    const [a, b] = [order[i], order[j]];
    if (a && b) [order[i], order[j]] = [b, a];
  }
  return order;
}
