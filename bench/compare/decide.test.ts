import { expect, test } from "vitest";
import { uniform } from "../../datasets/rng.js";
import { type MetricName, metricType } from "../results/metrics.js";
import { type Decision, decideCounter, decideTime, holm, weighTimes } from "./decide.js";
import { distributions } from "./r.js";
import { rankSumP } from "./rank-sum.js";
import { singleP, welchP } from "./welch.js";

const options = { threshold: 0.05, alpha: 0.05 };
const random = uniform(7);
/** A sum of twelve uniform draws has the normal's shape: mean `level`, standard deviation `noise` · level. */
function samples(count: number, level: number, noise: number): number[] {
  const draw = () => Array.from({ length: 12 }, random).reduce((sum, u) => sum + u, -6);
  return Array.from({ length: count }, () => level * (1 + noise * draw()));
}

/** @param unit nanoseconds of the numbers; long, so that runs differ by nothing that matters */
function decide(before: number[][], after: number[][], cells = 1, unit = 1e6) {
  const inNs = (runs: number[][]) => runs.map((run) => run.map((value) => unit * value));
  const evidence = weighTimes(inNs(before), inNs(after), options.threshold);
  const corrected = (p: number) => Math.min(1, p * cells);
  return decideTime(evidence, corrected(evidence.pSlower), corrected(evidence.pFaster), options);
}

test("the rank sum's probability is exact for small samples", () => {
  const low = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  const high = low.map((x) => x + 10);
  expect(rankSumP(low, high)).toBeCloseTo(1 / 184756, 12);
  expect(rankSumP(high, low)).toBeCloseTo(1, 12);
  expect(rankSumP([1, 3], [2, 4])).toBeCloseTo(2 / 6, 12);
});

test("equal values are no evidence, and no samples are none either", () => {
  expect(rankSumP([5, 5, 5], [5, 5, 5])).toBeCloseTo(1, 12);
  expect(rankSumP([], [1])).toBe(1);
  expect(rankSumP([1], [])).toBe(1);
});

/** 50 values that make so many pairs with 0 … 49 in which theirs is the larger. */
const valuesAbove = (pairs: number) => Array.from({ length: 50 }, (_, i) => Math.floor((pairs + i) / 50) - 0.5);

test.each([1105, 1250, 1395, 1468, 1540])(
  "from 50 values on the rank sum's probability is the exact one within 0.8 %: %i pairs",
  (pairs) => {
    const low = Array.from({ length: 50 }, (_, i) => i);
    const exact = distributions().pwilcox(pairs - 1, 50, 50, false);
    expect(Math.abs(rankSumP(low, valuesAbove(pairs)) / exact - 1)).toBeLessThan(0.008);
  },
);

test("for large samples it is the normal distribution's, far into the tail", () => {
  const low = Array.from({ length: 60 }, (_, i) => i);
  expect(rankSumP(low, low)).toBeGreaterThan(0.4);
  const p = rankSumP(
    low,
    low.map((x) => x + 60),
  );
  expect(p).toBeLessThan(1e-18);
  expect(p).toBeGreaterThan(0);
});

test("equal code with 1 % noise is never worse or better, in 2000 comparisons", () => {
  const decisions = Array.from({ length: 2000 }, () => decide([samples(10, 100, 0.01)], [samples(10, 100, 0.01)]));
  expect(decisions.filter((decision) => decision !== "same")).toEqual([]);
});

test("5 % slower is found among 500 cells with ten quiet samples each", () => {
  const found = Array.from({ length: 200 }, () => decide([samples(10, 100, 0.004)], [samples(10, 105, 0.004)], 500));
  expect(found.filter((decision) => decision === "worse").length).toBeGreaterThanOrEqual(198);
});

test("five samples of long runs show 5 % among 200 cells where these are quiet, and three do where they are quieter", () => {
  const found = (count: number, noise: number) => {
    const pairs = Array.from({ length: 200 }, () => [samples(count, 100, noise), samples(count, 105, noise)] as const);
    return pairs.filter(([before, after]) => decide([before], [after], 200) === "worse").length;
  };
  expect(found(5, 0.003)).toBeGreaterThanOrEqual(190);
  expect(found(3, 0.0005)).toBeGreaterThanOrEqual(190);
  // Not enough: nothing is said.
  expect(found(3, 0.01)).toBeLessThanOrEqual(10);
});

test("five samples of equal code are never worse or better, even where each fifth run takes up to 1.6 times as long", () => {
  const slow = () => samples(5, 100, 0.003).map((ns) => (random() < 0.2 ? ns * (1 + 0.6 * random()) : ns));
  for (const some of [() => samples(5, 100, 0.003), slow]) {
    const decisions = Array.from({ length: 2000 }, () => decide([some()], [some()], 200));
    expect(decisions.filter((decision) => decision === "worse" || decision === "better")).toEqual([]);
  }
});

test("single samples are compared by a spread of half a per cent: 7 % is found among 2000 cells, equal code is the same", () => {
  const decided = (by: number, count = 1) =>
    Array.from({ length: 500 }, () => decide([samples(count, 100, 0.002)], [samples(1, 100 * by, 0.002)], 2000));
  expect(new Set(decided(1))).toEqual(new Set(["same"]));
  expect(new Set(decided(1.025, 3))).toEqual(new Set(["same"]));
  expect(decided(1.07).filter((decision) => decision === "worse").length).toBeGreaterThanOrEqual(495);
  expect(decided(1 / 1.07, 3).filter((decision) => decision === "better").length).toBeGreaterThanOrEqual(495);
  // The other side's own spread counts where it is larger.
  const noisy = [[80, 100, 120]];
  expect(decide(noisy, [[107]], 2000)).toBe("noisy");
  expect(singleP([80, 100, 120], [107], 1.025, 0.005)).toBeGreaterThan(0.1);
  expect(singleP([], [1], 1, 0.005)).toBe(1);
  // Of four equal values the mean deviates half as much as one: one deviation of the difference is the root of 1.25.
  expect(singleP([1, 1, 1, 1], [Math.exp(0.005 * Math.sqrt(1.25))], 1, 0.005)).toBeCloseTo(0.1587, 4);
});

