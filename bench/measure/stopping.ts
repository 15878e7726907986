/**
 * When a cell has been sampled enough. It is *quiet* once the half-width of the range of its samples (statistics.ts) is no more than
 * the largest of
 *
 *   maxNoise · median      what was asked for;
 *   resolution / R         what the device's clock can tell apart in one pass, of which every one of the R operations that a
 *                          pass repeats has its share;
 *   RUN_SPREAD_NS / 2 / R  half of what two runs' medians differ by, whatever a pass does: a range that is narrower than
 *                          this promises what the next run does not keep.
 *
 * A cell that does not become quiet ends by the number of its samples or by its time. See {@link EVEN} for five that are enough, and
 * {@link forSettled} and {@link forLong} for three and two.
 */
import type { StopReason } from "../results/record.js";
import { summarise } from "./statistics.js";

export interface StoppingOptions {
  /** A cell becomes quiet after so many at the earliest. */
  readonly minSamples: number;
  /** Time ends a cell after so many at the earliest. Default: minSamples. */
  readonly fewestSamples?: number;
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
 * For runs of many passes that take `ns` together. Time ends them after half a second: of 32 cells on an H200 with runs of 9 to 50 ms, ten
 * samples to 45 in three seconds each, the median of the first ten was within 0.08 % of that of all in half of them, and within 0.5 % in nine of
 * ten.
 *
 * Those that take {@link MANY_NS} are of hundreds of passes, each run an average already: two are enough if they are even; else
 * quiet after five, whose range encloses the median with 94 %, and ended by time after three (75 %). Of 128 histories of
 * dycuckoo/fig11 and fig13 to fig15 on an H200 whose runs take 50 ms to 0.5 s, 92 began with two that differ by no more than 0.5 %, and the mean
 * of these was within 0.21 % of the median of all, which are three to five; so did 9 of the 11 of 30 to 50 ms, and were within 0.25 %. The others have
 * single runs that take up to 1.6 times as long: ten do not make these quiet either.
 *
 * Of those that take {@link ONE_NS} one is enough. Of 36 histories of the same figures whose runs take 0.5 to 6 s, three runs each, each of
 * the 108 was within 0.24 % of the median of its three; half of them within 0.01 %, nine of ten within 0.1 %. All were slab-hash's, which
 * resizes nothing. Of shorter ones single runs were up to 19 % off. One run has no range.
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
 * For such passes: three if they are even, the run that warmed up among them if it is even with the others. Of 433 cells on an H100 386 had such a
 * run within 0.5 % of the median of those after it, half of these within 0.02 %; the others took 0.9 % less to 5.3 % more. Of 1,440 cells of two H100s whose passes take 10 to 100 ms, five samples and more each, 1,377 began with
 * three that are even: the median of these was within 0.004 % of that of all in half of them, 0.26 % in 99 of 100, and 0.44 % in every one.
 */
export function forSettled(options: StoppingOptions): StoppingOptions {
  return { ...options, evenSamples: 3 };
}

/** From this time on a single pass on a GPU is long. */
export const LONG_PASS_NS = 1e8;

/**
 * For these: two if they are even, as above, else five, whose range encloses the median with 94 %, however the time that they
 * may take is over. Of the 63 cells of results/ whose passes take 0.1 to 4 s, five or ten samples each, 61 began with two that are even: the mean of
 * these was within 0.22 % of the median of all, in half of them within 0.04 %; no sample of any was more than 0.9 % off.
 */
export function forLong(options: StoppingOptions): StoppingOptions {
  const minSamples = Math.min(options.minSamples, 5);
  const fewestSamples = Math.min(options.fewestSamples ?? minSamples, minSamples);
  return { ...options, evenSamples: 2, minSamples, fewestSamples };
}

/**
 * Medians of one pass in several runs of equal code on an H200 lay 0.4 to 1 µs apart at 20 µs, and within 0.5 % (0.5 µs)
 * above 100 µs (bench/compare/README.md): it is the pass that varies from run to run, however little it does.
 */
export const RUN_SPREAD_NS = 500;

/**
 * Five passes of a millisecond and more are enough if all of them lie within maxNoise, twice as narrow as a range has to
 * be: their range encloses the median with 94 %. Of 942 such cells on an H100, ten samples and more each, 540 began so, and the
 * median of these five was within 0.02 % of that of all in half of them, 0.17 % in 99 of 100, and 0.36 % in every one.
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
  const { noise, median } = summarise(samples);
  return measuredMs >= minTimeMs && noise <= Math.max(maxNoise, smallestHalfWidth(pass) / median) ? "quiet" : null;
}
