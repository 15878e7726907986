/**
 * The data set `zipf:<s>`: n draws with replacement from a universe of n keys, in which the key of rank k (1 … n) has a
 * probability in proportion to k^-s. Exponent 0 is the uniform distribution.
 */
import { UsageError } from "../kernels/device/errors.js";
import { generateBlocks, type PoolOptions, poolFor } from "./blocks/pool.js";
import type { KeySource, KeySourceOptions } from "./dataset.js";
import { KEY_SPACE, keyConstants, keyOfWith, keyRange } from "./random.js";
import type { RankBlock } from "./zipf-ranks.js";

const BLOCK = 1 << 20;

export interface ZipfOptions extends KeySourceOptions {
  /** For tests; default: threads for large n where the compiled worker exists. */
  readonly pool?: PoolOptions;
}

/** `zipf:1.1` → 1.1. Throws a UsageError for what is not a number >= 0. */
export function parseExponent(text: string): number {
  const s = Number(text);
  if (text.trim() === "" || !Number.isFinite(s) || s < 0) {
    throw new UsageError(`zipf: the exponent "${text}" is not a number >= 0; write for example zipf:1.1`);
  }
  return s;
}

/** The data set. The key of rank k is `keyOf(k - 1, seed)`, so that frequent keys are not next to each other. */
export function zipfKeys(s: number, { n, seed, pool = poolFor(n) }: ZipfOptions): KeySource {
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
      const seen = new Int32Array(Math.ceil(n / 32));
      for await (const keys of generateBlocks("zipf", rankBlocks(n, s, seed), pool)) {
        for (let i = 0; i < keys.length; i++) {
          const index = keys[i]!;
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

function* rankBlocks(n: number, exponent: number, seed: number): Generator<RankBlock> {
  for (let block = 0; block * BLOCK < n; block++) {
    yield { n, exponent, seed, block, draws: Math.min(BLOCK, n - block * BLOCK) };
  }
}