test("one sample is no evidence by itself, and equal ones are", () => {
  expect(welchP([1], [2, 2], 1)).toBe(1);
  expect([welchP([1, 1], [2, 2], 1), welchP([2, 2], [1, 1], 1)]).toEqual([0, 1]);
  // t = -1 and +1 with 2 degrees of freedom.
  const e = (...powers: number[]) => powers.map(Math.exp);
  expect(welchP(e(0, 2), e(Math.SQRT2, 2 + Math.SQRT2), 1)).toBeCloseTo(0.2113, 4);
  expect(welchP(e(Math.SQRT2, 2 + Math.SQRT2), e(0, 2), 1)).toBeCloseTo(0.7887, 4);
});

test("faster is slower the other way round", () => {
  const [fast, slow] = [samples(20, 100, 0.004), samples(20, 106, 0.004)];
  expect(decide([fast], [slow])).toBe("worse");
  expect(decide([slow], [fast])).toBe("better");
});

test("at the edge, too, a change and its reverse are judged alike: by the factor", () => {
  const [slow, fast] = [102.53, 100].map((level) => new Array<number>(20).fill(level)) as [number[], number[]];
  expect([decide([fast], [slow]), decide([slow], [fast])]).toEqual(["worse", "better"]);
});

test("less than half the threshold is no change, however certain", () => {
  expect(decide([samples(900, 100, 0.002)], [samples(900, 102, 0.002)])).toBe("same");
});

test("a change within the samples' own spread is too noisy to tell", () => {
  expect(decide([samples(300, 100, 0.1)], [samples(300, 107, 0.1)])).toBe("noisy");
  expect(decide([samples(300, 100, 0.1)], [samples(300, 140, 0.1)])).toBe("worse");
});

test("of samples that drifted on one side a change is too noisy to tell, however alike most of them are", () => {
  const fallen = [...samples(30, 100, 0.002), ...samples(90, 210, 0.002)];
  expect(decide([samples(120, 100, 0.002)], [samples(120, 210, 0.002)])).toBe("worse");
  expect(decide([samples(120, 100, 0.002)], [fallen])).toBe("noisy");
  expect(decide([fallen], [samples(120, 100, 0.002)])).toBe("noisy");
});

test("runs that differ from one another widen the noise", () => {
  const base = [samples(10, 100, 0.002), samples(10, 108, 0.002)];
  expect(decide(base, [samples(10, 107, 0.002)])).not.toBe("worse");
  expect(decide([base[0] ?? []], [samples(10, 107, 0.002)])).toBe("worse");
});

test("one run a side does not show what runs differ by: a microsecond of a short pass is no change, and of a long one it is", () => {
  const quiet = (level: number) => samples(40, level, 0.001);
  const [run, later] = [[quiet(20)], [quiet(20.9)]];
  expect(decide(run, later, 1, 1000)).not.toBe("worse");
  expect(decide(later, run, 1, 1000)).not.toBe("better");
  expect(decide(run, [quiet(22)], 1, 1000)).toBe("worse");
  // Several runs show it.
  expect(decide([quiet(20), quiet(20)], [quiet(20.9), quiet(20.9)], 1, 1000)).toBe("worse");
  expect(decide([quiet(1)], [quiet(1.05)], 1, 1e6)).toBe("worse");
  const ofMany = weighTimes([quiet(20)], [quiet(20.9)], options.threshold, 128);
  expect(ofMany.noise).toBeLessThan(0.5);
});

test("Holm multiplies the smallest p by all hypotheses, and keeps the order", () => {
  expect(holm([0.01, 0.04, 0.03])).toEqual([0.03, 0.06, 0.06]);
  expect(holm([0.5, 0.9])).toEqual([1, 1]);
  expect(holm([])).toEqual([]);
});

function counter(metric: MetricName, n: number, before: number[], after: number[]): Decision {
  const gate = metricType(metric)?.gate;
  if (!gate) throw new Error(`${metric} is not compared`);
  return decideCounter(gate, n, before, after).decision;
}

test("one more probe is worse, one less is better, whatever the size", () => {
  for (const n of [1024, 30_000, 1e8]) {
    expect(counter("probes", n, [1.9], [2.9])).toBe("worse");
    expect(counter("probes", n, [2.9], [1.9])).toBe("better");
  }
});

test("with many operations counters are compared almost exactly, with few not", () => {
  expect(counter("transactions", 1e8, [2], [2.03])).toBe("worse");
  expect(counter("transactions", 4000, [2], [2.03])).toBe("same");
});

test("of efficiencies the smaller is the worse", () => {
  expect(counter("warp_efficiency", 1e6, [0.5], [0.4])).toBe("worse");
  expect(counter("warp_efficiency", 1e6, [0.4], [0.5])).toBe("better");
});

test("counters that runs of equal code disagree in are less certain", () => {
  expect(counter("probes", 1e8, [2, 2.2], [2.3])).toBe("same");
  expect(counter("probes", 1e8, [2, 2.2], [2.6])).toBe("worse");
});
