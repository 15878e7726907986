import { expect, test } from "vitest";
import { uniform } from "../../datasets/rng.js";
import { summarise } from "./statistics.js";
import { defaultStopping, forLong, forMany, ONE_NS, RUN_SPREAD_NS, smallestHalfWidth, stopReason } from "./stopping.js";

const series = (n: number, at: (i: number) => number) => Array.from({ length: n }, (_, i) => at(i));
const draw = uniform(1);

test("nothing stops before ten samples, however much time they took", () => {
  for (const at of [(i: number) => 1e9 * (1 + i / 1000), () => 9e5])
    expect(stopReason(series(9, at), 60_000, defaultStopping)).toBe(null);
});

test("five passes of a millisecond are enough if they are even", () => {
  const spread = (n: number, share: number) => series(n, (i) => 1e6 * (1 + (share * i) / (n - 1)));
  const stop = (samples: readonly number[], repetitions = 1) =>
    stopReason(samples, 10, defaultStopping, { repetitions, resolutionNs: 0 });
  expect([spread(4, 0.004), spread(5, 0.0049), spread(5, 0.0051)].map((one) => stop(one))).toEqual([
    null,
    "quiet",
    null,
  ]);
  // The pass counts, not the operation.
  const short = series(5, () => 1e5);
  expect([stop(short, 9), stop(short, 10)]).toEqual([null, "quiet"]);
  expect(stopReason(spread(5, 0), 10, { ...defaultStopping, minTimeMs: 6 })).toBe(null);
});

test("a quiet series stops at ten samples", () => {
  expect(
    stopReason(
      series(10, (i) => 9e5 + (i % 3)),
      10,
      defaultStopping,
    ),
  ).toBe("quiet");
});

test("a noisy series goes on until its range is narrow", () => {
  const noisy = series(4000, () => 1e6 * (1 + 0.2 * draw()));
  expect(stopReason(noisy.slice(0, 20), 10, { ...defaultStopping, maxSamples: 1e5 })).toBe(null);
  expect(stopReason(noisy, 10, { ...defaultStopping, maxSamples: 1e5 })).toBe("quiet");
});

test("a series whose clocks fell on its way is not quiet, although its range is narrow", () => {
  const fallen = series(150, (i) => (i < 40 ? 36e3 : 86e3) + (i % 3));
  const patient = { ...defaultStopping, maxSamples: 1e5, minTimeMs: 0 };
  expect(stopReason(fallen.slice(40), 10, patient)).toBe("quiet");
  expect(stopReason(fallen, 10, patient)).toBe(null);
});

test("a drifting series is ended by time", () => {
  const drifting = series(60, (i) => 1e6 * (1 + i / 20));
  expect(stopReason(drifting, 100, defaultStopping)).toBe(null);
  expect(stopReason(drifting, 5000, defaultStopping)).toBe("time");
});

test("long runs of many passes are quiet after two that are even, else after five, and ended by time after three", () => {
  const many = forMany(defaultStopping, 4e8);
  const stop = (samples: readonly number[], ms = 400) => stopReason(samples, ms, many);
  expect([[4e8], [4e8, 4.019e8], [4e8, 4.021e8]].map((samples) => stop(samples))).toEqual([null, "quiet", null]);
  // Their range is 0.9 %: within 0.5 % of the median, but not even.
  const wide = (n: number) => series(n, (i) => 4e8 * (1 + (i % 2) * 0.009));
  expect([wide(4), wide(5)].map((samples) => stop(samples))).toEqual([null, "quiet"]);
  expect([wide(2), wide(3)].map((samples) => stop(samples, 500))).toEqual([null, "time"]);
  // Who asks for less gets it.
  expect(forMany({ ...defaultStopping, minSamples: 2, maxTimeMs: 100 }, 4e8)).toMatchObject({
    minSamples: 2,
    maxTimeMs: 100,
  });
});

test("one run of many passes that takes half a second is enough, unless they are to be measured for longer, or on a CPU", () => {
  const stop = (ns: number, options = defaultStopping, oneNs?: number) =>
    stopReason([ns], 10, forMany(options, ns, oneNs));
  expect([ONE_NS, ONE_NS - 1].map((ns) => stop(ns))).toEqual(["long", null]);
  expect(stop(ONE_NS, { ...defaultStopping, minTimeMs: 501 })).toBe(null);
  expect(stop(ONE_NS, defaultStopping, Number.POSITIVE_INFINITY)).toBe(null);
});

test("short runs of many passes are ended by time after half a second, and by nothing else than others are", () => {
  const { maxTimeMs, ...others } = forMany(defaultStopping, 2.9e7);
  expect(maxTimeMs).toBe(500);
  expect(defaultStopping).toMatchObject(others);
});

