import { expect, test } from "vitest";
import { wilson } from "./proportion.js";

test("the interval is Wilson's", () => {
  // R: prop.test(6, 1000, correct = FALSE)$conf.int
  const { value, lo, hi } = wilson(6, 1000);
  expect(value).toBe(0.006);
  expect(lo).toBeCloseTo(0.002753, 5);
  expect(hi).toBeCloseTo(0.013026, 5);
});

test("its ends solve |p - share| = z sqrt(p (1 - p) / trials)", () => {
  for (const [successes, trials] of [
    [1, 10],
    [37, 90],
    [99, 100],
  ] as const) {
    const { value, lo, hi } = wilson(successes, trials);
    for (const p of [lo, hi]) expect(Math.abs(p - value) / Math.sqrt((p * (1 - p)) / trials)).toBeCloseTo(1.959964, 6);
  }
});

test("no success in 1000 trials still leaves up to 0.4 %, and no failure is its mirror", () => {
  const { lo, hi } = wilson(0, 1000);
  expect(lo).toBe(0);
  expect(hi).toBeCloseTo(0.00383, 5);
  expect(wilson(1000, 1000).lo).toBeCloseTo(1 - hi, 12);
  expect(wilson(1000, 1000).hi).toBe(1);
});

test("a share of nothing is an error", () => {
  expect(() => wilson(0, 0)).toThrow(RangeError);
});
