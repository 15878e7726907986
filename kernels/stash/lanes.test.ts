import { expect, test } from "vitest";
import { FakeGpu } from "../device/fake.js";
import type { Params } from "../table.js";
import { hybridThreshold, lanesFor, lanesOf } from "./lanes.js";
import { parameters } from "./parameters.js";

/** Of a device with subgroups of 32 lanes and `most` bytes of workgroup memory. */
function lanes(params: Params, most = 2 ** 14) {
  const gpu = new FakeGpu();
  const subgroups = { subgroupMin: 32, subgroupMax: 32, features: ["subgroups"] };
  const info = { ...gpu.info, ...subgroups, limits: { maxComputeWorkgroupStorageSize: most } };
  return lanesOf(Object.assign(gpu, { info }), "clstash", parameters.of(params));
}

test.each([
  { keyBytes: 4, valueBytes: 4, most: 2 ** 14, expected: 256 },
  { keyBytes: 64, valueBytes: 4, most: 2 ** 14, expected: 128 },
  { keyBytes: 64, valueBytes: 64, most: 2 ** 14, expected: 64 },
  { keyBytes: 64, valueBytes: 64, most: 48 * 2 ** 10, expected: 256 },
])("stores of $keyBytes and $valueBytes bytes in $most bytes of workgroup memory: $expected lanes", (one) => {
  const { keyBytes, valueBytes, most, expected } = one;
  const { groupLanes, constants } = lanes({ keyBytes, valueBytes }, most);
  expect(groupLanes).toBe(expected);
  expect(constants).toMatchObject({ WARP_GROUP: expected, GROUP_LANES: expected });
});

test.each([
  { n: 2 ** 25, batches: 0, groups: 2048 },
  { n: 10 ** 8, batches: 0, groups: 2048 },
  { n: 2 ** 12, batches: 0, groups: 4 },
  { n: 2 ** 12, batches: 16, groups: 1 },
])("$n pairs with batches $batches are inserted by $groups workgroups", ({ n, batches, groups }) => {
  expect(Math.ceil(n / lanesFor(lanes({ batches }), n).pairsPerGroup)).toBe(groups);
});

const MEASURED = { 8: { 1: 0.1, 2: 0.2, 4: 0.3, 8: 0.4 }, 16: { 1: 0.5, 2: 0.6, 4: 0.7, 8: 0.8 } };
test.each([
  { pairBytes: 8, ticket: 1, expected: 0.1 },
  { pairBytes: 16, ticket: 8, expected: 0.8 },
  { pairBytes: 11, ticket: 2, expected: 0.2 },
  { pairBytes: 12, ticket: 2, expected: 0.6 },
  { pairBytes: 68, ticket: 4, expected: 0.7 },
] as const)("pairs of $pairBytes bytes have the threshold of the nearest size: $expected", (one) => {
  expect(hybridThreshold(one.ticket, one.pairBytes, MEASURED)).toBe(one.expected);
});
