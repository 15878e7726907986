import { expect, test } from "vitest";
import { UsageError } from "../../kernels/device/errors.js";
import type { CellSpec } from "../base/experiment.js";
import { testGpu } from "../device/testing.js";
import { byName, cellOf, cellsOn, sampled } from "./testing.js";

const cells = cellsOn(testGpu());
const N = 2 ** 13;
const cell = cellOf({
  bench: "reach",
  table: "gph",
  n: N,
  loadFactor: 1,
  seed: 1,
  params: { refusals: true, batches: 32 },
});
const prepare = (change: Partial<CellSpec>) => cells.prepare({ ...cell, ...change });

/** Two samples of a cell, verified, and its metrics. */
async function measured(change: Partial<CellSpec>) {
  const prepared = await prepare(change);
  for (let run = 0; run < 2; run++) {
    await sampled(prepared, 1);
    expect(await prepared.verify()).toBe("");
  }
  const metrics = byName(await prepared.metrics(1));
  return { operations: prepared.operations, reached: Number(metrics.load_factor_reached), metrics };
}

test("GPH reaches the load factors that it is said to take, and not all; fewer with two virtual buckets of four slots", async () => {
  const { operations, reached, metrics } = await measured({});
  expect(operations % (N / 32)).toBe(0);
  expect(reached).toBeGreaterThan(0.6);
  expect(reached).toBeLessThan(0.85);
  expect(metrics.refused_share).toBeLessThan(0.001);
  const small = await measured({ params: { ...cell.params, R: 2, M: 4, h: 4 } });
  expect(small.reached).toBeGreaterThan(0.1);
  expect(small.reached).toBeLessThan(0.4);
});

test("the batch with the first pair that is refused does not count", async () => {
  const { operations, reached, metrics } = await measured({ params: { ...cell.params, batches: 2 } });
  expect(operations).toBe(N / 2);
  expect(reached).toBeCloseTo(0.5, 2);
  expect(metrics.refused_share).toBe(0);
});

test("a table that takes all pairs reaches the load factor that it is made for", async () => {
  const { operations, reached } = await measured({ table: "warpcore", loadFactor: 0.9, params: {} });
  expect(operations).toBe(N);
  expect(Math.abs(reached - 0.9)).toBeLessThan(0.02);
});

test("a table of which every batch is a build, and keys that come twice, are bad usage", async () => {
  await expect(prepare({ table: "cuckoo", loadFactor: 0.8, params: {} })).rejects.toBeInstanceOf(UsageError);
  await expect(prepare({ dataset: "zipf:1" })).rejects.toThrow("filled with different keys");
});
