import { expect, test } from "vitest";
import { FakeGpu } from "../device/fake.js";
import { idleBuffer } from "../device/idle.js";
import { scoped } from "../device/owned.js";
import { makeGroupBy } from "./group-by.js";
import { capacityFor, choosePlan, evenSample, expectedGroups, planAfter, reachFor, SAMPLED, turnsFor } from "./plan.js";

const n = 1e8;
const even = (groups: number) => evenSample(groups, n);

test.each([5, 1000, 30_000, 1e6, 2e7])("%d equally frequent groups are expected to be as many", (groups) => {
  const expected = expectedGroups(even(groups), n);
  expect(expected).toBeGreaterThanOrEqual(Math.floor(groups));
  expect(expected).toBeLessThan(Math.max(1.01 * groups, 1.3e6));
});

test("of rows that all differ in a sample there are as many groups", () => {
  expect(expectedGroups({ distinct: SAMPLED, once: SAMPLED, most: 1, hot: 0 }, n)).toBe(n);
  expect(expectedGroups({ distinct: 3, once: 3, most: 1, hot: 0 }, 3)).toBe(3);
});

const options = { n, slots: 6112, partitioned: true };
test.each([
  [4, "few"],
  [12, "local"],
  [1000, "local"],
  [16384, "local"],
  [1e5, "partition"],
  [1e7, "partition"],
] as const)("%d groups are for the plan %s", (groups, plan) => {
  expect(choosePlan(even(groups), options)).toBe(plan);
  if (plan === "partition") expect(choosePlan(even(groups), { ...options, partitioned: false })).toBe("local");
});

/** Zipf's exponent, groups, and what was seen of them by a sample of 10^8 rows. */
const ZIPF = [
  { skew: 1, sample: { distinct: 8421, once: 7192, most: 842, hot: 0 }, groups: 999_911 },
  { skew: 1.25, sample: { distinct: 3419, once: 2718, most: 2566, hot: 2 }, groups: 2_824_731 },
  { skew: 1.5, sample: { distinct: 1092, once: 714, most: 4876, hot: 3 }, groups: 353_608 },
];
test.each(ZIPF)("rows by Zipf's law with exponent $skew get a table that is large enough", ({ sample, groups }) => {
  expect(choosePlan(sample, options)).toBe(sample.hot > 0 ? "hot" : "local");
  expect(expectedGroups(sample, n)).toBeLessThan(groups);
  expect(capacityFor(sample, n)).toBeGreaterThanOrEqual(groups);
});

test("a frequent key, which would fill its partition, is for tables in workgroup memory; then rows are sorted", () => {
  const sample = { distinct: 14_270, once: 13_362, most: 89, hot: 0 };
  expect(choosePlan(sample, options)).toBe("local");
  expect(choosePlan({ ...sample, most: 5 }, options)).toBe("partition");
  expect([planAfter("local", true), planAfter("local", false), planAfter("few", true)]).toEqual([
    "sort",
    "local",
    "few",
  ]);
  expect([planAfter("hot", true), planAfter("hot", false)]).toEqual(["sort", "hot"]);
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

test("tiles are long where there are enough of them", () => {
  expect([1e5, 1e7, 1e8].map((rows) => turnsFor(rows, 1024))).toEqual([1, 4, 16]);
});
