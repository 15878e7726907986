import { expect, test } from "vitest";
import { slicesOf } from "./batch.js";

test.each([
  [3001, 1000],
  [100, 1000],
  [512, 1024],
  [513, 1024],
  [1, 2],
])("%i insertions and as many retrievals in slices of %i fill the batch without a gap", (n, slice) => {
  const plan = slicesOf(n, slice);
  let next = 0;
  for (const { first, count } of plan.mixed()) {
    expect(first).toBe(next);
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(2 * plan.half);
    next += count;
  }
  expect(next).toBe(2 * n);
});

test("a slice's halves are whole groups of 32 operations, as near to what was asked for as can be", () => {
  expect(slicesOf(10 ** 6, 100_000).half).toBe(50_016);
  expect(slicesOf(10 ** 6, 2).half).toBe(32);
});

test("the first slice has insertions only, and the last one retrievals only", () => {
  expect(slicesOf(100, 128).mixed()).toEqual([
    { first: 0, count: 64, only: "insert" },
    { first: 64, count: 100 },
    { first: 164, count: 36, only: "find" },
  ]);
});

test("insertions alone, and retrievals alone, come in the slices that they have in the mix", () => {
  expect(slicesOf(100, 128).of("find")).toEqual([
    { first: 0, count: 64, only: "find" },
    { first: 64, count: 36, only: "find" },
  ]);
});

test.each([0, 1, -5, 2.5, Number.NaN])("%d is no size of a slice", (slice) => {
  expect(() => slicesOf(100, slice)).toThrow(`slice is ${slice}`);
});
