/** From a declared experiment to its cells: the product of series and axes, scaled. */

import type { Scalar } from "../../kernels/table.js";
import { benchmarks, DEFAULT_BENCH } from "../benchmarks/index.js";
import type { Axes, CellSpec, Experiment, Series } from "../experiment.js";
import { loadFactorIn } from "../load-factor.js";
import { cellKey } from "../results/key.js";

/** Fewer pairs than this are not worth a point. */
export const MIN_N = 1024;

export interface Size {
  /** Factor on every n and on the lookups; load factors stay. */
  readonly scale: number;
  /** Use the experiment's shorter axes, if it has some. */
  readonly quick: boolean;
  readonly seed: number;
  /** Only these tables (ids), or all. */
  readonly tables?: readonly string[];
  /** These data sets instead of the experiment's. */
  readonly datasets?: readonly string[];
  /** The smallest n, and number of lookups, that a cell is scaled to. Defaults to MIN_N. */
  readonly smallest?: number;
}

/** The cells of an experiment, without repetition, in the order of its axes. */
export function expand(experiment: Experiment, size: Size): CellSpec[] {
  const declared: Axes = size.quick ? { ...experiment.axes, ...experiment.quick } : experiment.axes;
  const datasets = size.datasets && declared.dataset ? size.datasets : (declared.dataset ?? [""]);
  const cells = new Map<string, CellSpec>();
  for (const dataset of datasets) {
    for (const n of pairsOf(declared, dataset)) {
      for (const params of places(declared)) {
        for (const series of experiment.series) {
          if (size.tables && !size.tables.includes(series.table)) continue;
          for (const cell of pointsOf(experiment, declared, series, { dataset, n, params }, size)) {
            cells.set(cellKey(cell), cell);
          }
        }
      }
    }
  }
  return [...cells.values()];
}

/** The largest n of an experiment at the paper's size. */
export function largestN(experiment: Experiment, datasets?: readonly string[]): number {
  const names = datasets ?? experiment.axes.dataset ?? [""];
  return Math.max(...names.flatMap((dataset) => pairsOf(experiment.axes, dataset)));
}

function pairsOf({ n }: Axes, dataset: string): readonly number[] {
  if (Array.isArray(n)) return n as readonly number[];
  const byDataset = n as Readonly<Record<string, number>>;
  // A data set the paper does not have takes the size of its first one.
  const found = byDataset[dataset] ?? Object.values(byDataset)[0];
  return found === undefined ? [] : [found];
}

interface Place {
  readonly dataset: string;
  readonly n: number;
  readonly params: Readonly<Record<string, Scalar>>;
}

/** The cells of one series at one place of the grid: its operations, load factors and positive ratios. */
function* pointsOf(
  experiment: Experiment,
  axes: Axes,
  series: Series,
  { dataset, n, params }: Place,
  size: Size,
): Generator<CellSpec> {
  const smallest = size.smallest ?? MIN_N;
  const { bench = DEFAULT_BENCH } = series;
  const scaled = (count: number): number => Math.max(smallest, Math.round(count * size.scale));
  const pairs = Math.min(scaled(n * (series.share ?? 1)), series.maxN ?? Number.POSITIVE_INFINITY);
  const shrink = pairs / scaled(n);
  const loadFactors = series.loadFactor !== undefined ? [series.loadFactor] : loadFactorsOf(axes, n);
  for (const op of axes.op ?? [""]) {
    if (series.ops && !series.ops.includes(op)) continue;
    const operation = benchmarks[bench]?.operations.find(({ id }) => id === op);
    const lookups =
      operation?.lookups && typeof axes.lookups === "number"
        ? { lookups: Math.max(smallest, Math.round(scaled(axes.lookups) * shrink)) }
        : {};
    for (const loadFactor of loadFactors) {
      for (const positiveRatio of operation?.asks ? (axes.positiveRatio ?? [1]) : [null]) {
        const cell: CellSpec = {
          experiment: experiment.id,
          bench,
          table: series.table,
          variant: series.variant ?? "",
          op,
          dataset,
          n: pairs,
          loadFactor,
          positiveRatio,
          seed: size.seed,
          params: { ...params, ...lookups, ...series.params },
        };
        if (benchmarks[bench]?.exists?.(cell) !== false) yield cell;
      }
    }
  }
}

/** Load factors of the axis, or those of the table sizes at the paper's n. Rounded so that they survive as text. */
function loadFactorsOf(axes: Axes, n: number): readonly (number | null)[] {
  if (axes.loadFactor) return axes.loadFactor;
  if (axes.tableBytes) return axes.tableBytes.map((bytes) => Number(loadFactorIn(bytes, n).toPrecision(6)));
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
