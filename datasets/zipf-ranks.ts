/** Ranks by Zipf's law, drawn block by block: each block's draws are a stream of their own. */
import { type Uniform, uniform } from "./rng.js";

/** Some of the draws of a data set. Plain data, as it is sent to worker threads. */
export interface RankBlock {
  /** Of the data set. */
  readonly n: number;
  readonly exponent: number;
  readonly seed: number;
  /** Number of the block, from 0; and its draws. */
  readonly block: number;
  readonly draws: number;
}

/** Ranks from 0. The first block's stream is the seed's own. */
export function blockRanks({ n, exponent, seed, block, draws }: RankBlock): Uint32Array {
  const rank = zipfSampler(n, exponent, uniform((seed + Math.imul(block, 0x9e3779b9)) >>> 0));
  const ranks = new Uint32Array(draws);
  for (let i = 0; i < draws; i++) ranks[i] = rank() - 1;
  return ranks;
}

/**
 * Draws ranks 1 … n with probability proportional to rank^-s, exactly up to double rounding, in constant time and space:
 * rejection-inversion, W. Hörmann and G. Derflinger, "Rejection-inversion to generate variates from monotone discrete
 * distributions", ACM TOMACS 6(3), 1996. H is an antiderivative of the hat h(x) = x^-s; a point drawn uniformly from its
 * area is turned into a rank by H's inverse and rejected where the hat exceeds the histogram (for Zipf, seldom).
 */
export function zipfSampler(n: number, s: number, draw: Uniform): () => number {
  const h = (x: number) => Math.exp(-s * Math.log(x));
  const H = (x: number) => {
    const log = Math.log(x);
    return ratio(Math.expm1, (1 - s) * log) * log;
  };
  const inverse = (y: number) => Math.exp(ratio(Math.log1p, Math.max(-1, (1 - s) * y)) * y);

  const low = H(1.5) - 1;
  const high = H(n + 0.5);
  /** Ranks whose distance to the drawn point is at most this lie below the histogram for sure. */
  const surely = 2 - inverse(H(2.5) - h(2));
  return () => {
    for (;;) {
      const y = high + draw() * (low - high);
      const x = inverse(y);
      const rank = Math.min(n, Math.max(1, Math.round(x)));
      if (rank - x <= surely || y >= H(rank + 0.5) - h(rank)) return rank;
    }
  };
}

/** f(t) / t for f = expm1 or log1p, whose limit at 0 is 1: makes the formulas hold at s = 1, where H is the logarithm. */
function ratio(f: (t: number) => number, t: number): number {
  return Math.abs(t) > 1e-12 ? f(t) / t : 1;
}
