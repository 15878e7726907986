/**
 * The one rule by which rows answer claims, of every kind of check, of means as of single cells. Accepted ranges come from the
 * paper's words and from here alone: `RULE` is what the report says of it.
 */
import { percent } from "../base/format.js";
import { byClock } from "../results/metrics.js";

/** How far a number may be from the paper's, relative: of what a clock decides, and of what is counted. */
export const WITHIN = { clock: 0.25, count: 0.1 } as const;

/** What differs by less is a tie: of timings as much as `compare` takes for no change, of counts what races between lanes make of them. */
export const TIES = { clock: 0.05, count: 0.001 } as const;

/** What "much" and "by a wide margin" mean: at least so many times. */
export const MUCH = 2;

/** Pearson's r of what runs "linearly" is at least this, or at most its negative. */
export const LINEAR = 0.99;

/** A series with a larger step back than a tie still rises (or falls) if its rank correlation with the axis is at least this. */
export const MONOTONE = 0.9;

/** What holds of the numbers of a check. */
export interface Precision {
  readonly within: number;
  readonly tie: number;
  /** They are quotients of one quantity: on one side of 1 one of two is the larger, on the other side the other. */
  readonly quotient?: boolean;
}

/** Of numbers that are computed from these metrics. */
export function precisionOf(metrics: readonly string[]): Precision {
  const kind = metrics.some(byClock) ? "clock" : "count";
  return { within: WITHIN[kind], tie: TIES[kind] };
}

/** What one number, or one series, says of a statement. */
export type Judgement = "agrees" | "tie" | "differs";

/** What all of them say. `in part`: most agree, and not all. */
export interface Outcome {
  readonly says: Judgement | "in part";
  readonly agreeing: number;
  readonly differing: number;
  readonly all: number;
}

export function outcomeOf(judgements: readonly Judgement[]): Outcome {
  const count = (wanted: Judgement) => judgements.filter((one) => one === wanted).length;
  const [agreeing, differing, all] = [count("agrees"), count("differs"), judgements.length];
  const says = agreeing === all ? "agrees" : 2 * agreeing > all ? "in part" : differing === 0 ? "tie" : "differs";
  return { says, agreeing, differing, all };
}

/** In the report's words. */
export const RULE: readonly string[] = [
  `A number agrees with one of the paper's, or with a range of it, if it is within ${percent(WITHIN.clock)} of it (${percent(WITHIN.count)} where it is counted and no clock decides it), and, of a quotient, on the paper's side of 1. "Alike", "hardly" and "flat" are quotients of 1, of the largest over the smallest of a series; "slightly" is up to as much more or less; "much" is at least ${MUCH} times, "linearly" a correlation of at least ${LINEAR}.`,
  `A comparison ("faster", "at least", "rises") agrees or differs if the number, its 95 % interval and ${percent(TIES.clock)} on either side of it (${percent(TIES.count)} of counts) are on one side of the bound. What lies across it is a tie. A number of a single sample has no interval, and ${percent(TIES.clock)} on either side alone: it is of a history of half a second and more, of which single runs were within 0.24 % of their median. A series that rises does so from end to end, without a step back beyond a tie or with a rank correlation of at least ${MONOTONE}.`,
  "A number whose interval, widened so, reaches the accepted range does not contradict it: it is undecided.",
  "A place along an axis is known up to the measured places beside it.",
  "A statement about all cells, series or steps is reproduced if all of them agree; in part, with their number, if most do; else it is not reproduced, or undecided if none differs.",
];
