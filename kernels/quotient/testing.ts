/** For the tests of the folder: the hashes of layout.wgsl on the host, backwards too, and a table of them. */
import { keyOf } from "../../datasets/random.js";
import type { LAYOUTS } from "./quotient.js";

type Layout = (typeof LAYOUTS)[number];

/** Of the tables of a harness. */
export const SEED = 12345;

const HASH_BITS: Readonly<Record<number, number>> = { 6: 2, 5: 3, 4: 5 };

const mix = (x: number, [a, f, b, g, c]: readonly [number, number, number, number, number]): number => {
  x = Math.imul(x ^ (x >>> a), f);
  x = Math.imul(x ^ (x >>> b), g);
  return (x ^ (x >>> c)) >>> 0;
};
const mix32 = (x: number) => mix(x, [16, 0x85ebca6b, 13, 0xc2b2ae35, 16]);
export const mix32b = (x: number) => mix(x, [16, 0x7feb352d, 15, 0x846ca68b, 16]);

/** Bucket and remainder of each of the key's hashes. Exact up to 2^21 buckets, as doubles are. */
function placesOf({ pairs, remainderBits }: Layout, key: number, seed: number, buckets: number) {
  const first = mix32(key ^ seed);
  const hashes = [first, first];
  while (hashes.length < 2 ** (HASH_BITS[pairs] ?? 0)) hashes.push(mix32b((hashes.at(-1) ?? 0) + 0x9e3779b9));
  return hashes.map((hash, number) => {
    const bucket = Math.floor((hash * buckets) / 2 ** 32);
    const remainder = ((hash * buckets) >>> 0) >>> (32 - remainderBits);
    return { bucket: number === 1 ? bucket ^ 1 : bucket, remainder };
  });
}

/** Keys no two of which have a bucket and a remainder in common by hashes of one number. */
export function distinctKeys(layout: Layout, buckets: number, count: number, seed = SEED): number[] {
  const taken = new Set<string>();
  const keys: number[] = [];
  for (let i = 0; keys.length < count; i++) {
    const key = keyOf(i, 5);
    const places = placesOf(layout, key, seed, buckets).map(
      ({ bucket, remainder }, number) => `${number} ${bucket} ${remainder}`,
    );
    if (places.some((place) => taken.has(place))) continue;
    for (const place of places) taken.add(place);
    keys.push(key);
  }
  return keys;
}

/** Inserts one key after another; it says how many buckets searches look at, and how many marks were cleared. */
export class Simulated {
  cleared = 0;
  /** Pairs by tag word, and cleared marks by tag word and mark. */
  private readonly pairs = new Map<number, number>();
  private readonly passed = new Set<number>();
  private readonly where = new Map<number, number>();

  constructor(
    private readonly layout: Layout,
    private readonly buckets: number,
    private readonly seed: number,
  ) {}

  insert(key: number): void {
    for (const [number, words] of this.places(key).entries()) {
      for (const { word, room, mark } of words) {
        const pairs = this.pairs.get(word) ?? 0;
        if (pairs < room) {
          this.pairs.set(word, pairs + 1);
          this.where.set(key, number);
          return;
        }
        if (!this.passed.has(mark)) this.cleared++;
        this.passed.add(mark);
      }
    }
  }

  /** Pairs that their first so many buckets have no room for. */
  beyond(buckets: number): number {
    return [...this.where.values()].filter((number) => number >= buckets).length;
  }

  /** Buckets a search, on average. */
  probes(keys: readonly number[]): number {
    const sum = keys.reduce((all, key) => all + this.probesOf(key), 0);
    return sum / keys.length;
  }

  private probesOf(key: number): number {
    const places = this.places(key);
    const end = places.findIndex((words) => words.some(({ mark }) => !this.passed.has(mark)));
    return 1 + Math.min(this.where.get(key) ?? places.length - 1, end < 0 ? places.length - 1 : end);
  }

  /** Tag words of the buckets, in the key's order. */
  private places(key: number) {
    const { pairs, remainderBits } = this.layout;
    const words = 8 - pairs;
    const tags = Math.ceil(pairs / words);
    return placesOf(this.layout, key, this.seed, this.buckets).flatMap(({ bucket, remainder }, number, { length }) => {
      if (number === length - 1 && remainder === 2 ** remainderBits - 1) return [];
      const start = pairs % tags === 0 ? remainder % words : Math.floor((remainder % pairs) / tags);
      return [
        Array.from({ length: words }, (_, i) => {
          const part = (start + i) % words;
          const word = 8 * bucket + part;
          const mark = 2 * word + (remainder >>> (remainderBits - 1));
          return { word, room: Math.min(tags, pairs - part * tags), mark };
        }),
      ];
    });
  }
}
