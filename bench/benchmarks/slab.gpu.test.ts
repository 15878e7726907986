/** The benchmarks of the slab hash's paper beside its mixes: insertion in batches, and allocators. */
import { expect, test } from "vitest";
import type { CellSpec } from "../experiment.js";
import { testGpu } from "../gpu/testing.js";
import { type KeyCache, prepareCell } from "../measure/benchmark.js";
import { loadKeys } from "../workload/workload.js";
import { prepare } from "./index.js";

const gpu = testGpu();
const keys: KeyCache = { get: (dataset, n, seed) => loadKeys(gpu(), dataset, n, seed) };
const cell: CellSpec = {
  ...{ experiment: "none", bench: "incremental", table: "slab-hash", variant: "", op: "insert", dataset: "random" },
  ...{ n: 2500, loadFactor: 0.65, positiveRatio: null, seed: 5, params: { batch: 1000, total: 3000 } },
};

async function measured(spec: CellSpec) {
  const prepared = await prepare(spec, gpu(), keys);
  try {
    for (let i = 0; i < 2; i++) {
      if (prepared.mutates) await prepared.reset();
      expect(await prepared.sample()).toBeGreaterThan(0);
    }
    const wrong = await prepared.verify();
    return { wrong, metrics: Object.fromEntries((await prepared.metrics(1)).map((one) => [one.metric, one.value])) };
  } finally {
    prepared.destroy();
  }
}

test("a table that can be added to takes each batch once", async () => {
  const { wrong, metrics } = await measured(cell);
  expect(wrong).toBe("");
  expect(metrics.table_writes).toBeCloseTo(1, 1);
});

test("a table that cannot is built of all pairs so far after every batch", async () => {
  const { wrong, metrics } = await measured({ ...cell, table: "cuckoo" });
  expect(wrong).toBe("");
  // 1,000, 2,000 and 2,500 pairs are built, each of them with a probe at least.
  expect(metrics.probes).toBeGreaterThan(5500 / 2500);
});

test.each([{ params: {} }, { params: { batch: 1000, total: 2000 } }])(
  "%o are no batches of 2,500 pairs",
  async ({ params }) => {
    await expect(prepare({ ...cell, params }, gpu(), keys)).rejects.toThrow(/^none: /);
  },
);

const allocation = { ...cell, bench: "alloc", dataset: "", n: 5000, loadFactor: null, params: {} };
const operations = ["slab-alloc", "slab-alloc-light", "bump"].flatMap((table) =>
  (table === "bump" ? ["allocate"] : ["allocate", "deallocate"]).map((op) => ({ table, op })),
);

test.each(operations)(
  "$table: $op leaves as many slabs in use as there should be, each of one lane",
  async (change) => {
    const { wrong } = await measured({ ...allocation, ...change });
    expect(wrong).toBe("");
  },
);

test("a pool of exactly as many slabs is enough, and an allocator that is none is refused", async () => {
  const small = { ...allocation, table: "bump", op: "allocate", n: 5000, params: { pool: 1 } };
  await expect(measured({ ...small, n: 1024 })).resolves.toMatchObject({ wrong: "" });
  const { allocBenchmark } = await import("./alloc.js");
  const unknown = prepareCell(allocBenchmark, { ...small, table: "none" }, gpu(), keys);
  await expect(unknown).rejects.toThrow("no allocator none");
});
