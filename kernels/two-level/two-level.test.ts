import { expect, test } from "vitest";
import { keyConstants, keyRange } from "../../datasets/random.js";
import { BUCKET_KEYS, BUCKET_SLOTS, bucketsFor, drawBuckets } from "./buckets.js";
import { bucketOf } from "./testing.js";
import { twoLevel } from "./two-level.js";

const FULLEST = twoLevel.maxLoadFactor;
const bound = (n: number, loadFactor: number) => Math.ceil(n / Math.round(loadFactor * BUCKET_SLOTS));

test("a full table has a bucket for every 409 keys, and 1.41 slots a key", () => {
  expect(bucketsFor(2 ** 25, FULLEST)).toBe(82041);
  expect((bucketsFor(2 ** 25, FULLEST) * BUCKET_SLOTS) / 2 ** 25).toBeCloseTo(1.408, 3);
  expect(bucketsFor(2 ** 25, 0.710069)).toBe(82041);
});

test("a lower load factor has fewer keys a bucket", () => {
  for (const loadFactor of [0.05, 0.2, 0.35, 0.5, 0.7]) {
    const n = 1_000_000;
    expect(n / (bucketsFor(n, loadFactor) * BUCKET_SLOTS) / loadFactor).toBeCloseTo(1, 1);
  }
});

test("there is an odd number of buckets, one more than needed at most", () => {
  for (const n of [0, 1, 409, 410, 818, 819, 5000, 123_456]) {
    const buckets = bucketsFor(n, FULLEST);
    expect(buckets % 2).toBe(1);
    expect(buckets - Math.max(1, bound(n, FULLEST))).toBeLessThanOrEqual(1);
  }
});

/** Pairs of the largest bucket. */
function largest(keys: Iterable<number>, n: number, attempt: number): number {
  const buckets = bucketsFor(n, FULLEST);
  const drawn = drawBuckets(7, attempt);
  const counts = new Uint32Array(buckets);
  for (const key of keys) {
    const bucket = bucketOf(key, drawn, buckets);
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return counts.reduce((most, count) => Math.max(most, count));
}

test("buckets of random keys, of consecutive ones and of multiples hold at most 512", () => {
  const n = 200_000;
  for (let attempt = 0; attempt < 5; attempt++) {
    expect(largest(keyRange(0, n, keyConstants(3)), n, attempt)).toBeLessThanOrEqual(BUCKET_KEYS);
    for (const step of [1, 3, 64, 409, 4096]) {
      const keys = Uint32Array.from({ length: n }, (_, i) => i * step);
      expect(largest(keys, n, attempt), `multiples of ${step}`).toBeLessThanOrEqual(BUCKET_KEYS);
    }
  }
});
