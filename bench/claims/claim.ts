/** What a claim of a paper is: a sentence, and how it is checked against result rows. Data, beside the experiments. */
import type { Scalar } from "../../kernels/table.js";
import type { PaperDevice, Resource } from "../papers.js";

/** Both ends included; an end left out is open. */
export interface Range {
  readonly from?: number;
  readonly to?: number;
}

/** A value, one of several, or a range. */
export type Where = Scalar | readonly Scalar[] | Range;

/**
 * Which cells a number is taken from: every field that is given has to fit. Rows of the claim's own experiment unless it
 * names another one.
 */
export interface Select {
  readonly experiment?: string;
  readonly table?: string | readonly string[];
  /** `""` is the table's only variant. */
  readonly variant?: string | readonly string[];
  readonly op?: string | readonly string[];
  readonly dataset?: string | readonly string[];
  /** `first` and `last` are the smallest and the largest that the fitting rows have. */
  readonly n?: number | Range | "first" | "last";
  readonly loadFactor?: number | Range | "first" | "last";
  readonly positiveRatio?: number | Range | "first" | "last";
  readonly params?: Readonly<Record<string, Where>>;
  /** A value of the `metric` column; `mops` if left out. */
  readonly metric?: string;
}

/** How many values become one. `every` judges each and reports the least favourable. */
export type Mean = "arithmetic" | "geometric" | "harmonic" | "median" | "min" | "max" | "every";

/** A number or range of the paper's, a bound, or up to a quarter more or less than 1. rule.ts says which numbers agree with it. */
export type Expectation =
  | Place
  | { readonly atLeast: number }
  | { readonly atMost: number }
  | { readonly slightly: "more" | "less" };

/** A number or range of the paper's; along an axis, a place. */
export type Place = { readonly near: number } | { readonly from: number; readonly to: number };

/** A column of the rows, or `params.<name>`: what a trend runs along. */
export type Along = string;

/**
 * How a claim is computed. Cells of two selections are paired by every coordinate that neither selection fixes, or by the
 * coordinates in `by` alone.
 */
export type Check =
  /** A rate or time of the paper's device: it is not compared; ours is shown beside it, scaled by the bandwidth. */
  | {
      readonly kind: "absolute";
      readonly of: Select;
      readonly mean: Exclude<Mean, "every">;
      readonly paper: Exclude<Expectation, { slightly: string }>;
      /** Unit of the paper's number, as our metric has it: `M op/s`, `ns`. */
      readonly unit: string;
      /** `rate` grows with what it waits for, `time` falls. */
      readonly scales: "rate" | "time";
      /** What of the device it waits for: the copy bandwidth, if left out. */
      readonly waits?: Resource | undefined;
    }
  /** A quantity that does not depend on the device: load factors, probes, efficiencies, bytes. */
  | { readonly kind: "value"; readonly of: Select; readonly mean: Mean; readonly expect: Expectation }
  /** of / over, pair by pair, then the mean. Above 1: `of` has the larger metric. */
  | {
      readonly kind: "ratio";
      readonly of: Select;
      readonly over: Select;
      readonly by?: readonly Along[] | undefined;
      readonly mean: Mean;
      /** Each quotient is multiplied by it, where the two have different units. */
      readonly times?: number | undefined;
      readonly expect: Expectation;
    }
  /** Largest metric first: each selection above the next one at every shared coordinate, or in the mean. */
  | {
      readonly kind: "order";
      readonly of: readonly Select[];
      readonly by?: readonly Along[] | undefined;
      readonly mean: Mean;
    }
  /** Each series (cells that differ in `along` only) rises, falls or stays; with `over`, each series of quotients of / over. */
  | {
      readonly kind: "trend";
      readonly of: Select;
      readonly over?: Select | undefined;
      readonly by?: readonly Along[] | undefined;
      readonly along: Along;
      readonly expect: "rises" | "falls" | "flat";
    }
  /**
   * of / over passes 1 along the axis, from below to above or the other way, near a place if one is given. With
   * `regression`: where the second-order polynomial through of − over passes 0, which noise moves less.
   */
  | {
      readonly kind: "crossing";
      readonly regression?: 2 | undefined;
      readonly of: Select;
      readonly over: Select;
      readonly by?: readonly Along[] | undefined;
      readonly along: Along;
      readonly from: "below" | "above";
      readonly expect?: Place | undefined;
    }
  /** Where along the axis the metric (or of / over) is largest (`peak`), or first falls from one point to the next (`drop`). */
  | {
      readonly kind: "peak" | "drop";
      readonly of: Select;
      readonly over?: Select | undefined;
      readonly by?: readonly Along[] | undefined;
      readonly along: Along;
      readonly expect: Place;
    }
  /** Pearson's r between two metrics (or a column) over all selected cells. */
  | {
      readonly kind: "correlation";
      readonly of: Select;
      readonly x: string;
      readonly y: string;
      readonly expect: Expectation;
    };

export interface Claim {
  /** `<experiment>:<name>`, unique. */
  readonly id: string;
  /** Id of the experiment whose figure shows it; it need not exist yet. */
  readonly experiment: string;
  /** The sentence in our words, with the paper's numbers. */
  readonly text: string;
  /** What the paper says, as short as in a table: `1.33×`, `rises`, `512 M/s`. */
  readonly paper: string;
  /** The paper's device that it is about; none where no paper states it. */
  readonly device?: PaperDevice;
  readonly check: Check;
  /** Who states it: the paper, if left out. Our own claims about its figures are counted apart. */
  readonly origin?: "hashbench";
  /** Why the paper's number cannot be compared with ours, in a sentence or two. Ours is then shown, and not judged. */
  readonly incomparable?: string;
  /** Why it is not reproduced, where rows show that. */
  readonly cause?: Cause | undefined;
}

/** Whether a paper states the claim: else it is ours, or a plug-in's. */
export function isPapers({ origin, device }: Pick<Claim, "origin" | "device">): boolean {
  return origin === undefined && device !== undefined;
}

/** An explanation that is checked like a claim and by its rule, on the rows of each device: it may hold on one and not on another. */
export interface Cause {
  /** One sentence. */
  readonly text: string;
  /** All of them have to hold. Of the claim's experiment, unless a selection names another one. */
  readonly checks: readonly [Check, ...Check[]];
}
