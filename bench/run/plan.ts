/** Which cells a run has, and how large: scale, shards, order. */

import { shuffle } from "simple-statistics";
import type { DeviceInfo } from "../../kernels/device/gpu.js";
import type { CellSpec, Experiment } from "../base/experiment.js";
import { rounded } from "../base/format.js";
import { grid, largestN, MIN_N, scaled } from "../experiments/expand.js";
import { groupBy } from "../results/group.js";
import { isOfDevice } from "../scenarios/allocation.js";
import { runsFor } from "./bundles.js";
import { placeIn } from "./places.js";
import { inShard, type Shard } from "./shards.js";

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
/** --quick on SwiftShader, about ten times slower than lavapipe, has a quarter of each size there is for software adapters … */
const SWIFTSHADER_SCALE = 0.25;
/**
 * … but not less than this: smaller tables lie in the caches of a CPU, and their kernels take no time. An experiment that has a
 * share of its own for SwiftShader is slow enough.
 */
const SOFTWARE_MIN_N = 2 ** 16;
/** Runs a cell makes in all: warm-up, samples, verification, counting. */
const RUNS = 22;

export type { Shard };

export interface PlanOptions {
  readonly quick: boolean;
  readonly scale?: number | undefined;
  /** Largest n of every experiment. */
  readonly n?: number | undefined;
  readonly seed: number;
  readonly tables?: readonly string[] | undefined;
  readonly datasets?: readonly string[] | undefined;
  readonly shard?: Shard | undefined;
}

export interface Planned {
  readonly experiment: Experiment;
  readonly scale: number;
  readonly cells: readonly CellSpec[];
}

type Adapter = Pick<DeviceInfo, "software" | "name"> & Partial<Pick<DeviceInfo, "toggles">>;

/** The cells of every experiment, for a device: of the shard, and in the order in which they are measured. */
export function plan(experiments: readonly Experiment[], options: PlanOptions, device: Adapter): Planned[] {
  const seconds = Math.max(QUICK_SECONDS / experiments.length, QUICK_SECONDS_EACH);
  const whole = experiments.map((experiment) => sized(experiment, options, { device, seconds }));
  // Before the cells of other devices are left out: the shards of all devices have the same split.
  return inShard(whole, options.shard).map(({ cells, ...planned }) => {
    const own = cells.filter((cell) => isOfDevice(cell, device));
    return { ...planned, cells: inOrder(planned.experiment, own, options.seed) };
  });
}

/**
 * The cells of an experiment as large as --scale, --n or --quick wants them, in the order of its axes. What --quick wants depends on
 * the device, and on the seconds that the experiment may take: before they are known its cells are at full size.
 */
export function sized(
  experiment: Experiment,
  options: PlanOptions,
  known?: { readonly device: Adapter; readonly seconds: number },
): Planned {
  const { scale, n, quick } = options;
  const at = (points: ReturnType<typeof grid>, scale: number, smallest = MIN_N): Planned => {
    return { experiment, scale, cells: scaled(points, { scale, smallest }) };
  };
  const automatic = quick && scale === undefined && n === undefined ? known : undefined;
  const swiftshader = /swiftshader/i.test(automatic?.device.name ?? "");
  const small = automatic?.device.software && withSoftwareAxes(experiment, options.tables);
  if (small) {
    const own = swiftshader ? experiment.swiftshader : undefined;
    const share = own ?? (swiftshader ? SWIFTSHADER_SCALE : 1);
    const { cells } = at(grid(small, { ...options, quick: false }), share, own === undefined ? SOFTWARE_MIN_N : MIN_N);
    return { experiment, scale: (share * largestN(small)) / largestN(experiment), cells };
  }
  const points = grid(experiment, options);
  if (scale !== undefined) return at(points, scale);
  if (n !== undefined) return at(points, n / largestN(experiment, options.datasets), Math.min(MIN_N, n));
  if (!automatic) return at(points, 1);
  const speed = !automatic.device.software ? SPEED.gpu : swiftshader ? SPEED.swiftshader : SPEED.lavapipe;
  return at(points, quickScale(experiment, at(points, 1).cells, automatic.seconds, speed));
}

/** The experiment with its axes and series for software adapters, if it has some; with the series that were asked for. */
function withSoftwareAxes(experiment: Experiment, asked: readonly string[] | undefined): Experiment | undefined {
  if (!experiment.software) return undefined;
  const { tables, ...own } = experiment.software;
  const series = experiment.series.filter(({ table }) => asked || !tables || tables.includes(table));
  return { ...experiment, series, axes: { ...experiment.axes, ...own } };
}

function quickScale(
  { cost = 1 }: Experiment,
  cells: readonly CellSpec[],
  seconds: number,
  speed: { rate: number; cellSeconds: number },
): number {
  const runs = runsFor(cells);
  const operations = runs.reduce((sum, cell) => sum + cell.n + Number(cell.params.lookups ?? 0), 0) * RUNS * cost;
  const affordable = Math.max(0.1 * seconds, seconds - speed.cellSeconds * runs.length) * speed.rate;
  return rounded(Math.min(1, affordable / Math.max(1, operations)), 2);
}

/**
 * Place by place, so that the series at one place are in one group, measured in turn, and a drift of the device hits all of
 * them alike. The places are shuffled by the seed, so that a drift from group to group does not become a slope of a curve; the cells at a
 * place too, so that no series always comes first.
 */
function inOrder(experiment: Experiment, cells: readonly CellSpec[], seed: number): CellSpec[] {
  const places = groupBy(shuffled(cells, seed), placeIn(experiment));
  return shuffled([...places.values()], seed).flat();
}

function shuffled<T>(items: readonly T[], seed: number): T[] {
  let state = seed >>> 0;
  const draw = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return shuffle([...items], draw);
}
