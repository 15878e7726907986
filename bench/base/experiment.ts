/** The vocabulary that every part of hashbench shares: cells, experiments, figures. */

import type { Scalar } from "../../kernels/table.js";

/**
 * One point of one experiment: what is measured, on which workload. Plain JSON, so that it can be sent to the worker,
 * compared with a row on disk and hashed.
 */
export interface CellSpec {
  /** Id of the experiment, such as `gph/fig10`. */
  readonly experiment: string;
  /** Which benchmark measures the cell: a key of `bench/scenarios/index.ts`. */
  readonly bench: string;
  /** The series: a table's id (`bucketed`), a CPU table's (`js-map`) or an access pattern's (`read32`). */
  readonly table: string;
  /** Sub-series of the table, such as `1.25n`; "" where there is one only. */
  readonly variant: string;
  /** One of the benchmark's operations, such as `insert`. */
  readonly op: string;
  /** Data set, as `--datasets` spells it: `random`, `lineitem`, `zipf:1.0`, `file:<path>?columns=a,b`. "" if none. */
  readonly dataset: string;
  /** Pairs in the table (rows of the input, before duplicates collapse). */
  readonly n: number;
  /** Pairs / slots; null where the cell has no table. */
  readonly loadFactor: number | null;
  /** Share of the lookups whose key is present, 0 … 1; null where there are none. */
  readonly positiveRatio: number | null;
  /** u32 from which keys, queries and hash constants are drawn. */
  readonly seed: number;
  /** Everything else that decides the result: `lookups`, table parameters, sizes in bytes. */
  readonly params: Readonly<Record<string, Scalar>>;
}

/**
 * One series of an experiment: which table (on GPU or CPU), with which parameters, under which name in the legend. It has a cell at
 * every point of the experiment's axes that `only` lets through, and there the values of `at` in place of the axes'.
 */
export interface Series {
  readonly table: string;
  readonly variant?: string;
  readonly label?: string;
  /** A key of `bench/scenarios/index.ts`, by default DEFAULT_BENCH of it. */
  readonly bench?: string;
  readonly params?: Readonly<Record<string, Scalar>>;
  readonly only?: Only;
  readonly at?: At;
}

/** The points of the axes that a series has: those that fit all of these. */
export interface Only {
  /** Where the table's native program is loaded (`--native`). */
  readonly loaded?: true;
  readonly op?: readonly string[];
  /** Of load factors that the user gives, the series has all. */
  readonly loadFactor?: readonly number[];
  /** Of the pairs at the paper's size. */
  readonly n?: { readonly from?: number; readonly to?: number };
  /** Of parameters of the axes, those with one of these values. */
  readonly params?: Readonly<Record<string, readonly Scalar[]>>;
}

/** What a series has in place of the axes' values. */
export interface At {
  readonly loadFactor?: number;
  /** This part of the pairs. */
  readonly share?: number;
  /** At most this many pairs, at any scale: for CPU tables. The label says so. */
  readonly maxN?: number;
}

/** The field of the bytes that a cell's table keeps for each pair stored. */
export const HELD_FIELD = "metric.held_per_pair";

/**
 * Where a field of a figure comes from: a column of the result rows, `params.<name>`, `metric.<name>` (another metric of
 * the same cell, such as HELD_FIELD), or `table_mib`. (That is the size of its slots of 8 bytes, from n and load factor.) A facet may join columns, such as
 * `op+positive_ratio`; so may x, whose places are then texts: `8 + 4`.
 */
export interface Channel {
  readonly field: string;
  readonly title: string;
  readonly scale?: "linear" | "log2" | "log10";
  /** Of a facet, or of texts along x: what they are called in place of a value. */
  readonly names?: Readonly<Record<string, string>>;
  /** Along x: what is drawn of a number, 1 − x or 1 / x in place of x. */
  readonly as?: "complement" | "reciprocal";
  /** Factor applied before drawing, such as 100 for per cent or 1e-3 for thousands. */
  readonly factor?: number;
  /** Of x: each panel's axis goes as far as its own points do. */
  readonly own?: true;
  /** Of x on a linear scale: the axis begins at 0. */
  readonly zero?: true;
}

