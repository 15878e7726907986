/** What stands on warps: tested with several subgroup sizes. */
import { describe, expect, test } from "vitest";
import { testGpu } from "../../bench/gpu/testing.js";
import { cases, casesFor } from "../../bench/verify/cases.js";
import { testCases } from "../../bench/verify/testing.js";
import { clstash, stashHybrid } from "./stash.js";
import { preset } from "./testing.js";

const gpu = testGpu();

describe.each([
  { of: clstash, params: { batches: 4, warp: "virtual" } },
  { of: clstash, params: { keyBytes: 16, ticket: 1, access: false } },
  { of: stashHybrid, params: { threshold: 0.3, ticket: 2, access: true } },
])("$of.id with $params", ({ of, params }) => {
  const type = preset(of, params);
  testCases(casesFor(type, "core"), gpu, type);
});

const history = cases.filter(({ name }) => /random history|full table|usual load factor/.test(name));

test.each(
  ["subgroups", "virtual"].flatMap((warp) => history.map((one) => ({ warp, name: one.name, check: one.check }))),
)("clstash with warps as wide as the adapter's, made of $warp: $name", async ({ warp, check }) => {
  // The same histories, and so the same answers, from both.
  const lanes = Math.min(32, gpu().info.subgroupMin);
  expect(lanes).toBeGreaterThan(0);
  await check(gpu(), preset(clstash, { lanes, warp }), 0);
});
