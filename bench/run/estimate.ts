/**
 * How long cells will take, before they are measured: what an earlier run of the same experiment took, where there is one, and
 * else what their number and size say. A range, as neither tells it exactly.
 */

import type { CellSpec, Experiment } from "../base/experiment.js";
import { memoryOf } from "../scenarios/allocation.js";
import { type Part, runsFor } from "./order.js";
import type { SpentBy } from "./stopwatch.js";

/** Wall time in seconds of the workers that have a GPU, and of the one beside them. */
export interface WorkSeconds {
  readonly own: number;
  readonly beside: number;
}

/** What there is to measure: runs, each of which may measure several cells, and the pairs and lookups of all of them. */
export interface Work {
  readonly runs: number;
  readonly pairs: number;
}

/** What an earlier run tells of an experiment. */
export interface Earlier {
  readonly device: string;
  readonly experiment: string;
  readonly took: WorkSeconds;
  readonly work: Work;
}

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The geometric mean. */
export function middleOf({ from, to }: Range): number {
  return Math.sqrt(from * to);
}

/** An earlier run on this device model, one on another one, or number and size of the cells. */
type Source = "earlier run" | "other device" | "size";

/** Seconds by experiment, and in all. */
export interface Estimate {
  readonly seconds: Range;
  readonly experiments: readonly {
    readonly id: string;
    readonly cells: number;
    readonly seconds: Range;
    readonly from: Source;
  }[];
}

/** By how much the same cells may take longer, or shorter, than they did. */
const SPREAD = { "earlier run": 1.25, "other device": 2, size: 2 } as const satisfies Record<Source, number>;

/** Operations may be this many times as fast as reckoned: large cells have fewer runs, and not all accesses are random. */
const FASTER = 20;

/** Opening the device, and the end. */
const START_SECONDS = 2;

/**
 * Random operations per second that --quick and an estimate from sizes reckon with, and seconds that a cell costs whatever its size.
 * Constants of the kind of adapter, not measured at the start: the same command has to give the same cells every time.
 */
const SPEED = {
  gpu: { rate: 1e9, cellSeconds: 0.25 },
  lavapipe: { rate: 1.5e7, cellSeconds: 0.25 },
  swiftshader: { rate: 2e6, cellSeconds: 0.35 },
};
export type Speed = (typeof SPEED)[keyof typeof SPEED];
/** Runs a cell makes in all: warm-up, samples, verification, counting. */
const RUNS = 22;

export function speedOf({ software, name }: { readonly software: boolean; readonly name: string }): Speed {
  if (!software) return SPEED.gpu;
  return /swiftshader/i.test(name) ? SPEED.swiftshader : SPEED.lavapipe;
}

/** Seconds of cells by themselves, and of their operations. @param cost of their experiment */
export function reckoned({ runs, pairs }: Work, cost: number, { rate, cellSeconds }: Speed) {
  return { cells: cellSeconds * runs, operations: (RUNS * pairs * cost) / rate };
}

/** Bytes of host memory that take as long to allocate and to fill as a pair takes to be measured. */
const HOST_BYTES = 32;

export function pairsOf(cell: CellSpec): number {
  const { n, params } = cell;
  const allocated = memoryOf(cell) === "host" ? (Number(params.tableMiB ?? 0) * 2 ** 20) / HOST_BYTES : 0;
  return n + Number(params.lookups ?? 0) + allocated;
}

/**
 * Work by experiment. A cell that another cell's run measures is not counted. The run of a history belongs to the experiment of its
 * longest cell.
 */
export function workBy(parts: readonly Pick<Part, "cells">[]): ReadonlyMap<string, Work> {
  const work = new Map<string, Work>();
  for (const cell of runsFor(parts.flatMap(({ cells }) => cells))) {
    const { runs, pairs } = work.get(cell.experiment) ?? { runs: 0, pairs: 0 };
    work.set(cell.experiment, { runs: runs + 1, pairs: pairs + pairsOf(cell) });
  }
  return work;
}

/** The times that a run of these cells tells, where one worker did all. */
export function toldBy(spent: SpentBy, parts: readonly Part[], device: string): Earlier[] {
  return [...workBy(parts)].flatMap(([experiment, work]) => {
    const ms = Object.values(spent[experiment] ?? {}).reduce((sum, one) => sum + one, 0);
    return ms > 0 ? [{ device, experiment, took: { own: ms / 1000, beside: 0 }, work }] : [];
  });
}

interface Setting {
  readonly device: { readonly name: string; readonly software: boolean };
  /** Oldest first; of a software adapter none of a GPU. */
  readonly earlier: readonly Earlier[];
  /** Whether one more worker measures CPU tables beside the GPU's cells. */
  readonly beside: boolean;
  /** GPUs that measure at a time; each has figures of its own. */
  readonly gpus?: number;
}

/** Seconds that a run of these cells will take, by experiment and in all. */
export function estimate(parts: readonly Part[], setting: Setting): Estimate {
  const { beside, gpus = 1 } = setting;
  const work = workBy(parts);
  const known = parts.map(({ experiment, cells }) => {
    const { id } = experiment;
    return { id, cells: cells.length, ...secondsOf(experiment, work.get(id) ?? { runs: 0, pairs: 0 }, setting) };
  });
  const together = (own: number, aside: number) => (beside ? Math.max(own, aside) : own + aside);
  const sum = (side: keyof WorkSeconds, end: keyof Range) => known.reduce((all, one) => all + one[side][end], 0);
  const all = (end: keyof Range) => together(sum("own", end) / gpus, sum("beside", end) / (beside ? 1 : gpus));
  return {
    seconds: { from: START_SECONDS + all("from"), to: START_SECONDS + all("to") },
    experiments: known.map(({ own, beside: aside, ...rest }) => {
      return { ...rest, seconds: { from: together(own.from, aside.from), to: together(own.to, aside.to) } };
    }),
  };
}

type Known = Readonly<Record<keyof WorkSeconds, Range>> & { readonly from: Source };

/** An earlier run is taken in proportion to the runs, and to their pairs: the one is too little, the other too much. */
function secondsOf({ id, cost = 1 }: Experiment, work: Work, { device, earlier }: Setting): Known {
  const told = earlier.filter((one) => one.experiment === id);
  const here = nearest(
    told.filter((one) => one.device === device.name),
    work,
  );
  const known = here ?? nearest(told, work);
  if (!known) {
    const { cells, operations } = reckoned(work, cost, speedOf(device));
    const own = { from: (cells + operations / FASTER) / SPREAD.size, to: (cells + operations) * SPREAD.size };
    return { own, beside: { from: 0, to: 0 }, from: "size" };
  }
  const from = here ? "earlier run" : "other device";
  const ratios = [work.runs / known.work.runs, work.pairs / known.work.pairs];
  const scaled = (seconds: number): Range => ({
    from: (seconds * Math.min(...ratios)) / SPREAD[from],
    to: seconds * Math.max(...ratios) * SPREAD[from],
  });
  return { own: scaled(known.took.own), beside: scaled(known.took.beside), from };
}

/** The earlier run with about as much work; the last of several. */
function nearest(earlier: readonly Earlier[], { pairs }: Work): Earlier | undefined {
  const distance = ({ work }: Earlier) => Math.round(Math.abs(Math.log2(work.pairs / Math.max(1, pairs))));
  return earlier.toReversed().toSorted((a, b) => distance(a) - distance(b))[0];
}
