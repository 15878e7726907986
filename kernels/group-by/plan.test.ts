import { expect, test } from "vitest";
import { randomWords } from "../common/random.js";
import { FakeGpu } from "../device/fake.js";
import { idleBuffer } from "../device/idle.js";
import { scoped } from "../device/owned.js";
import { makeGroupBy } from "./group-by.js";
import {
  capacityFor,
  choosePlan,
  evenSample,
  expectedGroups,
  isSparse,
  isUncertain,
  planAfter,
  reachFor,
  SAMPLED,
  type Sample,
  turnsFor,
} from "./plan.js";

const n = 1e8;
const even = (groups: number) => evenSample(groups, n);

test.each([5, 1000, 30_000, 1e6, 2e7])("%d equally frequent groups are expected to be as many", (groups) => {
  const expected = expectedGroups(even(groups), n);
  expect(expected).toBeGreaterThanOrEqual(Math.floor(groups));
  expect(expected).toBeLessThan(Math.max(1.01 * groups, 1.3e6));
});

test("of rows that all differ in a sample there are as many groups", () => {
  expect(expectedGroups({ distinct: SAMPLED, once: SAMPLED, most: 1 }, n)).toBe(n);
  expect(expectedGroups({ distinct: 3, once: 3, most: 1 }, 3)).toBe(3);
});

/** A sample of rows, each of which is in the group that `draw` has for a number of 0 to 1. */
function sampleOf(draw: (uniform: number) => number): Sample {
  const [random, rows] = [randomWords(1), new Map<number, number>()];
  for (let i = 0; i < SAMPLED; i++) {
    const group = Math.floor(draw((random() + 0.5) / 2 ** 32));
    rows.set(group, (rows.get(group) ?? 0) + 1);
  }
  const counts = [...rows.values()];
  return { distinct: rows.size, once: counts.filter((count) => count === 1).length, most: Math.max(...counts) };
}
const equal = (groups: number) => sampleOf((u) => u * groups);
/** The inverse of the distribution function, as if ranks were real numbers. */
const zipf = (skew: number, groups: number) =>
  sampleOf((u) => {
    if (skew === 1) return Math.exp(u * Math.log(groups + 1));
    const power = 1 - skew;
    return (u + (1 - u) * (groups + 1) ** power) ** (1 / power);
  });

const options = { n, slots: 6112, partitioned: true };
test.each([
  ["4 groups", equal(4), "few", false],
  ["12 groups", equal(12), "local", false],
  ["1,024 groups", equal(1024), "local", false],
  ["4,096 groups", equal(4096), "local", false],
  ["16,384 groups", equal(16_384), "partition", false],
  ["131,072 groups", equal(131_072), "partition", false],
  ["10^6 groups", equal(1e6), "partition", false],
  ["10^7 groups", equal(1e7), "partition", true],
  ["10^8 groups", equal(1e8), "partition", true],
  ["10^6 groups, Zipf 0.5", zipf(0.5, 1e6), "partition", true],
  ["10^6 groups, Zipf 0.75", zipf(0.75, 1e6), "partition", true],
  ["10^6 groups, Zipf 1", zipf(1, 1e6), "partition", true],
  ["10^6 groups, Zipf 1.25", zipf(1.25, 1e6), "local", false],
  ["10^6 groups, Zipf 1.5", zipf(1.5, 1e6), "local", false],
  ["10^7 groups, Zipf 0.5", zipf(0.5, 1e7), "partition", true],
  ["10^8 groups, Zipf 0.5", zipf(0.5, 1e8), "partition", true],
  ["10^8 groups, Zipf 0.75", zipf(0.75, 1e8), "partition", true],
  ["10^8 groups, Zipf 1.25", zipf(1.25, 1e8), "local", false],
  ["10^8 groups, Zipf 1.5", zipf(1.5, 1e8), "local", false],
  ["10^6 groups, one of which has half of the rows", sampleOf((u) => Math.max(0, 2e6 * u - 1e6)), "partition", true],
] as const)("10^8 rows of %s", (_rows, sample, plan, counted) => {
  expect([choosePlan(sample, options), isUncertain(sample, n)]).toEqual([plan, counted]);
  if (plan === "partition") expect(choosePlan(sample, { ...options, partitioned: false })).toBe("local");
  expect(isUncertain(sample, 1e5)).toBe(false);
});

/** Zipf's exponent, groups, and what was seen of them by a sample of 10^8 rows. */
const ZIPF = [
  { skew: 1.25, sample: { distinct: 3419, once: 2718, most: 2566 }, groups: 2_824_731 },
  { skew: 1.5, sample: { distinct: 1092, once: 714, most: 4876 }, groups: 353_608 },
];
test.each(ZIPF)("rows by Zipf's law with exponent $skew get a table that is large enough", ({ sample, groups }) => {
  const expected = expectedGroups(sample, n);
  expect([choosePlan(sample, options), isUncertain(sample, n)]).toEqual(["local", false]);
  expect(expected).toBeLessThan(groups);
  expect(capacityFor(sample, n, expected)).toBeGreaterThanOrEqual(groups);
});

test("where a table in workgroup memory was too small, rows are sorted", () => {
  const plans = [planAfter("local", true), planAfter("local", false), planAfter("few", true)];
  expect(plans).toEqual(["sort", "local", "few"]);
});

test.each([
  [2, "sort"],
  [3, "no sort of 1 columns and 3 words"],
] as const)("with 16 KiB of workgroup memory rows of %d words a group: %s", async (words, answer) => {
  const gpu = Object.assign(new FakeGpu(), {
    info: { ...new FakeGpu().info, limits: { maxComputeWorkgroupStorageSize: 2 ** 14 } },
  });
  const aggregates = (["min", "max", "count"] as const).slice(0, words);
  const keys = idleBuffer("keys", 4000);
  const planned = await scoped(gpu, async (own) => {
    const by = await makeGroupBy(own, { aggregates, plan: "sort" });
    return by.run((steps) => gpu.time(steps), { keys, columns: [keys], n: 1000 });
  }).catch((error: Error) => ({ plan: error.message }));
  expect(planned.plan).toContain(answer);
});

test("of many equally frequent groups few slots are looked at", () => {
  const reaches = [1024, 4096, 16384].map((groups) => reachFor(evenSample(groups, 1e8), 1e8));
  expect(reaches).toEqual([8, 2, 2]);
  expect(reachFor({ ...evenSample(4096, 1e8), most: 100 }, 1e8)).toBe(8);
});

test("the homes of few groups are looked at alone", () => {
  expect([64, 500, 1024].map((groups) => isSparse(even(groups), n))).toEqual([true, true, false]);
});

test("tiles are long where there are enough of them", () => {
  expect([1e5, 1e7, 1e8].map((rows) => turnsFor(rows, 1024))).toEqual([1, 4, 16]);
});
