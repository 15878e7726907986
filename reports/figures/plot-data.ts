/** The data of a figure, which series.ts computes from rows: points, limits, curves, the paper's numbers, and missing cells. */
import type { SignChange } from "../../bench/measure/regression.js";
import type { Status } from "../../bench/results/record.js";
import type { Reference } from "../../bench/results/references.js";
import type { MeasuredCell } from "./rows.js";

/** One cell's value of the figure's metric. x and y carry the channel's factor. */
export interface PlotPoint {
  readonly series: string;
  readonly panel: string;
  readonly x: number | string;
  readonly y: number;
  /** Ends of the 95 % interval; null where there is none. */
  readonly lo: number | null;
  readonly hi: number | null;
  /** The device's limit for the cell, in the unit of y; null where no row says it. */
  readonly limit: number | null;
  /** The access whose rate that is, in words; "" where it is not known. */
  readonly access: string;
  /** Rises along x at every cell of the series that has no number, so that no line crosses the gap. */
  readonly segment: number;
  readonly n: number;
  readonly dataset: string;
  readonly samples: number;
  /** Sampling ended by time or number, with an interval wider than was asked for. */
  readonly wide: boolean;
}

/** A point of a limit line: the highest limit among the panel's cells of one operation at x. */
export interface LimitPoint {
  readonly panel: string;
  /** `limit`, with what tells several lines of a panel apart. */
  readonly line: string;
  readonly x: number | string;
  readonly y: number;
}

/** The second-order regression of one series in one panel, or the straight line through all series of a panel. */
export interface Curve {
  /** "" for all series. */
  readonly series: string;
  readonly panel: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
  /** Where it passes 0 between the series' first and last x, ascending. */
  readonly crossings: readonly SignChange[];
  /** Pearson's r of the points that a straight line is through. */
  readonly correlation?: number;
}

/** A number of the paper's, or a range of them, along the whole of a panel. from and to carry the channel's factor. */
export interface PaperRange {
  /** "" where it belongs to no series. */
  readonly series: string;
  readonly panel: string;
  readonly label: string;
  readonly from: number;
  /** `from` of a single number. */
  readonly to: number;
}

/** A number of the paper's. x and y carry the channel's factor. */
export interface PaperPoint {
  readonly series: string;
  readonly panel: string;
  readonly x: number | string;
  readonly y: number;
  /** The paper prints a ratio; y is that times a value of ours. */
  readonly relative: boolean;
  /** That ratio. */
  readonly ratio?: number;
}

/** The result of a CUDA library, or of one of our accesses in CUDA. x and y carry the channel's factor. */
export interface ReferencePoint {
  /** `CUDA: ` and the name of the library or of the access. */
  readonly series: string;
  readonly panel: string;
  readonly x: number | string;
  readonly y: number;
  readonly reference: Reference;
}

/** A place of x that the paper names, as drawn. */
export interface PaperUpright {
  readonly panel: string;
  readonly label: string;
  readonly x: number;
}

/** A cell that has no point, in one of its panels. */
export interface MissingCell {
  /** Equal for entries of one cell. */
  readonly cell: string;
  readonly series: string;
  readonly panel: string;
  /** Null where the cell does not say. */
  readonly x: number | string | null;
  readonly status: Status;
  /** Why, with the status where that is not `ok`. */
  readonly reason: string;
}

/** A series of the figure. */
export interface PlotSeries {
  readonly name: string;
  readonly table: string;
  readonly variant: string;
  /** Place among the experiment's declared series, so that colours do not depend on which of them have points. */
  readonly index: number;
  /** The series is a CUDA reference; `index` is its place among these. */
  readonly reference?: true;
  /** The series is of a native table. */
  readonly native?: true;
  /** Place of its device among several in one plot: 0 is the first. */
  readonly side?: number;
}

export interface PlotData {
  readonly series: readonly PlotSeries[];
  /** Headings in order; one "" where the figure has a single panel. */
  readonly panels: readonly string[];
  /** The same, with panels whose cells all lack a number. */
  readonly headings: readonly string[];
  /** Every x that has a point: numbers ascending, or texts in the experiment's order. */
  readonly xs: readonly (number | string)[];
  readonly points: readonly PlotPoint[];
  readonly limits: readonly LimitPoint[];
  /** The regression of each series, where the figure asks for it. */
  readonly curves: readonly Curve[];
  /** The points on each panel's Pareto front, by ascending x, where the figure asks for it. */
  readonly front: readonly PlotPoint[];
  /** CUDA's results, where the figure asks for them. */
  readonly references: readonly ReferencePoint[];
  /** The references' series, which follow ours. */
  readonly referenceSeries: readonly PlotSeries[];
  readonly paper: readonly PaperPoint[];
  readonly paperRanges: readonly PaperRange[];
  readonly paperUprights: readonly PaperUpright[];
  readonly missing: readonly MissingCell[];
  /** Unit of y, from the rows; "" where there is no point. */
  readonly unit: string;
}

/** Where a cell's metric belongs in the figure. */
export interface Place {
  readonly cell: MeasuredCell;
  readonly metric: string;
  readonly series: string;
  readonly panel: string;
  readonly x: number | string | null;
}

/** What tells a place from others in the figure. */
export interface Names {
  /** That of its colour: the series, and what splits it. */
  readonly base: string;
  /** That of its line style: the device, where there are several. */
  readonly side: string;
  /** Both: that of the legend. */
  readonly name: string;
  /** Place among the experiment's declared series; -1 of another. */
  readonly index: number;
}

export interface Named extends Place, Names {}

export interface Placed extends Named {
  readonly x: number | string;
  readonly y: number;
}
