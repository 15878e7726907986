import { expect, test } from "vitest";
import { ratioOf, tooSlow } from "./side-by-side.js";

const rounds = (ns: number) => Array.from({ length: 15 }, (_, i) => ns * (1 + i / 10));

test("the ratio is of rates, and of rounds that were timed together", () => {
  const { median, lo, hi } = ratioOf({ harness: rounds(100), library: rounds(200) });
  expect([median, lo, hi]).toEqual([0.5, 0.5, 0.5]);
});

test("the library may take 2 % more time, and no more", () => {
  expect(tooSlow({ harness: rounds(100), library: rounds(101.9) })).toBe(false);
  expect(tooSlow({ harness: rounds(100), library: rounds(102.2) })).toBe(true);
  expect(tooSlow({ harness: rounds(100), library: rounds(50) })).toBe(false);
});

test("one slow round decides nothing", () => {
  expect(tooSlow({ harness: rounds(100), library: [9000, ...rounds(100).slice(1)] })).toBe(false);
});
