/** The benchmarks of the slab hash's paper beside its mixes: insertion in batches, and allocators. */
import { expect, test } from "vitest";
import { testGpu } from "../gpu/testing.js";
import { cellOf, cellsOn } from "./testing.js";

const { measured, prepare } = cellsOn(testGpu());
const cell = cellOf({
  bench: "incremental",
  table: "slab-hash",
  n: 2500,
  loadFactor: 0.65,
  params: { batch: 1000, total: 3000 },
});

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
    await expect(prepare({ ...cell, params })).rejects.toThrow(/^none: /);
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
  const unknown = prepare({ ...small, table: "none" });
  await expect(unknown).rejects.toThrow("no allocator none");
});
