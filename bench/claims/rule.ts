/**
 * The one rule by which rows answer claims, of every kind of check, of means as of single cells. Accepted ranges come from the
 * paper's words and from here alone: `RULE` is what the report says of it.
 */
import { formatNumber, percent } from "../base/format.js";
import { byClock } from "../results/metrics.js";

/** How far an absolute number or a share may be from the paper's, and the gain of a speed-up from its gain, relative. */
export const WITHIN = { clock: 0.25, count: 0.1 } as const;

/** What holds by less is small, whether it is timed or counted: as much as `compare` takes for no change. */
export const SMALL = 0.05;

/** Differences up to this say nothing: of counts it is what races make of them. */
export const TIES = { clock: SMALL, count: 0.001 } as const;

/** Medians of one cell in two figures of a run differ by up to this: no interval is narrower. */
export const FLOORS = { clock: 0.002, count: 0 } as const;

/** "Alike", "hardly" and "flat" are quotients so far from 1 at most: two machines of one model differ as much. */
export const ALIKE = 0.1;

/** What "much" and "by a wide margin" mean: at least so many times. */
export const MUCH = 2;

/** Pearson's r of what runs "linearly" is at least this, or at most its negative. */
export const LINEAR = 0.99;

/** A series with a larger step back than a tie still rises (or falls) if its rank correlation with the axis is at least this. */
export const MONOTONE = 0.9;

/** A program and a table of ours are not compared by operations that take the program less. */
export const SHORT_NS = 100_000;

/** What holds of the numbers of a check. */
export interface Precision {
  readonly within: number;
  readonly tie: number;
  readonly floor: number;
  /** They are speed-ups, which are judged by their gain. */
  readonly quotient?: boolean;
  /** They are shares, of which no more than 1 is accepted. */
  readonly share?: boolean;
}

/** Of numbers that are computed from these metrics. */
export function precisionOf(metrics: readonly string[]): Precision {
  const kind = metrics.some(byClock) ? "clock" : "count";
  return { within: WITHIN[kind], tie: TIES[kind], floor: FLOORS[kind] };
}

/**
 * What one number, or one series, says of a statement. `small`: it holds, by less than a tie. `alike`: there is no difference
 * beyond a tie, where the statement says that there is one. `tie`: the interval does not decide.
 */
export type Judgement = "agrees" | "small" | "alike" | "tie" | "differs";

/** What all of them say. `in part`: most agree, and not all. */
export interface Outcome {
  readonly says: Judgement | "in part";
  readonly agreeing: number;
  readonly differing: number;
  readonly all: number;
}

export function outcomeOf(judgements: readonly Judgement[]): Outcome {
  const count = (...wanted: readonly Judgement[]) => judgements.filter((one) => wanted.includes(one)).length;
  const agreeing = count("agrees", "small");
  const differing = count("differs", "alike");
  const all = judgements.length;
  return { says: sayOf(), agreeing, differing, all };

  function sayOf(): Outcome["says"] {
    if (agreeing === all) return count("agrees") > 0 ? "agrees" : "small";
    if (2 * agreeing > all) return "in part";
    if (differing === 0) return "tie";
    return count("differs") > 0 ? "differs" : "alike";
  }
}

/** In the report's words. */
export const RULE: readonly string[] = [
  `A speed-up is judged by its gain: 1.4× agrees with a paper's 1.5× if the gain of 40 % is within ${percent(WITHIN.clock)} of the paper's 50 %. A slow-down is judged as the speed-up of the other side. A share or another number agrees if it is within ${percent(WITHIN.clock)} of the paper's, or of its range, and no share above 100 % is accepted. Numbers that are counted have ${percent(WITHIN.count)} in place of ${percent(WITHIN.clock)}.`,
  `"Alike", "hardly" and "flat" are quotients within ${percent(ALIKE)} of 1, of the largest over the smallest of a series: two machines of one model differ as much. "Slightly" more is above 1 and up to ${percent(WITHIN.clock)} more, with an interval that does not reach 1; slightly less likewise. "Much" and "greatly" are at least ${MUCH} times, "significantly" is any difference that is not small, "linearly" a correlation of at least ${LINEAR}.`,
  `A comparison ("faster", "rises") holds if the interval of the number lies above 1, and differs if it lies below. It is what the 95 % intervals of its cells give, by the spread between the turns of all cells; of a mean it is the mean of their ends, as the cells of a run may err alike. Each interval is taken as at least ${percent(FLOORS.clock)} on either side: medians of one cell in two figures of a run differ as much. What holds by less than ${percent(SMALL)} is "holds, small", of counts too. An interval across 1 that stays within ${percent(TIES.clock)} of it (${percent(TIES.count)} of counts) shows no difference, and does not reproduce the comparison. A wider one leaves it undecided.`,
  `A series that rises does so from end to end, without a step back beyond ${percent(TIES.clock)} or with a rank correlation of at least ${MONOTONE}. It drops "sharply" or "suddenly" where it first falls by more than from the place before and to the next one, and by more than ${percent(TIES.clock)}: papers say of such falls where they are, not how deep. A place along an axis is known up to the measured places beside it; a quotient that passes 1 several times does so between the first and the last of them.`,
  "A series peaks where it is largest, or at any place whose interval reaches that one's. A lead or a lag peaks only where there is one: the largest quotient has to be above 1.",
  "Where a paper says “on average” or “overall” and not by which mean, quotients have the geometric one.",
  "Where rows of the authors' program are there for each system of a claim that has one, it is judged by them, and by our ports else. What has no program is our port in both.",
  `Where a program is compared with a table of ours, and takes less than ${formatNumber(SHORT_NS / 1e3)} µs for a cell, our ports judge. The program's time is of one call, with what the host does in it: CUDPP's builds allocate, copy and start again. Ours is of the GPU alone, and of lookups the mean of many in one pass.`,
  `An order of several is judged where the outcome is open: quotients beyond ${MUCH} are left out, unless all are.`,
  "A number of an accepted range agrees if it lies within, however far its interval reaches beyond. One that lies outside and whose interval reaches the range does not contradict it: it is undecided.",
  "A statement about all cells, series or steps is reproduced if all of them agree; in part, with their number, if most do; else it is not reproduced, or undecided if none differs.",
];
