/** Statistics of timings: no assumption about their distribution, which is skewed and has outliers. */
import { median as medianOf, medianSorted } from "simple-statistics";

export interface Summary {
  readonly median: number;
  /** Ends of the range of the samples: of six and more a 95 % interval of the median, if they are independent. */
  readonly lo: number;
  readonly hi: number;
  readonly count: number;
  /** Half-width of the range over the median. */
  readonly noise: number;
}

const COVERAGE = 0.95;
/**
 * Samples whose first third and last third have medians that differ by more are not of one distribution: the clocks fell, or something else
 * worked beside (results/studies/sampling.md, Clocks).
 */
export const DRIFT = 1.1;
const FEWEST_OF_DRIFT = 9;

/**
 * Median and range by order statistics. The number of independent samples below the median is binomial (n, 1/2), so the k-th
 * smallest and k-th largest sample enclose it with probability 1 − 2·P(B < k) (H. A. David, H. N. Nagaraja, Order Statistics,
 * 2003, 7.1). The range is the narrowest that reaches 95 %. For n < 6 none does: it is [min, max], which covers with
 * 1 − 2^(1−n) only, and is no interval. Intervals of rows are made in intervals.ts. Throws a RangeError on an empty list.
 */
export function summarise(samples: readonly number[]): Summary {
  const count = samples.length;
  if (count === 0) throw new RangeError("no samples");
  const sorted = Float64Array.from(samples).sort();
  const at = intervalRank(count);
  const median = medianSorted(sorted as unknown as number[]);
  const lo = sorted[at] ?? median;
  const hi = sorted[count - 1 - at] ?? median;
  return { median, lo, hi, count, noise: (hi - lo) / 2 / median };
}

/** Of times in the order in which they were measured: the medians of the first third and the last, where these drift; none else. */
export function driftOf(samples: readonly number[]): number[] {
  if (samples.length < FEWEST_OF_DRIFT) return [];
  const third = Math.floor(samples.length / 3);
  const medians = [samples.slice(0, third), samples.slice(-third)].map(medianOf);
  return Math.max(...medians) > DRIFT * Math.min(...medians) ? medians : [];
}

/** Of times in the order in which they were measured: the range reaches from where they drift to where they have drifted. */
export function summariseTimes(samples: readonly number[]): Summary {
  const summary = summarise(samples);
  const drift = driftOf(samples);
  if (drift.length === 0) return summary;
  const [lo, hi] = [Math.min(summary.lo, ...drift), Math.max(summary.hi, ...drift)];
  return { ...summary, lo, hi, noise: (hi - lo) / 2 / summary.median };
}

/**
 * The largest 0-based rank r for which the samples of ranks r and n − 1 − r enclose the median with at least 95 %; 0 where no
 * rank does. Exact for every n: the binomial terms are carried as logarithms, because 2^−n leaves the range of doubles.
 */
export function intervalRank(n: number): number {
  const tail = (1 - COVERAGE) / 2;
  let term = -n * Math.LN2;
  // below = P(B <= rank): with ranks rank and n-1-rank the interval misses with 2·P(B <= rank).
  let below = Math.exp(term);
  for (let rank = 0; ; rank++) {
    term += Math.log((n - rank) / (rank + 1));
    below += Math.exp(term);
    if (below > tail) return rank;
  }
}
