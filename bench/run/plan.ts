/** Which cells a run has, and how large: scale, shards, order. */

import { shuffle } from "simple-statistics";
import type { DeviceInfo } from "../../kernels/device/gpu.js";
import type { CellSpec, Experiment } from "../base/experiment.js";
import { rounded } from "../base/format.js";
import { grid, largestN, MIN_N, scaled } from "../experiments/expand.js";
import { groupBy } from "../results/group.js";
import { cellsOn } from "../scenarios/allocation.js";
import { reckoned, type Speed, speedOf, workBy } from "./estimate.js";
import { placeIn } from "./order.js";
import { type Shard, split, type Times } from "./shards.js";

/** Seconds that --quick aims at, for the whole run, and at least for each experiment of a longer one. */
const QUICK_SECONDS = 60;
const QUICK_SECONDS_EACH = 15;
/** --quick on SwiftShader, about ten times slower than lavapipe, has a quarter of each size there is for software adapters … */
const SWIFTSHADER_SCALE = 0.25;
/**
 * … but not less than this: smaller tables lie in the caches of a CPU, and their kernels take no time. An experiment that has a
 * share of its own for SwiftShader is slow enough.
 */
const SOFTWARE_MIN_N = 2 ** 16;

export interface PlanOptions {
  readonly quick: boolean;
  readonly scale?: number | undefined;
  /** Largest n of every experiment. */
  readonly n?: number | undefined;
  readonly seed: number;
  readonly tables?: readonly string[] | undefined;
  readonly datasets?: readonly string[] | undefined;
  readonly shard?: Shard | undefined;
  /** Times by which cells are split into shards. Default: the numbers of runs and pairs alone. */
  readonly times?: Times;
}

export interface Planned {
  readonly experiment: Experiment;
  readonly scale: number;
  readonly cells: readonly CellSpec[];
}

/** Cells before a device is known, and the points of the grid that they are at. */
export interface Sized extends Planned {
  readonly points: ReturnType<typeof grid>;
}

type Adapter = Pick<DeviceInfo, "software" | "name"> & Partial<Pick<DeviceInfo, "toggles">>;

/** The cells of every experiment, for a device: of the shard, and in the order in which they are measured. */
export function plan(experiments: readonly Experiment[], options: PlanOptions, device: Adapter): Planned[] {
  return planFrom(
    experiments.map((experiment) => sized(experiment, options)),
    options,
    device,
  );
}

/** The same from the results of `sized`. */
export function planFrom(whole: readonly Sized[], options: PlanOptions, device: Adapter): Planned[] {
  const { quick, scale, n, shard, seed, times = new Map() } = options;
  const seconds = Math.max(QUICK_SECONDS / whole.length, QUICK_SECONDS_EACH);
  const automatic = quick && scale === undefined && n === undefined;
  const parts: readonly Planned[] = automatic ? whole.map((one) => quickOn(device, one, options, seconds)) : whole;
  // Before the cells of other devices are left out: the shards of all devices have the same split.
  const own = shard ? (split(parts, shard.count, times)[shard.index - 1] ?? []) : parts;
  return own.map(({ experiment, scale, cells }) => {
    return { experiment, scale, cells: inOrder(experiment, cellsOn(cells, device), seed) };
  });
}

/**
 * The cells of an experiment as large as --scale or --n wants them, in the order of its axes. What --quick wants depends on the
 * device, and on the seconds that the experiment may take: before they are known its cells are at full size.
 */
export function sized(experiment: Experiment, options: PlanOptions): Sized {
  const { scale, n } = options;
  const [factor, smallest] =
    scale === undefined && n !== undefined
      ? [n / largestN(experiment, options.datasets), Math.min(MIN_N, n)]
      : [scale ?? 1, MIN_N];
  const points = grid(experiment, options);
  return { experiment, scale: factor, cells: scaled(points, { scale: factor, smallest }), points };
}

/** The cells as --quick wants them on the device. */
function quickOn(device: Adapter, whole: Sized, options: PlanOptions, seconds: number): Planned {
  const { experiment, cells } = whole;
  const small = device.software && withSoftwareAxes(experiment, options.tables);
  if (!small) {
    const scale = quickScale(experiment, cells, seconds, speedOf(device));
    return scale === 1 ? whole : { experiment, scale, cells: scaled(whole.points, { scale }) };
  }
  const swiftshader = /swiftshader/i.test(device.name);
  const own = swiftshader ? experiment.software?.swiftshader : undefined;
  const share = own ?? (swiftshader ? SWIFTSHADER_SCALE : 1);
  const smallest = own === undefined ? SOFTWARE_MIN_N : MIN_N;
  const points = grid(small, { ...options, quick: false });
  const scale = (share * largestN(small)) / largestN(experiment);
  return { experiment, scale, cells: scaled(points, { scale: share, smallest }) };
}

/** The experiment with its axes and series for software adapters, if it has some; with the series that were asked for. */
function withSoftwareAxes(experiment: Experiment, asked: readonly string[] | undefined): Experiment | undefined {
  if (!experiment.software) return undefined;
  const { tables, swiftshader: _, ...own } = experiment.software;
  const series = experiment.series.filter(({ table }) => asked || !tables || tables.includes(table));
  return { ...experiment, series, axes: { ...experiment.axes, ...own } };
}

function quickScale({ id, cost = 1 }: Experiment, cells: readonly CellSpec[], seconds: number, speed: Speed): number {
  const work = workBy([{ cells }]).get(id) ?? { runs: 0, pairs: 0 };
  const { cells: ofCells, operations } = reckoned(work, cost, speed);
  return rounded(Math.min(1, Math.max(0.1 * seconds, seconds - ofCells) / Math.max(1e-9, operations)), 2);
}

/**
 * Place by place, so that the series at one place are in one group, measured in turn, and a drift of the device hits all of them alike.
 * The seed shuffles the places, so that a drift from group to group does not become the slope of a curve. It shuffles the cells at a
 * place too, so that no series always comes first.
 */
function inOrder(experiment: Experiment, cells: readonly CellSpec[], seed: number): CellSpec[] {
  const places = groupBy(shuffled(cells, seed), placeIn([experiment]));
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
