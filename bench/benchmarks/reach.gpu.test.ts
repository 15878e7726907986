import { afterEach, expect, test } from "vitest";
import { UsageError } from "../../kernels/device/errors.js";
import type { CellSpec } from "../experiment.js";
import { testGpu } from "../gpu/testing.js";
import { loadKeys } from "../workload/workload.js";
import { prepare as prepareByName } from "./index.js";

const gpu = testGpu();
const made: { destroy(): void }[] = [];
afterEach(() => {
  for (const one of made.splice(0)) one.destroy();
});

async function keysOf(dataset: string, n: number, seed: number) {
  const keys = await loadKeys(gpu(), dataset, n, seed);
  made.push(keys);
  return keys;
}

const N = 2 ** 13;
const cell: CellSpec = {
  ...{ experiment: "gph/fig15a", bench: "reach", table: "gph", variant: "", op: "insert", dataset: "random" },
  ...{ n: N, loadFactor: 1, positiveRatio: null, seed: 1, params: { refusals: true, batches: 32 } },
};

async function prepare(change: Partial<CellSpec>) {
  const prepared = await prepareByName({ ...cell, ...change }, gpu(), { get: keysOf });
  made.push(prepared);
  return prepared;
}

/** Two samples of a cell, verified, and its metrics. */
async function measured(change: Partial<CellSpec>) {
  const prepared = await prepare(change);
  for (let run = 0; run < 2; run++) {
    if (prepared.mutates) await prepared.reset();
    expect(await prepared.sample()).toBeGreaterThan(0);
    expect(await prepared.verify()).toBe("");
  }
  const metrics = Object.fromEntries((await prepared.metrics(1)).map(({ metric, value }) => [metric, value]));
  return { operations: prepared.operations, reached: Number(metrics.load_factor_reached), metrics };
}

test("GPH reaches the load factors that it is said to take, and not all; fewer with two virtual buckets of four slots", async () => {
  const { operations, reached, metrics } = await measured({});
  expect(operations % (N / 32)).toBe(0);
  // 23 of 32 batches here. Which pairs meet in a virtual bucket is given by the seed, which of them comes last is not.
  expect(Math.abs(reached - 23 / 32)).toBeLessThan(1.5 / 32);
  expect(metrics.refused_share).toBeLessThan(0.001);
  const small = await measured({ params: { ...cell.params, R: 2, M: 4, h: 4 } });
  expect(Math.abs(small.reached - 11 / 32)).toBeLessThan(1.5 / 32);
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
