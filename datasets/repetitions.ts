/**
 * The data sets `tw`, `re`, `line` and `com`: stand-ins for DyCuckoo's (Li et al., section 6.1, Table 2), which are not public
 * or not said exactly enough. Pairs and different keys are the paper's; who repeats how often is our choice.
 *
 * Each key occurs once, and each of the repetitions is of a key drawn at random: the key of rank r (1 … unique) with a
 * probability in proportion to r^-skew, by a continuous power law. Both are spread over the stream at random.
 */
import { decimals, whole } from "../bench/base/format.js";
import { UsageError } from "../kernels/device/errors.js";
import type { KeySource, KeySourceOptions } from "./dataset.js";
import { KEY_SPACE, keyConstants, keyOfWith, keyRange } from "./random.js";
import { uniform } from "./rng.js";

/** A data set of the paper, and what we take for its repetitions. */
export interface Repetitions {
  readonly name: string;
  readonly title: string;
  readonly pairs: number;
  readonly unique: number;
  /** 0: all keys are as likely; below 1. */
  readonly skew: number;
}

export const REPETITIONS: readonly Repetitions[] = [
  { name: "tw", title: "a week of actions on Twitter", pairs: 50_876_784, unique: 44_523_684, skew: 0.75 },
  { name: "re", title: "Reddit's comments and posts of May 2015", pairs: 48_104_875, unique: 41_466_682, skew: 0.75 },
  { name: "line", title: "rows of TPC-H lineitem", pairs: 50_000_000, unique: 45_159_880, skew: 0 },
  { name: "com", title: "customers of Alibaba", pairs: 10_000_000, unique: 4_583_941, skew: 0.5 },
];

const CHUNK = 1 << 20;

/** Different keys among n pairs: the paper's number at the paper's n, in proportion at another. */
export function uniqueOf({ pairs, unique }: Repetitions, n: number): number {
  return Math.max(1, Math.round((n * unique) / pairs));
}

/** Share of the repetitions that the most frequent keys draw, by their share of all keys. */
export function shareOf({ skew }: Repetitions, keys: number): number {
  return keys ** (1 - skew);
}

/** What it stands in for, in words. */
export function describeRepetitions(set: Repetitions): string {
  const [pairs, unique] = [whole(set.pairs), whole(set.unique)];
  const top = decimals(100 * shareOf(set, 0.2), 0);
  return `${pairs} pairs of ${unique} keys, or in that proportion; the fifth of the keys that repeats most draws ${top} % of the repetitions`;
}

/** The data set. Throws a UsageError if n is more than the keys there are. */
export function repetitionKeys(set: Repetitions, { n, seed }: KeySourceOptions): KeySource {
  if (n > KEY_SPACE) throw new UsageError(`${set.name}: n = ${n} is more than the ${KEY_SPACE} keys there are`);
  const unique = uniqueOf(set, n);
  const constants = keyConstants(seed);
  const power = 1 / (1 - set.skew);
  return {
    id: set.name,
    n,
    note: `stand-in for ${set.title}: ${describeRepetitions(set)}`,
    unique: () => unique,
    async *chunks() {
      const draw = uniform(seed);
      let fresh = 0;
      for (let done = 0; done < n; done += CHUNK) {
        const keys = new Uint32Array(Math.min(CHUNK, n - done));
        for (let i = 0; i < keys.length; i++) {
          // Of the pairs that are left, as many bring a key's own pair as there are keys left: exactly `unique` do.
          const own = draw() * (n - done - i) < unique - fresh;
          keys[i] = keyOfWith(own ? fresh++ : Math.floor(unique * draw() ** power), constants);
        }
        yield keys;
      }
    },
    async absent(count) {
      return keyRange(unique, Math.max(0, Math.min(count, KEY_SPACE - unique)), constants);
    },
  };
}