test("long passes are two that are even, else five", () => {
  const long = forLong(defaultStopping);
  const even = (n: number) => series(n, () => 4e9);
  expect([even(1), even(2)].map((samples) => stopReason(samples, 1000, long))).toEqual([null, "quiet"]);
  const uneven = (n: number) => series(n, (i) => (i % 2 ? 4e9 : 8e9));
  expect([uneven(4), uneven(5)].map((samples) => stopReason(samples, 30_000, long))).toEqual([null, "time"]);
  expect(forLong({ ...defaultStopping, fewestSamples: 3 }).fewestSamples).toBe(3);
  expect(forLong({ ...defaultStopping, fewestSamples: 5, fewestOfLong: 2 }).fewestSamples).toBe(2);
});

test("a bimodal series is not quiet", () => {
  expect(
    stopReason(
      series(50, (i) => (i % 2 ? 1e6 : 2e6)),
      10,
      defaultStopping,
    ),
  ).toBe(null);
});

test("a series of one quantum of the timer is quiet", () => {
  expect(
    stopReason(
      series(10, () => 1024),
      10,
      defaultStopping,
    ),
  ).toBe("quiet");
});

test("a series that the timer rounds to two values is quiet only where one of them is the median beyond doubt", () => {
  const rounded = (one: number) =>
    stopReason(
      series(60, (i) => (i % 10 < one ? 2048 : 1024)),
      10,
      defaultStopping,
    );
  expect(rounded(1)).toBe("quiet");
  expect(rounded(5)).toBe(null);
});

test("samples end at their greatest number", () => {
  expect(
    stopReason(
      series(1000, (i) => (i % 2 ? 1e6 : 2e6)),
      10,
      defaultStopping,
    ),
  ).toBe("samples");
});

test("a quiet series goes on until the measured time is reached", () => {
  const options = { ...defaultStopping, minTimeMs: 15 };
  expect(
    stopReason(
      series(10, () => 1e6),
      10,
      options,
    ),
  ).toBe(null);
  expect(
    stopReason(
      series(15, () => 1e6),
      10,
      options,
    ),
  ).toBe("quiet");
});

test("a range is narrow enough once it is as wide as two runs of a pass differ, or as the clock resolves", () => {
  // The range of 60 such samples is all of their range.
  const spread = (ns: number) => series(60, (i) => 20_000 + (i % 2 ? ns : 0));
  const stop = (samples: readonly number[], resolutionNs = 32) =>
    stopReason(samples, 10, defaultStopping, { repetitions: 1, resolutionNs });
  expect(stop(spread(RUN_SPREAD_NS))).toBe("quiet");
  expect(stop(spread(1.1 * RUN_SPREAD_NS))).toBe(null);
  expect(stop(spread(2048), 1024)).toBe("quiet");
  expect(stop(spread(2100), 1024)).toBe(null);
});

test("of operations that share a pass each has its share of what the pass cannot tell", () => {
  expect(smallestHalfWidth({ repetitions: 50, resolutionNs: 32 })).toBe(RUN_SPREAD_NS / 2 / 50);
  const samples = series(60, (i) => 20_000 + (i % 2 ? RUN_SPREAD_NS : 0));
  expect(stopReason(samples, 10, defaultStopping, { repetitions: 50, resolutionNs: 32 })).toBe(null);
});

test("the measured time is that of all passes, repetitions included", () => {
  const options = { ...defaultStopping, minTimeMs: 100 };
  const samples = series(10, () => 1e6);
  expect(stopReason(samples, 10, options, { repetitions: 9, resolutionNs: 0 })).toBe(null);
  expect(stopReason(samples, 10, options, { repetitions: 10, resolutionNs: 0 })).toBe("quiet");
});

test("time may end a cell before it could be quiet, but not before its fewest samples", () => {
  const options = { ...defaultStopping, fewestSamples: 3 };
  const samples = (count: number) => series(count, () => 1e9);
  expect(stopReason(samples(2), 60_000, options)).toBe(null);
  expect(stopReason(samples(3), options.maxTimeMs - 1, options)).toBe(null);
  expect(stopReason(samples(3), options.maxTimeMs, options)).toBe("time");
});

test("stopping at a narrow range costs little of its coverage", () => {
  for (const noise of [0.005, 0.02]) {
    const uniformDraw = uniform(7);
    const median = 1e6 * (1 + noise * Math.LN2);
    const trials = 1000;
    let covered = 0;
    for (let trial = 0; trial < trials; trial++) {
      const samples: number[] = [];
      do {
        for (let i = 0; i < 5; i++) samples.push(1e6 * (1 - noise * Math.log(1 - uniformDraw())));
      } while (stopReason(samples, 0, defaultStopping) === null);
      const { lo, hi } = summarise(samples);
      if (lo <= median && median <= hi) covered++;
    }
    expect(covered / trials).toBeGreaterThan(0.92);
  }
});
