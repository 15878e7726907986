import { expect, test } from "vitest";
import { uniform } from "../../datasets/rng.js";
import { intervalRank, summarise } from "./statistics.js";

test("the median and its interval do not depend on the order of the samples", () => {
  const samples = [5, 1, 4, 2, 3, 9, 8, 7, 6, 10];
  expect(summarise(samples)).toMatchObject({ median: 5.5, lo: 2, hi: 9, count: 10 });
  expect(summarise(samples.toReversed())).toEqual(summarise(samples));
});

// Tabulated ranks (from 1) of the 95 % interval: n = 6 gives 1 and 6, 10 gives 2 and 9, 20 gives 6 and 15, 50 gives 18 and 33.
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

test("the normal approximation carries on where the exact ranks end", () => {
  expect(Math.abs(intervalRank(201) - intervalRank(200))).toBeLessThanOrEqual(1);
});

test("the interval holds 95 % at every number of samples, and the next narrower one does not", () => {
  for (let n = 6; n <= 1000; n++) {
    const rank = intervalRank(n);
    expect(missed(n, rank), `n = ${n}`).toBeLessThanOrEqual(0.0501);
    // The approximation beyond 200 samples may be one rank on the safe side.
    expect(missed(n, rank + (n > 200 ? 2 : 1)), `n = ${n}`).toBeGreaterThan(0.05);
  }
});

/** 2 · P(B <= rank) for B binomial (n, 1/2), summed by logarithms. */
function missed(n: number, rank: number): number {
  let log = -n * Math.LN2;
  let sum = 0;
  for (let k = 0; k <= rank; k++) {
    sum += Math.exp(log);
    log += Math.log((n - k) / (k + 1));
  }
  return 2 * sum;
}

test.each([8, 15, 50, 300])("the interval of %i samples covers the median in 95 %% of trials or more", (n) => {
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
