import { expect, test } from "vitest";
import { type Build, Tally } from "./chains.js";

const BINS = 64;
/** A build in which insertions took these iterations. */
function build(lengths: Readonly<Record<number, number>>, failed = false): Build {
  const counts = Uint32Array.from({ length: BINS }, (_, i) => lengths[i + 1] ?? 0);
  const longest = Math.max(...Object.keys(lengths).map(Number));
  const iterations = Object.entries(lengths).reduce((sum, [length, count]) => sum + Number(length) * count, 0);
  return { failed, iterations, longest, lengths: counts };
}

test("mean, median and longest are over the insertions of all builds", () => {
  const tally = new Tally();
  tally.add(build({ 1: 60, 2: 30, 7: 10 }));
  expect(tally).toMatchObject({ builds: 1, failed: 0, longest: 7, median: 1, mean: 1.9 });
  tally.add(build({ 1: 30, 2: 50, 3: 20 }));
  expect(tally).toMatchObject({ builds: 2, longest: 7, median: 2, mean: 1.9 });
  // Exactly half of them do not exceed 1.
  tally.add(build({ 1: 60, 2: 40 }));
  expect(tally.median).toBe(1);
});

test("a build that failed counts as one, its insertions do not", () => {
  const tally = new Tally();
  tally.add(build({ 1: 50 }));
  tally.add(build({ 40: 1000 }, true));
  expect(tally).toMatchObject({ builds: 2, failed: 1, longest: 1, median: 1, mean: 1 });
});

test("without a build that ended there is nothing to say of insertions", () => {
  const tally = new Tally();
  tally.add(build({ 1: 50 }, true));
  expect([tally.mean, tally.median]).toEqual([Number.NaN, Number.NaN]);
});

test("sums are exact beyond 32 bits", () => {
  const tally = new Tally();
  for (let i = 0; i < 3; i++) tally.add(build({ 1: 2 ** 31, 2: 2 ** 31 - 1 }));
  expect(tally.median).toBe(1);
  expect(tally.mean).toBeCloseTo(1.5);
});
