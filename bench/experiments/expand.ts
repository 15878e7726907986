/** From a declared experiment to its cells: the product of series and axes, scaled. */

import type { Scalar } from "../../kernels/table.js";
import type { Axes, CellSpec, Experiment, Series } from "../base/experiment.js";
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

/** A cell of the grid at a size: points that are too small to differ become one. */
type Point = (size: Scaling) => CellSpec;
type Scaling = Required<Pick<Size, "scale" | "smallest">>;

/** The cells of an experiment, without repetition, in the order of its axes. */
export function expand(experiment: Experiment, size: Size): CellSpec[] {
  return scaled(grid(experiment, size), size);
}

/** Whether the series has cells: a native table has none where it is not loaded. */
export function isThere({ table, native, bench = DEFAULT_BENCH }: Series): boolean {
  return !native || knownSeries(bench, table) !== undefined;
}

/** The points of an experiment, in the order of its axes. */
export function grid(experiment: Experiment, { quick, seed, tables, datasets }: Choice): Point[] {
  const axes: Axes = quick ? { ...experiment.axes, ...experiment.quick } : experiment.axes;
  const series = experiment.series.filter((one) => isThere(one) && (!tables || tables.includes(one.table)));
  return (datasets && axes.dataset ? datasets : (axes.dataset ?? [""])).flatMap((dataset) =>
    pairsOf(axes, dataset).flatMap((n) =>
      places(axes).flatMap((params) =>
        series
          .filter(({ upTo = n }) => n <= upTo)
          .flatMap((one) => [...pointsOf(experiment.id, axes, one, { dataset, n, params, seed })]),
      ),
    ),
  );
}

/** The cells at the points, without repetition. */
export function scaled(
  points: readonly Point[],
  { scale, smallest = MIN_N }: Pick<Size, "scale" | "smallest">,
): CellSpec[] {
  const cells = points
    .map((at) => at({ scale, smallest }))
    .filter((cell) => benchmarks[cell.bench]?.exists?.(cell) !== false);
  return [...new Map(cells.map((cell) => [cellKey(cell), cell])).values()];
}

/** The experiment at a user's load factors in place of its own and of its series' choice, if it has any. */
export function atLoadFactors(experiment: Experiment, loadFactor: readonly number[]): Experiment {
  const { axes, quick, software, series } = experiment;
  if (!axes.loadFactor && !axes.tableBytes) return experiment;
  const { tableBytes: _, ...others } = axes;
  return {
    ...experiment,
    series: series.map(({ loadFactors: _, ...one }) => one),
    axes: { ...others, loadFactor },
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

type Place = Pick<CellSpec, "dataset" | "n" | "params" | "seed">;

/** The points of one series at one place of the grid: its operations, load factors and positive ratios. */
function* pointsOf(experiment: string, axes: Axes, series: Series, place: Place): Generator<Point> {
  const { table, variant = "", bench = DEFAULT_BENCH } = series;
  const loadFactors = loadFactorsOf(axes, series, place.n);
  for (const op of axes.op ?? [""]) {
    if (series.ops && !series.ops.includes(op)) continue;
    const operation = benchmarks[bench]?.operations.find(({ id }) => id === op);
    const lookups = operation?.lookups && typeof axes.lookups === "number" ? axes.lookups : undefined;
    for (const loadFactor of loadFactors) {
      for (const positiveRatio of operation?.asks ? (axes.positiveRatio ?? [1]) : [null]) {
        yield (size) => {
          const { n, params } = sizesOf(series, place, lookups, size);
          const { dataset, seed } = place;
          return { experiment, bench, table, variant, op, dataset, n, loadFactor, positiveRatio, seed, params };
        };
      }
    }
  }
}

/** The number of pairs, and of lookups among the parameters. */
function sizesOf(
  { share = 1, maxN = Number.POSITIVE_INFINITY, params: own }: Series,
  { n, params }: Place,
  lookups: number | undefined,
  { scale, smallest }: Scaling,
): Pick<CellSpec, "n" | "params"> {
  const scaled = (count: number): number => Math.max(smallest, Math.round(count * scale));
  const pairs = Math.min(scaled(n * share), maxN);
  if (lookups === undefined) return { n: pairs, params: { ...params, ...own } };
  const asked = Math.max(smallest, Math.round(scaled(lookups) * (pairs / scaled(n))));
  return { n: pairs, params: { ...params, lookups: asked, ...own } };
}

/** Load factors of the series, or of the axis, or those of the table sizes at the paper's n. Rounded so that they survive as text. */
function loadFactorsOf(axes: Axes, { loadFactor, loadFactors }: Series, n: number): readonly (number | null)[] {
  if (loadFactor !== undefined) return [loadFactor];
  if (axes.loadFactor) return axes.loadFactor.filter((one) => !loadFactors || loadFactors.includes(one));
  if (axes.tableBytes) return axes.tableBytes.map((bytes) => rounded(loadFactorIn(bytes, n), 6));
  return [null];
}

/** The parameters at each place of the grid: every case with every combination of the `params` axes. */
function places({ params = {}, cases = [{}] }: Axes): Record<string, Scalar>[] {
  return product(params).flatMap((point) => cases.map((together) => ({ ...point, ...together })));
}

function product(axes: Readonly<Record<string, readonly Scalar[]>>): Record<string, Scalar>[] {
  let points: Record<string, Scalar>[] = [{}];
  for (const [name, values] of Object.entries(axes)) {
    points = points.flatMap((point) => values.map((value) => ({ ...point, [name]: value })));
  }
  return points;
}
