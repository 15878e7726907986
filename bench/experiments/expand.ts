/** From a declared experiment to its cells: the product of series and axes, scaled. */

import { casesOf } from "../base/combine.js";
import type { Axes, CellSpec, Experiment, Only, Series } from "../base/experiment.js";
import { rounded } from "../base/format.js";
import { loadFactorIn } from "../base/load-factor.js";
import { cellKey } from "../results/key.js";
import { benchmarks, DEFAULT_BENCH, knownSeries } from "../scenarios/index.js";

/** Fewer pairs than this are not worth a point. */
export const MIN_N = 1024;

/** Which part of an experiment's grid is meant. */
interface Choice {
  /** Use the experiment's shorter axes, if it has some. */
  readonly quick: boolean;
  readonly seed: number;
  /** Only these tables (ids), or all. */
  readonly tables?: readonly string[] | undefined;
  /** These data sets instead of the experiment's. */
  readonly datasets?: readonly string[] | undefined;
}

export interface Size extends Choice {
  /** Factor on every n and on the lookups; load factors stay. */
  readonly scale: number;
  /** The smallest n, and number of lookups, that a cell is scaled to. Defaults to MIN_N. */
  readonly smallest?: number;
}

/** A cell at the paper's size, and what a scale needs to know. */
interface Point {
  readonly cell: CellSpec;
  readonly series: Series;
  /** Of the experiment, where they are a number. */
  readonly lookups: number | undefined;
}

/** The cells of an experiment, without repetition, in the order of its axes. */
export function expand(experiment: Experiment, size: Size): CellSpec[] {
  return scaled(grid(experiment, size), size);
}

/** Whether the series has cells: a native table has none where it is not loaded. */
export function isThere({ table, only, bench = DEFAULT_BENCH }: Series): boolean {
  return !only?.loaded || knownSeries(bench, table) !== undefined;
}

/** The points of an experiment, in the order of its axes. */
export function grid(experiment: Experiment, { quick, seed, tables, datasets }: Choice): Point[] {
  const axes: Axes = quick ? { ...experiment.axes, ...experiment.quick } : experiment.axes;
  const series = experiment.series.filter((one) => isThere(one) && (!tables || tables.includes(one.table)));
  const places = (datasets && axes.dataset ? datasets : (axes.dataset ?? [""])).flatMap((dataset) =>
    pairsOf(axes, dataset).flatMap((n) => casesOf(axes).map((params) => ({ dataset, n, params, seed }))),
  );
  return places.flatMap((place) =>
    series.flatMap((one) => (axes.op ?? [""]).flatMap((op) => pointsOf(experiment.id, axes, one, { ...place, op }))),
  );
}

/** The cells at the points, without repetition. */
export function scaled(
  points: readonly Point[],
  { scale, smallest = MIN_N }: Pick<Size, "scale" | "smallest">,
): CellSpec[] {
  const times = (count: number): number => Math.max(smallest, Math.round(count * scale));
  const cells = points.map(({ cell, series: { params, at }, lookups }) => {
    const n = Math.min(times(cell.n * (at?.share ?? 1)), at?.maxN ?? Number.POSITIVE_INFINITY);
    const asked = lookups && { lookups: Math.max(smallest, Math.round(times(lookups) * (n / times(cell.n)))) };
    return { ...cell, n, params: { ...cell.params, ...asked, ...params } };
  });
  const there = cells.filter((cell) => benchmarks[cell.bench]?.exists?.(cell) !== false);
  return [...new Map(there.map((cell) => [cellKey(cell), cell])).values()];
}

/** The experiment at a user's load factors in place of its own and of its series' choice, if it has any. */
export function atLoadFactors(experiment: Experiment, loadFactor: readonly number[]): Experiment {
  const { axes, quick, software, series } = experiment;
  if (!axes.loadFactor) return experiment;
  return {
    ...experiment,
    series: series.map(({ only: { loadFactor: _, ...only } = {}, ...one }) => ({ ...one, only })),
    axes: { ...axes, loadFactor },
    quick: { ...quick, loadFactor },
    ...(software ? { software: { ...software, loadFactor } } : {}),
  };
}

/** The largest n of an experiment at the paper's size. */
export function largestN(experiment: Experiment, datasets?: readonly string[]): number {
  const names = datasets ?? experiment.axes.dataset ?? [""];
  return Math.max(...names.flatMap((dataset) => pairsOf(experiment.axes, dataset)));
}

function pairsOf({ n }: Axes, dataset: string): readonly number[] {
  if (Array.isArray(n)) return n as readonly number[];
  const byDataset = n as Readonly<Record<string, number>>;
  // A data set that the paper does not use takes the size of its first one.
  const found = byDataset[dataset] ?? Object.values(byDataset)[0];
  return found === undefined ? [] : [found];
}

type Place = Pick<CellSpec, "dataset" | "n" | "params" | "seed" | "op">;

/** The points of one series at one place of the grid: its load factors and positive ratios, if it has the place. */
function pointsOf(experiment: string, axes: Axes, series: Series, place: Place): Point[] {
  const { table, variant = "", bench = DEFAULT_BENCH, only } = series;
  if (only && !isAt(only, place)) return [];
  const { asks, lookups } = benchmarks[bench]?.operations.find(({ id }) => id === place.op) ?? {};
  const asked = lookups && typeof axes.lookups === "number" ? axes.lookups : undefined;
  return loadFactorsOf(axes, series, place.n).flatMap((loadFactor) =>
    (asks ? (axes.positiveRatio ?? [1]) : [null]).map((positiveRatio) => {
      const { op, dataset, n, seed, params } = place;
      const cell = { experiment, bench, table, variant, op, dataset, n, loadFactor, positiveRatio, seed, params };
      return { cell, series, lookups: asked };
    }),
  );
}

function isAt({ op, n: { from = 0, to = Number.POSITIVE_INFINITY } = {}, params = {} }: Only, place: Place): boolean {
  const fits = Object.entries(params).every(([name, values]) => values.some((value) => value === place.params[name]));
  return fits && op?.includes(place.op) !== false && place.n >= from && place.n <= to;
}

/** Load factors of the series, or of the axis, or those of the table sizes at the paper's n. Rounded so that they survive as text. */
function loadFactorsOf({ loadFactor }: Axes, { at, only }: Series, n: number): readonly (number | null)[] {
  if (at?.loadFactor !== undefined) return [at.loadFactor];
  if (!loadFactor) return [null];
  const all = "bytes" in loadFactor ? loadFactor.bytes.map((one) => rounded(loadFactorIn(one, n), 6)) : loadFactor;
  return all.filter((one) => only?.loadFactor?.includes(one) !== false);
}
