import { expect, test } from "vitest";
import { uniform } from "../../datasets/rng.js";
import { intervalRank, summarise, summariseTimes } from "./statistics.js";

test("the median and the range do not depend on the order of the samples", () => {
  const samples = [5, 1, 4, 2, 3, 9, 8, 7, 6, 10];
  expect(summarise(samples)).toMatchObject({ median: 5.5, lo: 2, hi: 9, count: 10 });
  expect(summarise(samples.toReversed())).toEqual(summarise(samples));
});

// Tabulated ranks (from 1) of the 95 % range: n = 6 gives 1 and 6, 10 gives 2 and 9, 20 gives 6 and 15, 50 gives 18 and 33.
test.each([
  [1, 0],
  [5, 0],
  [6, 0],
  [8, 0],
  [9, 1],
  [10, 1],
  [20, 5],
  [50, 17],
])("of %i samples, %i are cut off at each end", (n, rank) => {
  expect(intervalRank(n)).toBe(rank);
});

test("from six samples on the range holds 95 % at every number of samples, and the next narrower one does not", () => {
  for (let n = 6; n <= 1000; n++) {
    const rank = intervalRank(n);
    expect(missed(n, rank), `n = ${n}`).toBeLessThanOrEqual(0.05);
    expect(missed(n, rank + 1), `n = ${n}`).toBeGreaterThan(0.05);
  }
});

/** 2 · P(B <= rank) for B binomial (n, 1/2), from whole numbers: Σ C(n, k) / 2^n. */
function missed(n: number, rank: number): number {
  let ways = 1n;
  let sum = 0n;
  for (let k = 0; k <= rank; k++) {
    sum += ways;
    ways = (ways * BigInt(n - k)) / BigInt(k + 1);
  }
  return (2 * Number((sum << 60n) >> BigInt(n))) / 2 ** 60;
}

test("ten thousand samples have ranks, too", () => {
  // Normal approximation: n/2 − 0.98·√n.
  expect(Math.abs(intervalRank(10_000) - (5000 - 98))).toBeLessThanOrEqual(1);
});

test.each([8, 15, 50, 300])("the range of %i samples covers the median in 95 %% of trials or more", (n) => {
  const draw = uniform(n);
  // A skewed distribution with outliers, as timings have: exponential, median ln 2.
  const trials = 2000;
  let covered = 0;
  for (let trial = 0; trial < trials; trial++) {
    const { lo, hi } = summarise(Array.from({ length: n }, () => -Math.log(1 - draw())));
    if (lo <= Math.LN2 && Math.LN2 <= hi) covered++;
  }
  expect(covered / trials).toBeGreaterThan(0.935);
});

test("noise is the half-width over the median", () => {
  const { noise, lo, hi, median } = summarise([9, 10, 10, 10, 10, 10, 10, 10, 11, 10]);
  expect(noise).toBe((hi - lo) / 2 / median);
});

test("no samples have no median", () => {
  expect(() => summarise([])).toThrow(RangeError);
});

test("times that drift have a range from how they began to how they ended, whichever most of them are", () => {
  const times = Array.from({ length: 150 }, (_, i) => (i < 50 ? 36 : 86) + (i % 5) / 10);
  expect(summarise(times)).toMatchObject({ lo: 86, median: 86.1 });
  expect(summariseTimes(times)).toMatchObject({ lo: 36.2, median: 86.1, hi: 86.2 });
  expect(summariseTimes(times.toReversed())).toMatchObject({ lo: 36.2, hi: 86.2 });
  expect(summariseTimes(times).noise).toBeCloseTo((86.2 - 36.2) / 2 / 86.1, 6);
});

test("times that go up and down, or are few, have the range of their median", () => {
  const times = Array.from({ length: 150 }, (_, i) => 36 + 3 * Math.sin(i));
  expect(summariseTimes(times)).toEqual(summarise(times));
  const few = [36, 36, 36, 36, 86, 86, 86, 86];
  expect(summariseTimes(few)).toEqual(summarise(few));
});
