/** Keys whose ranks follow Zipf's law, drawn block by block: each block's draws are a stream of their own. */
import { keyConstants, keyOfWith } from "./random.js";
import { type Uniform, uniform } from "./rng.js";

/** Some of the draws of a data set, as it is sent to worker threads. */
export interface ZipfBlock {
  /** Of the data set. */
  readonly n: number;
  readonly exponent: number;
  readonly seed: number;
  /** Number of the block, from 0; and its draws. */
  readonly block: number;
  readonly draws: number;
  /** Shared by all blocks: a bit for each rank that was drawn, and in the last word how many these are. */
  readonly seen: Int32Array;
}

/** The words of `seen` for ranks 1 … n, none drawn. */
export function noneSeen(n: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4 * (Math.ceil(n / 32) + 1)));
}

/** The key of rank k is `keyOf(k - 1, seed)`. The first block's stream is the seed's own. */
export function zipfBlock({ n, exponent, seed, block, draws, seen }: ZipfBlock): Uint32Array {
  const rank = zipfSampler(n, exponent, uniform((seed + Math.imul(block, 0x9e3779b9)) >>> 0));
  const constants = keyConstants(seed);
  const keys = new Uint32Array(draws);
  let fresh = 0;
  for (let i = 0; i < draws; i++) {
    const index = rank() - 1;
    const bit = 1 << (index & 31);
    // Most draws of skewed ranks were seen before, which a read tells.
    if ((seen[index >>> 5]! & bit) === 0 && (Atomics.or(seen, index >>> 5, bit) & bit) === 0) fresh++;
    keys[i] = keyOfWith(index, constants);
  }
  Atomics.add(seen, seen.length - 1, fresh);
  return keys;
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
