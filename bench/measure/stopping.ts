/**
 * When a cell has been sampled enough. It is *quiet* once the half-width of the range of its samples (statistics.ts) is no more
 * than the largest of these:
 *
 * - maxNoise · median, which was asked for;
 * - resolution / R, what the device's clock can tell apart in one pass, of which every one of the R operations that a pass
 *   repeats has its share;
 * - RUN_SPREAD_NS / 2 / R, half of what two runs' medians differ by, whatever a pass does. A range that is narrower than
 *   this promises what the next run does not keep.
 *
 * A cell that does not become quiet ends by the number of its samples or by its time. See {@link EVEN} for five that are enough, and
 * {@link forSettled} and {@link forLong} for three and two.
 */
import type { StopReason } from "../results/record.js";
import { summariseTimes } from "./statistics.js";

export interface StoppingOptions {
  /** A cell becomes quiet after so many at the earliest. */
  readonly minSamples: number;
  /** Time ends a cell after so many at the earliest. Default: minSamples. */
  readonly fewestSamples?: number;
  /** The same of long passes: see {@link forLong}. */
  readonly fewestOfLong?: number;
  /** So many are enough, whatever they are. Default: no number is. */
  readonly enoughSamples?: number;
  /** So many runs of many passes are enough, whatever they are. Default: see {@link forMany}. */
  readonly enoughOfMany?: number;
  /** So many are enough if they are even: see {@link EVEN}, whose number is the default. */
  readonly evenSamples?: number;
  readonly maxSamples: number;
  /** Half-width of the range of the samples over the median. */
  readonly maxNoise: number;
  /** Time of all its passes together that a cell has at least, in ms. */
  readonly minTimeMs: number;
  /** Wall time after which a cell ends, in ms, resets included. */
  readonly maxTimeMs: number;
}

export const defaultStopping: StoppingOptions = {
  minSamples: 10,
  maxSamples: 150,
  maxNoise: 0.005,
  minTimeMs: 0,
  maxTimeMs: 3000,
};

/** From this time on a run of many passes is an average of hundreds. */
export const MANY_NS = 3e7;
/** From this time on one such run on a GPU is enough. */
export const ONE_NS = 5e8;
/** Wall time for the samples of runs of many passes, in ms. */
const MANY_MAX_MS = 500;

/**
 * For runs of many passes that take `ns` together. Time ends them after half a second.
 *
 * Those that take {@link MANY_NS} are of hundreds of passes, each run an average already. Two are enough if they are even. Else
 * they are quiet after five, whose range encloses the median with 94 %, and time ends them after three (75 %).
 *
 * Of those that take {@link ONE_NS} one is enough, which has no range (results/studies/sampling.md).
 * @param oneNs from which time on one is enough
 */
export function forMany(options: StoppingOptions, ns: number, oneNs = ONE_NS): StoppingOptions {
  const { minSamples, fewestSamples = minSamples, enoughOfMany: enough } = options;
  const maxTimeMs = Math.min(options.maxTimeMs, MANY_MAX_MS);
  if (enough) return { ...options, enoughSamples: enough, minSamples: enough, fewestSamples: enough, maxTimeMs };
  if (ns < MANY_NS) return { ...options, maxTimeMs };
  if (ns >= oneNs) return { ...options, enoughSamples: 1, minSamples: 1, fewestSamples: 1, maxTimeMs };
  return {
    ...options,
    evenSamples: 2,
    minSamples: Math.min(minSamples, 5),
    fewestSamples: Math.min(fewestSamples, 3),
    maxTimeMs,
  };
}

/** From this time on a single pass on a GPU notices neither what the caches held before it nor what the clocks were. */
export const SETTLED_PASS_NS = 1e7;

/**
 * For such passes: three if they are even, the run that warmed up among them if it is even with the others
 * (results/studies/sampling.md).
 */
export function forSettled(options: StoppingOptions): StoppingOptions {
  return { ...options, evenSamples: 3 };
}

/** From this time on a single pass on a GPU is long. */
export const LONG_PASS_NS = 1e8;

/**
 * For these: two if they are even, as above, else five, whose range encloses the median with 94 %, however the time that they
 * may take is over (results/studies/sampling.md).
 */
export function forLong(options: StoppingOptions): StoppingOptions {
  const minSamples = Math.min(options.minSamples, 5);
  const fewestSamples = Math.min(options.fewestOfLong ?? options.fewestSamples ?? minSamples, minSamples);
  return { ...options, evenSamples: 2, minSamples, fewestSamples };
}

/**
 * What medians of one pass differ by in several runs of equal code (results/studies/sampling.md): the pass varies from run to
 * run, however little it does.
 */
export const RUN_SPREAD_NS = 500;

/**
 * Five passes of a millisecond and more are enough if all of them lie within maxNoise, twice as narrow as a range has to
 * be: their range encloses the median with 94 % (results/studies/sampling.md).
 */
const EVEN = { samples: 5, ns: 1e6 } as const;
/** From this time on of a pass fewer samples than ten may be enough. */
export const EVEN_NS = EVEN.ns;

function even(samples: readonly number[], options: StoppingOptions, { repetitions }: TimedPass): boolean {
  const { minSamples, evenSamples = EVEN.samples } = options;
  if (samples.length < Math.min(evenSamples, minSamples)) return false;
  return Math.min(...samples) * repetitions >= EVEN.ns && alike(samples, options);
}

/** Whether all of them lie within maxNoise. */
export function alike(samples: readonly number[], { maxNoise }: Pick<StoppingOptions, "maxNoise">): boolean {
  return Math.max(...samples) <= (1 + maxNoise) * Math.min(...samples);
}

/** What one sample is made of. */
interface TimedPass {
  /** Operations that a pass repeats; a sample is its time over their number. */
  readonly repetitions: number;
  /** Smallest difference in ns that the clock shows. */
  readonly resolutionNs: number;
}

/** Half-width in ns below which more samples tell nothing new. */
export function smallestHalfWidth({ repetitions, resolutionNs }: TimedPass): number {
  return Math.max(resolutionNs, RUN_SPREAD_NS / 2) / repetitions;
}

/**
 * Why sampling ends now, or null if it goes on.
 * @param samples nanoseconds of one operation. @param elapsedMs wall time the cell has had.
 */
export function stopReason(
  samples: readonly number[],
  elapsedMs: number,
  options: StoppingOptions,
  pass: TimedPass = { repetitions: 1, resolutionNs: 0 },
): StopReason | null {
  const { minSamples, fewestSamples = minSamples, maxSamples, maxNoise, minTimeMs, maxTimeMs } = options;
  const { enoughSamples = Number.POSITIVE_INFINITY } = options;
  const measuredMs = (samples.reduce((sum, ns) => sum + ns, 0) * pass.repetitions) / 1e6;
  if (samples.length >= enoughSamples && measuredMs >= minTimeMs) return "long";
  if (samples.length >= maxSamples) return "samples";
  if (samples.length >= fewestSamples && elapsedMs >= maxTimeMs) return "time";
  if (samples.length < minSamples && !even(samples, options, pass)) return null;
  const { noise, median } = summariseTimes(samples);
  return measuredMs >= minTimeMs && noise <= Math.max(maxNoise, smallestHalfWidth(pass) / median) ? "quiet" : null;
}
