import { expect, test } from "vitest";
import { choosePlan, expectedGroups, SAMPLED } from "./plan.js";

const n = 1e8;
/** What a sample of rows of so many equally frequent groups says on average. */
function even(groups: number) {
  const of = SAMPLED / groups;
  return {
    distinct: groups * -Math.expm1(-of),
    once: SAMPLED * Math.exp(-of),
    frequent: groups < SAMPLED / 8 ? SAMPLED : 0,
  };
}

test.each([5, 1000, 30_000, 1e6, 2e7])("%d equally frequent groups are expected to be as many", (groups) => {
  const expected = expectedGroups(even(groups), n);
  expect(expected).toBeGreaterThanOrEqual(Math.floor(groups));
  expect(expected).toBeLessThan(Math.max(1.01 * groups, 1.3e6));
});

test("of rows that all differ in a sample there are as many groups", () => {
  expect(expectedGroups({ distinct: SAMPLED, once: SAMPLED, frequent: 0 }, n)).toBe(n);
  expect(expectedGroups({ distinct: 3, once: 3, frequent: 0 }, 3)).toBe(3);
});

test.each([
  [4, "few"],
  [1000, "local"],
  [1e5, "partition"],
  [1e7, "partition"],
] as const)("%d groups are for the plan %s", (groups, plan) => {
  const sample = even(groups);
  const expected = expectedGroups(sample, n);
  expect(choosePlan(sample, expected, { n, slots: 4096, partitioned: true })).toBe(plan);
  if (plan === "partition") expect(choosePlan(sample, expected, { n, slots: 4096, partitioned: false })).toBe("global");
});

test("frequent groups are for tables in workgroup memory, however many others there are", () => {
  const sample = { distinct: 6000, once: 5000, frequent: 9000 };
  expect(choosePlan(sample, expectedGroups(sample, n), { n, slots: 4096, partitioned: true })).toBe("local");
});
