/** When a cell has been sampled enough. */
import { summarise } from "./statistics.js";

export interface StoppingOptions {
  readonly minSamples: number;
  readonly maxSamples: number;
  /** Half-width of the 95 % interval of the median over the median. */
  readonly maxNoise: number;
  /** Sum of the samples that a cell has at least, in ms. */
  readonly minTimeMs: number;
  /** Wall time after which a cell ends, in ms, resets included. */
  readonly maxTimeMs: number;
}

export const defaultStopping: StoppingOptions = {
  minSamples: 10,
  maxSamples: 1000,
  maxNoise: 0.005,
  minTimeMs: 0,
  maxTimeMs: 5000,
};

export type StopReason = "quiet" | "samples" | "time";

/**
 * Why sampling ends now, or null if it goes on. Time ends it only after `minSamples`, too: a slow cell gets ten samples.
 * @param samples nanoseconds. @param elapsedMs wall time the cell has had.
 */
export function stopReason(
  samples: readonly number[],
  elapsedMs: number,
  { minSamples, maxSamples, maxNoise, minTimeMs, maxTimeMs }: StoppingOptions,
): StopReason | null {
  if (samples.length >= maxSamples) return "samples";
  if (samples.length < minSamples) return null;
  if (elapsedMs >= maxTimeMs) return "time";
  const measuredMs = samples.reduce((sum, ns) => sum + ns, 0) / 1e6;
  return measuredMs >= minTimeMs && summarise(samples).noise <= maxNoise ? "quiet" : null;
}
