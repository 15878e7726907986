import { expect, test } from "vitest";
import { UsageError } from "../../kernels/device/errors.js";
import type { CellSpec } from "../experiment.js";
import { testGpu } from "../gpu/testing.js";
import { cellOf, cellsOn } from "./testing.js";

const gpu = testGpu();
const N = 2 ** 13;
const params = { refusals: true, batches: 32 };
const { prepare, measured } = cellsOn(
  gpu,
  cellOf({ bench: "reach", table: "gph", op: "insert", n: N, loadFactor: 1, seed: 1, params }),
);

/** What a cell says whose answers are right. */
async function reached(change: Partial<CellSpec>) {
  const { wrong, metrics, operations } = await measured(change);
  expect(wrong).toBe("");
  return { operations, reached: Number(metrics.load_factor_reached), metrics };
}

test("GPH reaches the load factors that it is said to take, and not all; fewer with two virtual buckets of four slots", async () => {
  const all = await reached({});
  expect(all.operations % (N / 32)).toBe(0);
  // 23 of 32 batches here. Which pairs meet in a virtual bucket is given by the seed, which of them comes last is not.
  expect(Math.abs(all.reached - 23 / 32)).toBeLessThan(1.5 / 32);
  expect(all.metrics.refused_share).toBeLessThan(0.001);
  const small = await reached({ params: { ...params, R: 2, M: 4, h: 4 } });
  expect(Math.abs(small.reached - 11 / 32)).toBeLessThan(1.5 / 32);
});

test("the batch with the first pair that is refused does not count", async () => {
  const half = await reached({ params: { ...params, batches: 2 } });
  expect(half.operations).toBe(N / 2);
  expect(half.reached).toBeCloseTo(0.5, 2);
  expect(half.metrics.refused_share).toBe(0);
});

test("a table that takes all pairs reaches the load factor that it is made for", async () => {
  const full = await reached({ table: "warpcore", loadFactor: 0.9, params: {} });
  expect(full.operations).toBe(N);
  expect(Math.abs(full.reached - 0.9)).toBeLessThan(0.02);
});

test("a table of which every batch is a build, and keys that come twice, are bad usage", async () => {
  await expect(prepare({ table: "cuckoo", loadFactor: 0.8, params: {} })).rejects.toBeInstanceOf(UsageError);
  await expect(prepare({ dataset: "zipf:1" })).rejects.toThrow("filled with different keys");
});
