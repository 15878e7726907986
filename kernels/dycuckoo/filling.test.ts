import { expect, test } from "vitest";
import { BUCKET, fixedBuckets, largest, pairsOf, resizableBuckets, sharesOf, slotsOf, smallest } from "./filling.js";

test.each([2, 3, 4, 6])("%d sub-tables that can be resized hold n pairs, with a few per cent to spare", (d) => {
  for (const n of [0, 1, 100, 5000, 77_777, 1_000_000, 50_000_000]) {
    const buckets = resizableBuckets(n, 0.85, d);
    expect(slotsOf(buckets)).toBeGreaterThanOrEqual(n / 0.85);
    if (n >= 77_777) expect(n / slotsOf(buckets)).toBeGreaterThan(0.85 * 0.93);
    expect(Math.max(...buckets)).toBeLessThanOrEqual(2 * Math.min(...buckets));
    const base = Math.min(...buckets);
    expect(buckets.every((one) => one === base || one === 2 * base)).toBe(true);
  }
});

test("of a fixed size there are as many buckets as the filled factor says", () => {
  expect(fixedBuckets(1, 0.8, 4)).toEqual([1, 1, 1, 1]);
  expect(fixedBuckets(1000 * BUCKET, 1, 3)).toEqual([334, 333, 333]);
});

test("doubling the smallest and halving the largest keep all within a factor of two, and one undoes the other", () => {
  const buckets = [3, 3, 3, 3];
  const seen: string[] = [];
  for (let step = 0; step < 12; step++) {
    seen.push(buckets.join());
    const i = smallest(buckets);
    buckets[i] = 2 * (buckets[i] ?? 0);
    expect(Math.max(...buckets)).toBeLessThanOrEqual(2 * Math.min(...buckets));
  }
  while (seen.length > 0) {
    const i = largest(buckets);
    buckets[i] = (buckets[i] ?? 0) / 2;
    expect(buckets.join()).toBe(seen.pop());
  }
});

test("of d sub-tables there are C(d, 2) pairs, those of fewer first", () => {
  expect(pairsOf(2)).toEqual([[0, 1]]);
  expect(pairsOf(8)).toHaveLength(28);
  expect(pairsOf(4).slice(0, 3)).toEqual(pairsOf(3));
});

test("pairs are distributed by n / C(m, 2)", () => {
  expect(sharesOf([8, 8], [100, 100], 0)).toEqual([32768]);
  expect(sharesOf([8, 8], [0, 0], 1_000_000)).toEqual([32768]);
  // Twice the size, as many pairs: twice the probability. Twice the pairs: a quarter, about.
  expect(sharesOf([16, 8], [100, 100], 0)[0]).toBeCloseTo((2 / 3) * 65536, -1);
  expect((sharesOf([8, 8], [2000, 1000], 0)[0] ?? 0) / 65536).toBeCloseTo(0.2, 3);
  // Of 3 and of 6 pairs 3 and 15 can be chosen.
  expect(sharesOf([8, 8], [3, 6], 0)[0]).toBe(Math.round((5 / 6) * 65536));
  // Into empty ones: m grows by n / m^2, so that in the end it is in proportion to the cube root of n.
  expect((sharesOf([16, 8], [0, 0], 1_000_000)[0] ?? 0) / 65536).toBeCloseTo(2 ** (1 / 3) / (1 + 2 ** (1 / 3)), 2);
});
