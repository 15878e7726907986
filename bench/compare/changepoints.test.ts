import { expect, test } from "vitest";
import { changePoints } from "./changepoints.js";

/** Seeded numbers in 0 … 1 (mulberry32). */
function uniform(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A series with normal noise, a share of the level at each run. */
function noisy(seed: number, runs: number, noise: number, level: (run: number) => number): number[] {
  const next = uniform(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return Array.from({ length: runs }, (_, run) => level(run) * (1 + noise * normal()));
}

const seeds = (count: number): number[] => Array.from({ length: count }, (_, i) => 7919 * i + 1);
const steady = (): number => 100;

test.each([6, 8, 10, 15, 20, 40])(
  "of 1000 series of %i runs with noise of 1 per cent and no change, at most 2 have a change point",
  (runs) => {
    const found = seeds(1000).filter((seed) => changePoints(noisy(seed, runs, 0.01, steady), 0.025).length > 0);
    expect(found.length).toBeLessThanOrEqual(2);
  },
);

test.each([6, 7, 8, 9, 10, 12, 15, 20, 30])(
  "noise of 10 per cent, %i runs: at most 25 of 1000 series have one",
  (runs) => {
    const found = seeds(1000).filter((seed) => changePoints(noisy(seed, runs, 0.1, steady), 0.025).length > 0);
    expect(found.length).toBeLessThanOrEqual(25);
  },
);

test.each([5, 7, 10, 13, 15])(
  "99 of 100 steps by 5 per cent at run %i of 20 are found within one run of their place",
  (at) => {
    for (const [before, after] of [
      [100, 95],
      [100, 105],
    ] as const) {
      const right = seeds(100).filter((seed) => {
        const found = changePoints(
          noisy(seed, 20, 0.01, (run) => (run < at ? before : after)),
          0.025,
        );
        return (
          found.length === 1 &&
          found.every(({ index, change }) => Math.abs(index - at) <= 1 && change * (after - before) > 0)
        );
      });
      expect(right.length).toBeGreaterThanOrEqual(99);
    }
  },
);

test.each([
  ["up and up", [100, 108, 116]],
  ["down and back", [100, 90, 100]],
])("two steps, %s, are both found, each within one run of its place", (_, levels) => {
  const right = seeds(100).filter((seed) => {
    const series = noisy(seed, 36, 0.01, (run) => levels[Math.floor(run / 12)] ?? 0);
    const places = changePoints(series, 0.025).map(({ index }) => index);
    return places.length === 2 && places.every((place, i) => Math.abs(place - 12 * (i + 1)) <= 1);
  });
  expect(right.length).toBeGreaterThanOrEqual(98);
});

test("three runs before and three after are enough where they lie apart, two are not", () => {
  expect(changePoints([100, 101, 99, 90, 91, 89.5], 0.025)).toMatchObject([{ index: 3, before: 100, after: 90 }]);
  expect(changePoints([100, 101, 99, 100, 90, 91], 0.025)).toEqual([]);
  expect(changePoints([100, 101, 90, 91], 0.025)).toEqual([]);
});

test("a slow drift beyond the minimum effect gives changes in its direction only, one within it none", () => {
  for (const seed of seeds(50)) {
    const drifting = changePoints(
      noisy(seed, 60, 0.01, (run) => 100 + run / 3),
      0.025,
    );
    expect(drifting.length).toBeGreaterThan(0);
    for (const { change } of drifting) expect(change).toBeGreaterThan(0.025);
    expect(
      changePoints(
        noisy(seed, 60, 0.005, (run) => 100 + run / 60),
        0.025,
      ),
    ).toEqual([]);
  }
});

test("exact counters: equal values have no change, another value from some run on has", () => {
  const series = [...Array<number>(7).fill(1.5), ...Array<number>(5).fill(1.52)];
  expect(changePoints(series, 0.005)).toMatchObject([{ index: 7, before: 1.5, after: 1.52 }]);
  expect(changePoints(series, 0.025)).toEqual([]);
  expect(changePoints(Array<number>(200).fill(1.5), 0)).toEqual([]);
  expect(changePoints([0, 0, 0, 0, 1, 1, 1, 1], 0.01)).toMatchObject([{ index: 4, change: Number.POSITIVE_INFINITY }]);
});

test("200 runs take no minutes, and equal series equal points", () => {
  const series = noisy(1, 200, 0.01, (run) => (run < 60 ? 100 : run < 150 ? 92 : 97));
  const began = performance.now();
  const found = changePoints(series, 0.025);
  expect(performance.now() - began).toBeLessThan(20_000);
  expect(found.map(({ index }) => index)).toEqual([60, 150]);
  expect(changePoints(series, 0.025)).toEqual(found);
});

test("an outlier or two are no change", () => {
  const series = noisy(3, 30, 0.01, steady);
  series[10] = 70;
  series[11] = 75;
  series[29] = 50;
  expect(changePoints(series, 0.025)).toEqual([]);
});

test("a level that changes and comes back is found at the same places upside down", () => {
  for (const seed of seeds(100)) {
    const series = noisy(seed, 20, 0.02, (run) => (run > 6 && run < 12 ? 105 : 100));
    const places = (values: readonly number[]) => changePoints(values, 0.02).map(({ index }) => index);
    expect(places(series.map((value) => 205 - value))).toEqual(places(series));
  }
});