/** The y axis. */
export interface Measure {
  readonly title: string;
  /** `symlog`: a decade as wide as the next one, but for the lowest, which ends at 0. */
  readonly scale?: "linear" | "log2" | "log10" | "symlog";
  /** As of a channel. */
  readonly factor?: number;
  /** On a linear scale: false where 0 need not be on the axis. */
  readonly zero?: false;
  /** The axis ends there; what is above it is named in the caption. With the factor. */
  readonly most?: number;
  /** d3 number format of axis labels. */
  readonly format?: string;
  /** Draw every value over that of its own series and panel at this x; needs a factor. */
  readonly over?: number;
}

/** What a figure shows; turned into a vega-lite specification by `reports/`. */
export interface FigureSpec {
  readonly kind: "line" | "bar";
  readonly x: Channel;
  /** What is on the y axis: a value of the `metric` column, or a panel for each of several, which share one unit. */
  readonly metric: string | readonly MetricPanel[];
  readonly y: Measure;
  /** Columns whose values split the panels, such as `dataset` or `op`. */
  readonly facet?: Channel;
  /** The panels of each metric, or all panels, have a y axis of their own: their values are not to be compared. */
  readonly apart?: true | "panels";
  /** Draw the cells of these tables or access patterns alone; or those of the declared series, whatever else was measured. */
  readonly only?: readonly string[] | "declared";
  /**
   * Draw every value over that of this table (of its first series, where it has several), or minus it, at the same place: same
   * operation, n, load factor, positive ratio, and parameters that both have. The table itself is the line at 1, or 0. By names:
   * each declared series over that of the native table that is named for its own, of the same run and device; others are not drawn.
   */
  readonly against?: { readonly table: string | Readonly<Record<string, string>>; readonly as: "ratio" | "difference" };
  readonly beside?: Beside;
  /** The paper's own numbers, drawn beside ours. */
  readonly paper?: readonly PaperValue[];
}

export interface MetricPanel {
  readonly metric: string;
  readonly title: string;
}

/** The metrics that a figure draws; one alone has no title. */
export function metricPanels({ metric }: FigureSpec): readonly MetricPanel[] {
  return typeof metric === "string" ? [{ metric, title: "" }] : metric;
}

/** What is drawn beside the measured points. */
export interface Beside {
  /** The device's limit for the operation (from the rows' `limit` metric): the highest one, or that of this table's cells. */
  readonly limit?: true | string;
  /**
   * What CUDA reached on the same device model, from results/references: all that are there, or these. Only of a
   * figure of `mops`, where operation, n, load factor and positive ratio agree, or access pattern and size.
   */
  readonly references?: true | readonly string[];
  /**
   * `parabola`: the second-order regression of each series, drawn as points; the caption says where it is 0. `line`: one straight line
   * through the points of all series; the caption says how well they correlate. `front`: the Pareto front, shaded: the points of a
   * panel than which no other has both a smaller x, which is a number, and a larger y.
   */
  readonly trend?: "parabola" | "line" | "front";
}

/** A number that the paper prints, in the unit of the rows' metric: a mark, a line along x, a band of a range, or a place of x. */
export type PaperValue = PaperMark | PaperLine | PaperBand | PaperUpright;

/** Which panels show it: those with cells that all of these fit. */
interface PaperPlace {
  readonly table?: string;
  readonly variant?: string;
  /** Values of columns or of `params.<name>`, such as one value of the figure's facet. */
  readonly where?: Readonly<Record<string, Scalar>>;
  /** One of several metrics. */
  readonly metric?: string;
}

