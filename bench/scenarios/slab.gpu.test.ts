/** The benchmarks of the slab hash's paper beside its mixes: insertion in batches, and allocators. */
import { expect, test } from "vitest";
import { bucketed } from "../../kernels/bucketed/bucketed.js";
import { slabHash } from "../../kernels/slab-hash/slab-hash.js";
import type { GpuTable, Nodes, TableType } from "../../kernels/table.js";
import { testGpu } from "../device/testing.js";
import type { Benchmark } from "./benchmark.js";
import { flushBenchmark } from "./flush.js";
import { incrementalBenchmark } from "./incremental.js";
import { benchmarks } from "./index.js";
import { byName, cellOf, cellsOn, sampled } from "./testing.js";

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

test.each(["slab-hash", "cuckoo"])("a stage of %s has what a cell of its own has", async (table) => {
  const whole = { ...cell, table, n: 3000 };
  const part = { ...whole, n: 2000 };
  const own = await measured(part);
  const prepared = await prepare(whole);
  const runs = await sampled(prepared, 2);
  expect(await prepared.verify()).toBe("");
  const stage = prepared.stage?.(part);
  if (!stage) throw new Error("no stage");
  expect(stage.operations).toBe(2000);
  expect(await stage.dataHash?.()).toBe(own.dataHash);
  for (const [i, ns] of runs.entries()) {
    expect(stage.ns(i)).toBeGreaterThan(0);
    expect(stage.ns(i)).toBeLessThan(ns);
    expect(prepared.stage?.(whole).ns(i)).toBe(ns);
  }
  const metrics = byName(await stage.metrics());
  expect(Object.keys(metrics)).toEqual(Object.keys(own.metrics));
  // Who evicts whom is a race: probes of two builds were 2.3 % apart.
  for (const metric of ["probes", "table_writes", "memory_utilisation", "load_factor_reached"])
    if (own.metrics[metric]) expect((metrics[metric] ?? 0) / own.metrics[metric], metric).toBeCloseTo(1, 1);
});

test("cells of equal batches are of one history, but for those that end within a batch or are of other keys", () => {
  const historyOf = (change: Partial<typeof cell>) => benchmarks.incremental?.history?.({ ...cell, ...change });
  const whole = historyOf({ n: 3000 });
  expect(whole?.length).toBe(3);
  expect(historyOf({ n: 2000 })).toEqual({ ...whole, length: 2 });
  expect(historyOf({ n: 2500 })).toBeNull();
  expect(historyOf({ n: 2000, dataset: "normal" })).toBeNull();
  expect(historyOf({ n: 2000, seed: 6 })?.name).not.toBe(whole?.name);
  // Without a total the tables differ.
  const untold = { batch: 1000 };
  expect(historyOf({ n: 3000, params: untold })?.name).not.toBe(historyOf({ n: 2000, params: untold })?.name);
});

test("of tables that are built anew each one is verified", async () => {
  let made = 0;
  const create: TableType["create"] = async (...args) => {
    const table = await bucketed.create(...args);
    made += 1;
    const find: GpuTable["find"] = async () => ({ ns: 1, count: 0, restarts: 0 });
    return made === 2 ? { ...table, find } : table;
  };
  const type = { ...bucketed, incremental: false, create };
  const by: Benchmark["prepare"] = (spec, context) => incrementalBenchmark.prepareAs(type, spec, context);
  const prepared = await prepare({ ...cell, table: "bucketed", n: 3000 }, { prepare: by });
  await sampled(prepared, 1);
  expect(await prepared.verify()).toMatch(/^after the last round of 2000 pairs 2000 of 2000 results are wrong/);
});

const flushing = { ...cell, bench: "flush", op: "flush", n: 20_000 };

test("a flush gives back the slabs of erased keys alone; an operation is the flush of a list", async () => {
  const { wrong, metrics, operations } = await measured({ ...flushing, params: { erased: 0.75, buckets: 700 } });
  expect(wrong).toBe("");
  expect(operations).toBe(700);
  // A list of 28 keys has two or three slabs, and one of seven keys one.
  expect(metrics.freed_share).toBeGreaterThan(0.4);
  expect(metrics.average_slab_count).toBeCloseTo(5000 / 700 / 15, 3);
  expect((await measured({ ...flushing, params: { erased: 0 } })).metrics.freed_share).toBe(0);
});

test.each([
  ["loses a key", false, /^5001 of 20000 pairs are missing/],
  ["brings an erased key back", true, /^4999 of 20000 pairs are missing/],
] as const)("a flush that %s is found", async (_, back, message) => {
  const create: TableType["create"] = async (gpu, making) => {
    const table = await slabHash.create(gpu, making);
    let inserted: Parameters<GpuTable["insert"]>[1] | undefined;
    const flush: Nodes["flush"] = async (run) => {
      const result = await table.nodes?.flush?.(run);
      if (!result || !inserted) throw new Error("nothing to flush");
      const { keys, n } = inserted;
      if (back) await table.insert(run, { ...inserted, n: 1 });
      else await table.erase?.(run, { keys, n, first: n - 1 });
      return result;
    };
    const insert: GpuTable["insert"] = (run, pairs) => {
      inserted = pairs;
      return table.insert(run, pairs);
    };
    return { ...table, insert, nodes: { ...(table.nodes as Nodes), flush } };
  };
  const by: Benchmark["prepare"] = (spec, context) => flushBenchmark.prepareAs({ ...slabHash, create }, spec, context);
  const prepared = await prepare({ ...flushing, params: { erased: 0.25 } }, { prepare: by });
  await sampled(prepared, 1);
  expect(await prepared.verify()).toMatch(message);
});

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
  await expect(unknown).rejects.toThrow("has no series none");
});
