/** What a claim of a paper is: a sentence, and how it is checked against result rows. Read from files of claims (README.md). */
import type { Scalar } from "../../kernels/table.js";
import type { PaperDevice, Resource } from "./papers.js";

/** Both ends included; an end left out is open. */
export interface Range {
  readonly from?: number;
  readonly to?: number;
}

/** A value, one of several, or a range. */
export type Where = Scalar | readonly Scalar[] | Range;
/** `first` and `last` are the smallest and the largest that the fitting rows have. */
export type Place = Where | "first" | "last";

/**
 * Which cells a number is taken from: every field that is given has to fit. Rows of the claim's own experiment unless it
 * names another one.
 */
export interface Select {
  readonly experiment?: string | readonly string[];
  readonly table?: string | readonly string[];
  /** `""` is the table's only variant. */
  readonly variant?: string | readonly string[];
  /** A value of the `metric` column; `mops` if left out. */
  readonly metric?: string;
  /** By column (`op`, `dataset`, `n`, `load_factor`, `positive_ratio`) or parameter. */
  readonly where?: Readonly<Record<string, Place>>;
}

/** How many values become one. `every` judges each and reports the least favourable. */
export const MEANS = ["mean", "geomean", "harmean", "median", "min", "max", "every"] as const;
export type Mean = (typeof MEANS)[number];

/** A number of the paper's, which is both ends, or a range; along an axis, a place. */
export type Target = Required<Range>;

/** What the paper states, or a bound; more than 1; up to a quarter more or less than 1. rule.ts says which numbers agree. */
export type Expectation = Range | { readonly above: 1 } | { readonly slightly: "more" | "less" };

/** A column or parameter of the rows. */
export type Along = string;

/** Cells, or the quotients of theirs by those of other cells, place by place (pairing.ts). */
export interface Numbers {
  readonly of: Select;
  readonly over?: Select;
}

/** A number of the rows beside the paper's. */
export interface NumberCheck extends Numbers {
  readonly kind: "number";
  readonly mean: Mean;
  /** Each quotient is multiplied by it, where the two have different units. */
  readonly times?: number;
  readonly expect: Expectation;
  /** In which the paper states it: `×` of quotients, `%` of shares; "" of what has none. */
  readonly unit: "×" | "%" | "";
  /** The paper says that `over` is the lower one: the quotient is shown as over / of. */
  readonly turned?: true;
}

/** A rate or time of the paper's own device: it is shown beside ours, scaled by what it waits for, and not judged. */
export interface DeviceCheck {
  readonly kind: "device";
  readonly of: Select;
  readonly mean: Exclude<Mean, "every">;
  readonly expect: Range;
  /** Rates grow with what they wait for, times fall. */
  readonly unit: "M op/s" | "ns";
  readonly waits: Resource;
}

/** Largest metric first: each selection above the next one at every shared place, or in the mean. */
export interface OrderCheck {
  readonly kind: "order";
  readonly of: readonly Select[];
  readonly mean: Mean;
}

/** How each series of numbers (cells that differ in `along` only) runs along an axis. */
export interface CourseCheck extends Numbers {
  readonly kind: "course";
  readonly along: Along;
  readonly how: "rises" | "falls" | "stays" | "peaks" | "drops" | "crosses";
  /** Of `peaks`, `drops` and, where the paper names a place, `crosses`. */
  readonly at?: Target;
  /** Of `crosses`: on which side of 1 the quotients begin. */
  readonly begins?: "below" | "above";
  /** Of `crosses`: where the second-order polynomial through of − over passes 0, which noise moves less. */
  readonly fitted?: true;
}

/** Pearson's r of a metric with another one, or with a column, over all selected cells. */
export interface CorrelationCheck {
  readonly kind: "correlation";
  readonly of: Select;
  readonly y: string;
  readonly x: string;
  readonly expect: Expectation;
}

export type Check = NumberCheck | DeviceCheck | OrderCheck | CourseCheck | CorrelationCheck;

/** Why a claim is not judged, or does not hold: explanations, which nothing evaluates. */
interface Explained {
  /** Why the paper's number cannot be compared with ours, in a sentence or two. Ours is then shown, and not judged. */
  readonly incomparable?: string;
  /** Why it does not hold, where it does not. */
  readonly because?: string;
  /** The same where it is judged by rows that measure what its stand-in stands in for: `incomparable` and `because` are then left out. */
  readonly measured?: string;
}

export interface Claim extends Explained {
  /** `<experiment>:<name>`, unique. */
  readonly id: string;
  /** File and line where it stands: `slab.claims:31`. */
  readonly at: string;
  /** Id of the experiment whose figure shows it. */
  readonly experiment: string;
  /** The sentence in our words, with the paper's numbers. */
  readonly text: string;
  /** What the paper says, as short as in a table: `1.33×`, `rises`, `512 M op/s`. */
  readonly paper: string;
  /** The paper's device that it is about; none where no paper states it. */
  readonly device?: PaperDevice;
  readonly check: Check;
  /** Who states it: the paper, if left out. Our own claims about its figures are counted apart. */
  readonly origin?: "hashbench";
  /** The paper's setting beside ours, where the two differ; "ours" is what the text does not say. */
  readonly setting?: string;
  /** Id of the first claim of the same sentence, of which this one is a further number. */
  readonly of?: string;
}

/** Whether a paper states the claim: else it is ours, or a plug-in's. */
export function isPapers({ origin, device }: Pick<Claim, "origin" | "device">): boolean {
  return origin === undefined && device !== undefined;
}
