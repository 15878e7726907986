/** Whether a cell became slower, or its counters worse. Pure; what the numbers mean is in README.md beside this file. */
import { median, quantile } from "simple-statistics";
import { DRIFT, driftOf } from "../measure/statistics.js";
import { RUN_SPREAD_NS } from "../measure/stopping.js";
import type { Gate } from "../results/metrics.js";
import { rankSumP } from "./rank-sum.js";
import { singleP, welchP } from "./welch.js";

/** What a verdict on times calls them. */
export const TIME = "time";

/**
 * With fewer samples on a side a rank test cannot decide: of five and five the least probability is 1/252, before any
 * correction.
 */
const RANKED = 8;
/**
 * Standard deviation, relative, that is taken of runs of a cell that has one sample: histories of half a second and more
 * (results/studies/sampling.md).
 */
const SINGLE = 0.005;

/**
 * Medians of equal passes differ by up to so many ns from run to run, however short the passes are (README.md): what one run a side does
 * not show.
 */
const BETWEEN_RUNS_NS = 2 * RUN_SPREAD_NS;

/** What a comparison may say of a time or a counter. `noisy`: too noisy to see a change of the threshold. */
export type Decision = "worse" | "better" | "same" | "noisy";

export interface TimeEvidence {
  /** Medians over the runs' medians, in ns. */
  readonly before: number;
  readonly after: number;
  /** after / before − 1: above 0 is slower. */
  readonly change: number;
  /**
   * Spread that equal code shows: the larger of both sides' interquartile range, of what their samples drift by, and of the spread of their runs' medians. Of a side that
   * has one run, at least what runs are known to differ by.
   */
  readonly noise: number;
  /** Of the hypotheses "not slower (faster) by more than half the threshold". */
  readonly pSlower: number;
  readonly pFaster: number;
}

/** Samples of a cell by run, in ns. */
type Runs = readonly (readonly number[])[];

/**
 * @param threshold slow-down that must not be missed, such as 0.05. A slow-down of half of it or less counts as none, so that neither
 *   an equal time nor one at the threshold stands at the edge of the decision.
 * @param repetitions operations of a timed pass, of which a sample is one
 */
export function weighTimes(before: Runs, after: Runs, threshold: number, repetitions = 1): TimeEvidence {
  const half = threshold / 2;
  const [a, b] = [before.flat(), after.flat()];
  const [from, to] = [centre(before), centre(after)];
  return {
    before: from,
    after: to,
    change: to / from - 1,
    noise: Math.max(...[before, after].map((runs) => Math.max(spread(runs), unseen(runs, repetitions)))),
    pSlower: largerP(a, b, 1 + half),
    pFaster: largerP(b, a, 1 + half),
  };
}

/** Of the hypothesis that `b` is no larger than `a` times `factor`. */
function largerP(a: readonly number[], b: readonly number[], factor: number): number {
  const fewest = Math.min(a.length, b.length);
  if (fewest === 1) return singleP(a, b, factor, SINGLE);
  if (fewest < RANKED) return welchP(a, b, factor);
  return rankSumP(
    a.map((ns) => ns * factor),
    b,
  );
}

/** The decision, with p already corrected for the number of cells. */
export function decideTime(
  { change, noise }: TimeEvidence,
  pSlower: number,
  pFaster: number,
  { threshold, alpha }: { readonly threshold: number; readonly alpha: number },
): Decision {
  const effect = Math.max(threshold / 2, noise);
  if (change > effect && pSlower < alpha) return "worse";
  // As factors, so that a change and its reverse are judged alike.
  if (1 / (1 + change) - 1 > effect && pFaster < alpha) return "better";
  return noise > threshold ? "noisy" : "same";
}

function centre(runs: Runs): number {
  return median(runs.map((samples) => median([...samples])));
}

/** What runs may differ by, relative, of which there is one. */
function unseen(runs: Runs, repetitions: number): number {
  return runs.length > 1 ? 0 : BETWEEN_RUNS_NS / repetitions / centre(runs);
}

function spread(runs: Runs): number {
  const medians = runs.map((samples) => median([...samples]));
  const between = Math.max(...medians) / Math.min(...medians) - 1;
  const within = runs.map((samples) => {
    if (samples.length === 1) return SINGLE;
    const [low = 0, high = 0] = quantile([...samples], [0.25, 0.75]);
    const drift = driftOf(samples);
    // As a factor, and more than it: a third's median is not where the drift began or ended.
    const drifted = drift.length > 0 ? (DRIFT * Math.max(...drift)) / Math.min(...drift) - 1 : 0;
    return Math.max((high - low) / median([...samples]), drifted);
  });
  return Math.max(between, median(within));
}

/** Holm's correction: p-values in the given order, each multiplied by the number of hypotheses not rejected before it. */
export function holm(ps: readonly number[]): number[] {
  const order = ps.map((_, i) => i).sort((i, j) => (ps[i] ?? 1) - (ps[j] ?? 1));
  const corrected = new Array<number>(ps.length).fill(1);
  let largest = 0;
  order.forEach((index, rank) => {
    largest = Math.max(largest, Math.min(1, (ps[index] ?? 1) * (ps.length - rank)));
    corrected[index] = largest;
  });
  return corrected;
}

/** Relative difference of counters that does not count as a change, however many operations there were. */
const COUNTER_TOLERANCE = 0.01;

/**
 * Decides a counter of n operations by the medians over runs; the runs' own spread widens the tolerance.
 * @param gate the counter's, of the list of metrics
 */
export function decideCounter(
  gate: Gate,
  n: number,
  before: readonly number[],
  after: readonly number[],
): { readonly decision: Decision; readonly before: number; readonly after: number; readonly change: number } {
  const [from, to] = [median([...before]), median([...after])];
  const scale = Math.max(Math.abs(from), Math.abs(to));
  const range = (values: readonly number[]) => Math.max(...values) - Math.min(...values);
  const tolerance =
    (COUNTER_TOLERANCE + gate.race / Math.sqrt(Math.max(1, n))) * scale + Math.max(range(before), range(after));
  const change = to === from ? 0 : (to - from) / Math.abs(from || to);
  if (Math.abs(to - from) <= tolerance) return { decision: "same", before: from, after: to, change };
  const worse = to > from === (gate.worse === "more");
  return { decision: worse ? "worse" : "better", before: from, after: to, change };
}
