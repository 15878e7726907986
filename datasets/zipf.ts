/**
 * The data set `zipf:<s>`: n draws with replacement from a universe of n keys, in which the key of rank k (1 … n) has a
 * probability in proportion to k^-s. Exponent 0 is the uniform distribution.
 */
import { UsageError } from "../kernels/device/errors.js";
import { generateBlocks, type PoolOptions, poolFor } from "./blocks/pool.js";
import type { KeySource, KeySourceOptions } from "./dataset.js";
import { KEY_SPACE, keyConstants, keyRange } from "./random.js";
import { noneSeen, type ZipfBlock } from "./zipf-ranks.js";

const BLOCK = 1 << 20;
/** They look for duplicates themselves. */
const MAX_THREADS = 16;

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
export function zipfKeys(s: number, { n, seed, pool = poolFor(n, MAX_THREADS) }: ZipfOptions): KeySource {
  if (n > KEY_SPACE) throw new UsageError(`zipf: n = ${n} is more than the ${KEY_SPACE} keys there are`);
  const constants = keyConstants(seed);
  let unique = 0;
  return {
    id: `zipf:${s}`,
    n,
    note: `${n} draws with replacement from ${n} keys, exponent ${s}`,
    unique: () => unique,
    async *chunks() {
      const seen = noneSeen(n);
      yield* generateBlocks("zipf", zipfBlocks({ n, exponent: s, seed, seen }), pool);
      unique = seen.at(-1) ?? 0;
    },
    async absent(count) {
      return keyRange(n, Math.max(0, Math.min(count, KEY_SPACE - n)), constants);
    },
  };
}

function* zipfBlocks(of: Omit<ZipfBlock, "block" | "draws">): Generator<ZipfBlock> {
  for (let block = 0; block * BLOCK < of.n; block++) {
    yield { ...of, block, draws: Math.min(BLOCK, of.n - block * BLOCK) };
  }
}
