/**
 * The data set `zipf:<s>`: n draws with replacement from a universe of n keys, in which the key of rank k (1 … n) has a
 * probability in proportion to k^-s. Exponent 0 is the uniform distribution.
 */
import { UsageError } from "../kernels/device/errors.js";
import type { KeySource, KeySourceOptions } from "./dataset.js";
import { KEY_SPACE, keyConstants, keyOfWith, keyRange } from "./random.js";
import { type Uniform, uniform } from "./rng.js";

const CHUNK = 1 << 20;

/** `zipf:1.1` → 1.1. Throws a UsageError for what is not a number >= 0. */
export function parseExponent(text: string): number {
  const s = Number(text);
  if (text.trim() === "" || !Number.isFinite(s) || s < 0) {
    throw new UsageError(`zipf: the exponent "${text}" is not a number >= 0; write for example zipf:1.1`);
  }
  return s;
}

/** The data set. The key of rank k is `keyOf(k - 1, seed)`, so that frequent keys are no neighbours. */
export function zipfKeys(s: number, { n, seed }: KeySourceOptions): KeySource {
  if (n > KEY_SPACE) throw new UsageError(`zipf: n = ${n} is more than the ${KEY_SPACE} keys there are`);
  const constants = keyConstants(seed);
  let unique = 0;
  return {
    id: `zipf:${s}`,
    n,
    note: `${n} draws with replacement from ${n} keys, exponent ${s}`,
    unique: () => unique,
    async *chunks() {
      unique = 0;
      const rank = zipfSampler(n, s, uniform(seed));
      const seen = new Int32Array(Math.ceil(n / 32));
      for (let done = 0; done < n; done += CHUNK) {
        const keys = new Uint32Array(Math.min(CHUNK, n - done));
        for (let i = 0; i < keys.length; i++) {
          const index = rank() - 1;
          keys[i] = keyOfWith(index, constants);
          const word = seen[index >>> 5]!;
          const bit = 1 << (index & 31);
          if ((word & bit) === 0) unique++;
          seen[index >>> 5] = word | bit;
        }
        yield keys;
      }
    },
    async absent(count) {
      return keyRange(n, Math.max(0, Math.min(count, KEY_SPACE - n)), constants);
    },
  };
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