/** Beside the points of a series, at a place of the x axis. */
export interface PaperMark extends PaperPlace {
  readonly table: string;
  /** A value of the x channel's field, without its factor; or a ratio to that of the point which `times` names, which has one place. */
  readonly x: number | string | { readonly times: number };
  readonly value: number;
  /** The value is a ratio: times ours of the same panel there, at another x or of another table. */
  readonly times?: Relation;
}

/** What of ours a ratio of the paper's is to. What is left out is as of the mark or the line itself. */
export interface Relation {
  readonly table?: string;
  readonly variant?: string;
  readonly x?: number | string;
}

/** Whatever x is, such as an average. With a `table`, in the colour of its series. */
export interface PaperLine extends PaperPlace {
  /** What it is, and the number as the paper has it: `Stash 96.8 %`. */
  readonly label: string;
  readonly value: number;
  /** The value is a ratio: times the geometric mean of ours of this table in the panel. */
  readonly times?: Omit<Relation, "x">;
}

export interface PaperBand extends PaperPlace {
  readonly label: string;
  readonly from: number;
  readonly to: number;
}

/** A place of the x axis, whatever y is there, such as where two series cross. */
export interface PaperUpright extends PaperPlace {
  readonly label: string;
  /** A value of the x channel's field, without its factor. */
  readonly at: number;
}

/** What SwiftShader gets of the sizes for software adapters where the lanes of warps talk. */
export const WARPS_ON_SWIFTSHADER = 1 / 16;

/** An experiment, declared: no loops over samples, no buffers, no file names. */
export interface Experiment {
  /** Begins with its paper, or with a group of our own. */
  readonly id: string;
  readonly source?: Source;
  readonly title: string;
  /** The setting in one sentence, for captions and `list`. */
  readonly setting: string;
  readonly series: readonly Series[];
  /** The grid, as the product of the axes. */
  readonly axes: Axes;
  /** Shorter axes for --quick, where the whole grid would not finish in a minute. */
  readonly quick?: Partial<Axes>;
  /**
   * The cells of --quick on a software adapter, in sizes that are not scaled: large enough to show something, few enough to
   * take about a quarter of a minute. Default: those of `quick`, scaled to end in time.
   */
  readonly software?: Partial<Axes> & OnSoftware;
  /** Random accesses that one of n stands for, all in all, where it is not about one: --quick is to end in time. */
  readonly cost?: number;
  readonly figure: FigureSpec;
  /**
   * Ids of the experiments whose rows the figure draws, of the kinds of series that it declares. It has no rows of its own: to
   * run it is to measure those.
   */
  readonly from?: readonly string[];
  /** What in this experiment is ours or differs from the paper, for the report. */
  readonly notes?: string;
}

/** Where the paper has the figure. */
export interface Source {
  /** Such as `6.3`. */
  readonly section?: string;
  /** The figure as the paper calls it, where that is not what the id says: `Table I`. */
  readonly figure?: string;
}

interface OnSoftware {
  /** Of these tables alone (ids), where --tables does not ask for others. */
  readonly tables?: readonly string[];
  /** The share of the sizes that SwiftShader gets: a quarter by default, less where the lanes of warps talk. */
  readonly swiftshader?: number;
}

/** The values of each axis; an experiment has all combinations of them. */
export interface Axes {
  /** Pairs at the paper's size: one list, or one number per data set. */
  readonly n: readonly number[] | Readonly<Record<string, number>>;
  readonly op?: readonly string[];
  readonly dataset?: readonly string[];
  /** Or sizes of tables in bytes, with slots of 8 bytes, at the paper's n. */
  readonly loadFactor?: readonly number[] | { readonly bytes: readonly number[] };
  readonly positiveRatio?: readonly number[];
  /** Lookups at the paper's size, or `n` for every pair once. */
  readonly lookups?: number | "n";
  /** `CellSpec.params`: the values of each, of which there are all combinations; or the combinations, as a list. */
  readonly params?: Readonly<Record<string, readonly Scalar[]>> | readonly Readonly<Record<string, Scalar>>[];
}
