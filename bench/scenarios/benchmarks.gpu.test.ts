import { expect, test, vi } from "vitest";

import { bucketed } from "../../kernels/bucketed/bucketed.js";
import { DoesNotFit } from "../../kernels/device/errors.js";
import type { Owner } from "../../kernels/device/owned.js";
import { ownTables, tableType } from "../../kernels/index.js";
import { stash } from "../../kernels/stash/stash.js";
import type { GpuTable, Making, TableOp, TableType } from "../../kernels/table.js";
import type { CellSpec } from "../base/experiment.js";
import { testGpu } from "../device/testing.js";
import { Shared } from "../measure/shared.js";
import { type Benchmark, type KeyCache, prepareCell } from "./benchmark.js";
import type { TableBenchmark } from "./gpu-tables.js";
import { incrementalBenchmark } from "./incremental.js";
import { joinBenchmark } from "./join.js";
import { limitBenchmark } from "./limit.js";
import { patterns } from "./limits/patterns.js";
import { mixedBenchmark } from "./mixed.js";
import { tableBenchmark } from "./table.js";
import { cellOf, cellsOn } from "./testing.js";

const gpu = testGpu();
const cells = cellsOn(gpu);
const { keys } = cells;
const prepare = (benchmark: Benchmark, spec: CellSpec) => cells.prepare(spec, benchmark);
const measured = (spec: CellSpec, benchmark: Benchmark = tableBenchmark) => cells.measured(spec, benchmark);
const cell = cellOf({});

/** Those that answer with members, ids or ranges have repeated.gpu.test.ts. */
const withValues = ownTables.filter(({ answers }) => !answers);
const points = withValues.flatMap(({ id, ops, maxLoadFactor }) =>
  ops
    // An export is not counted.
    .filter((op) => op !== "mixed" && op !== "export")
    .map((op) => ({ table: id, op, loadFactor: Math.min(cell.loadFactor ?? 1, maxLoadFactor) })),
);

test("cells that ask a table for other shares of present keys have one table, and each its own answers", async () => {
  const shared = new Shared(gpu());
  const made = vi.spyOn(bucketed, "create");
  const find = { ...cell, op: "find" };
  const ask = (positiveRatio: number, params = {}, seed = cell.seed) =>
    prepareCell(tableBenchmark, { ...find, positiveRatio, params, seed }, gpu(), keys, shared);
  try {
    const cells = await Promise.all([ask(1), ask(0), ask(0.5), ask(0.5, { lookups: 700 })]);
    expect(made).toHaveBeenCalledTimes(1);
    cells.push(await ask(1, {}, 6));
    expect(made).toHaveBeenCalledTimes(2);
    expect(new Set(cells.map(({ dataHash }) => dataHash)).size).toBe(5);
    for (const one of cells) expect(await one.sample(1)).toBeGreaterThan(0);
    for (const one of cells) {
      expect(await one.verify()).toBe("");
      // The others go on without it.
      one.destroy();
    }
    // They went with the last of them.
    (await ask(1)).destroy();
    expect(made).toHaveBeenCalledTimes(3);
  } finally {
    made.mockRestore();
  }
});

test.each(points)("$table $op is verified and counted", async ({ table, op, loadFactor }) => {
  const positiveRatio = op === "find" ? 0.5 : null;
  const { wrong, metrics } = await measured({ ...cell, table, op, loadFactor, positiveRatio });
  expect(wrong).toBe("");
  expect(metrics.probes).toBeGreaterThanOrEqual(1);
  expect(metrics.warp_efficiency).toBeGreaterThan(0);
  expect(metrics.warp_efficiency).toBeLessThanOrEqual(1);
  expect(metrics.transactions).toBeCloseTo(
    (metrics.table_reads ?? 0) + (metrics.table_writes ?? 0) + (metrics.table_rmws ?? 0),
  );
});

test("an insertion writes every value once and claims every slot with one CAS at least", async () => {
  const { metrics } = await measured({ ...cell, table: "double-hashing" });
  expect(metrics.table_writes).toBe(1);
  expect((metrics.table_rmws ?? 0) - (metrics.failed_cas ?? 0)).toBeCloseTo(1);
});

test("double hashing probes an absent key as often as theory says", async () => {
  // Uniform hashing: 1 / (1 - load factor) probes (Knuth, TAOCP 3, 6.4).
  const { metrics } = await measured({ ...cell, table: "double-hashing", op: "find", n: 20_000, positiveRatio: 0 });
  expect(metrics.probes).toBeGreaterThan(4.6);
  expect(metrics.probes).toBeLessThan(5.4);
});

const chunked = withValues
  .filter(({ incremental }) => incremental)
  .map(({ id, maxLoadFactor }) => ({ table: id, wide: {}, loadFactor: Math.min(0.8, maxLoadFactor) }));
const wide = { keyBytes: 8, valueBytes: 8 };
test.each([...chunked, { table: "stash", wide, loadFactor: 0.8 }])(
  "a run of chunks of $table $wide inserts one after another into an empty table, and cells of each are its stages",
  async ({ table, wide, loadFactor }) => {
    const spec = (chunk: number) => ({ ...cell, table, loadFactor, params: { ...wide, chunk, chunks: 3 } });
    const history = (chunk: number) => tableBenchmark.history?.(spec(chunk));
    expect(history(3)).toEqual({ ...history(1), length: 3 });
    const chunk = await prepare(tableBenchmark, spec(2));
    try {
      const last: number[] = [];
      for (let i = 0; i < 3; i++) {
        if (chunk.mutates) await chunk.reset();
        last.push(await chunk.sample());
      }
      const [one, two] = [1, 2].map((number) => chunk.stage?.(spec(number)));
      expect([0, 1, 2].map((run) => two?.ns(run))).toEqual(last);
      for (const run of [0, 1, 2]) expect(one?.ns(run)).toBeGreaterThan(0);
      expect([one?.operations, two?.operations, chunk.operations]).toEqual([1000, 1000, 1000]);
      const occupancy = async (of: typeof one) => (await of?.metrics())?.[0]?.value ?? Number.NaN;
      expect((await occupancy(two)) / (await occupancy(one))).toBeCloseTo(3);
      // Every key that was inserted is asked for.
      expect(await chunk.verify()).toBe("");
    } finally {
      chunk.destroy();
    }
  },
);

test("the passed bit of Stash ends searches for absent keys, and costs as many RMWs as slots were passed", async () => {
  // At load factor a an insertion leaves a slot passed with a probability whose mean over the slots is
  // a + (1 - a) ln(1 - a) = 0.478 at 0.8: 1 / (1 - 0.478) tickets, and 0.478 / 0.8 RMWs a pair.
  const at = { ...cell, table: "stash", n: 20_000 };
  const exact = await measured(at);
  const passed = await measured({ ...at, params: { passed: true } });
  expect((passed.metrics.table_rmws ?? 0) - (exact.metrics.table_rmws ?? 0)).toBeCloseTo(0.598, 1);
  const absent = { ...at, op: "find", positiveRatio: 0 } as const;
  expect((await measured(absent)).metrics.probes).toBeCloseTo(5, 0);
  const { wrong, metrics } = await measured({ ...absent, params: { passed: true } });
  expect(wrong).toBe("");
  expect(metrics.probes).toBeCloseTo(1.92, 1);
});

test.each(["random", "taobench"])(
  "of %s what a table refuses is counted, not found, and nothing else",
  async (dataset) => {
    const at = { ...cell, table: "gph", dataset, loadFactor: 0.95, params: { refusals: true } };
    const built = await measured(at);
    expect(built.wrong).toBe("");
    const { refused_share: refused = 0, overflow_share: overflowed = 0 } = built.metrics;
    const { load_factor_reached: reached = 0 } = built.metrics;
    // Of those whose bucket was full most found room by a move.
    expect(overflowed).toBeGreaterThan(2 * refused);
    expect(overflowed).toBeLessThan(0.5);
    expect(refused).toBeGreaterThan(0.005);
    expect(refused).toBeLessThan(0.2);
    expect(reached).toBeCloseTo(0.95 * (1 - refused), 2);
    const found = await measured({ ...at, op: "find", positiveRatio: 0.5, params: { ...at.params, lookups: 5000 } });
    expect(found.wrong).toBe("");
    expect(found.metrics.refused_share).toBeGreaterThan(0.005);
  },
);

test("random keys beyond the largest binding are inserted and asked for in parts, a table in banks", async () => {
  const binding = vi.spyOn(gpu(), "maxBinding", "get").mockReturnValue(4 * 2000);
  try {
    const at = { ...cell, table: "quotient", n: 3001 };
    const built = await measured(at);
    expect(built.wrong).toBe("");
    expect(built.metrics.load_factor_reached).toBeCloseTo(0.8, 2);
    for (const positiveRatio of [1, 0.5, 0])
      expect((await measured({ ...at, op: "find", positiveRatio, params: { lookups: 1999 } })).wrong).toBe("");
    // Not where all keys have to be in one buffer.
    await expect(prepare(tableBenchmark, { ...at, op: "erase" })).rejects.toThrow(DoesNotFit);
    await expect(prepare(tableBenchmark, { ...at, dataset: "zipf" })).rejects.toThrow(DoesNotFit);
  } finally {
    binding.mockRestore();
  }
});

test("parameter skew is the exponent of the data set zipf, whose repeated keys are overwritten", async () => {
  const asked: string[] = [];
  const recording: KeyCache = {
    get(dataset, n, seed) {
      asked.push(dataset);
      return keys.get(dataset, n, seed);
    },
  };
  const spec = { ...cell, table: "gph", dataset: "zipf", loadFactor: 0.5, params: { skew: 1.5 } };
  const prepared = await prepareCell(tableBenchmark, spec, gpu(), recording);
  if (prepared.mutates) await prepared.reset();
  await prepared.sample();
  expect(await prepared.verify()).toBe("");
  expect(prepared.operations).toBe(cell.n);
  expect(asked).toEqual(["zipf:1.5"]);
  prepared.destroy();
});

test.each([4, 16])("pairs of %i bytes are inserted and looked up like others", async (pairBytes) => {
  // Kernels of small buckets are compiled soonest.
  const at = { ...cell, table: "gph", loadFactor: 0.25, params: { pairBytes, R: 4, M: 4, g: 1, h: 4 } };
  const built = await measured(at);
  expect(built.wrong).toBe("");
  expect(built.metrics.table_writes === 0).toBe(pairBytes === 4);
  expect((await measured({ ...at, op: "find", positiveRatio: 0.5 })).wrong).toBe("");
  await expect(prepare(tableBenchmark, { ...at, params: { pairBytes: 4, refusals: true } })).rejects.toThrow(
    "nothing tells what it refused",
  );
});

test("pairs that a table may refuse are different, and are inserted all at once", async () => {
  const at = { ...cell, table: "gph", params: { refusals: true } };
  for (const change of [{ dataset: "zipf:1" }, { params: { ...at.params, chunk: 1, chunks: 2 } }]) {
    await expect(prepare(tableBenchmark, { ...at, ...change })).rejects.toThrow("may refuse");
  }
});

/** 3001 pairs in 6 slices of 1024 operations and one with what is left. */
const mixedCell = { ...cell, bench: "mixed", op: "mixed", positiveRatio: 0.5, params: { slice: 1000, apart: true } };
const mixing = withValues.filter(({ ops }) => ops.includes("mixed"));

test.each(mixing.map(({ id }) => id))(
  "%s's mixed batches are verified and compared with unmixed ones",
  async (table) => {
    const { wrong, metrics } = await measured({ ...mixedCell, table }, mixedBenchmark);
    expect(wrong).toBe("");
    expect(metrics.mixing_efficiency).toBeGreaterThan(0);
    expect(metrics.mixing_efficiency_sliced).toBeGreaterThan(0);
    expect(metrics.load_factor_reached).toBeCloseTo(0.8, 2);
  },
);

test("what mixing costs is told by the kernels of the mix, not by insertion in bulk", async () => {
  const type: TableType = {
    ...stash,
    create: async (...made) => {
      const insert = () => Promise.reject(new Error("inserted in bulk"));
      return Object.assign(await stash.create(...made), { insert });
    },
  };
  const prepare: Benchmark["prepare"] = (cell, context) => mixedBenchmark.prepareAs(type, cell, context);
  const { metrics } = await measured({ ...mixedCell, table: "stash" }, { ...mixedBenchmark, prepare });
  expect(metrics.mixing_efficiency).toBeGreaterThan(0);
});

test("cuckoo moves a pair by two exchanges and a write, and looks at all places of an absent key", async () => {
  const params = { ...mixedCell.params, earlyExit: false };
  const { wrong, metrics } = await measured(
    { ...mixedCell, table: "cuckoo", positiveRatio: 0, params },
    mixedBenchmark,
  );
  expect(wrong).toBe("");
  const { table_rmws = 0, table_writes = 0, table_reads = 0, probes = 0 } = metrics;
  // Of two operations one is an insertion.
  expect(table_writes).toBeGreaterThan(0.5);
  expect(table_rmws).toBeCloseTo(2 * table_writes);
  expect(table_reads).toBe(0.5 * 4);
  expect(probes).toBeCloseTo(table_reads + table_writes);
});

test("cuckoo's insertion makes an exchange a step, and gathers a pair for every eviction and for every slot it fills", async () => {
  const { metrics } = await measured({ ...cell, table: "cuckoo", n: 20_000 });
  const { probes = 0, table_rmws = 0, table_reads = 0, table_writes = 0 } = metrics;
  // Attempts at random slots until one is free (4.5.3): -ln(1 - load factor) / load factor.
  expect(probes).toBeGreaterThan(1.9);
  expect(probes).toBeLessThan(2.2);
  expect(table_rmws).toBe(probes);
  expect(table_reads).toBeCloseTo(probes);
  expect(table_writes).toBeCloseTo(1 / 0.8 / 4, 2);
});

test("cuckoo's retrieval of an absent key ends at an empty slot, unless told to look at all", async () => {
  const absent = { ...cell, table: "cuckoo", op: "find", n: 20_000, positiveRatio: 0 } as const;
  // The slot of every function is empty with probability 1 - 0.8.
  const exits = await measured(absent);
  expect(exits.wrong).toBe("");
  expect(exits.metrics.probes).toBeCloseTo(1 + 0.8 + 0.64 + 0.512, 1);
  const all = await measured({ ...absent, params: { earlyExit: false } });
  expect(all.wrong).toBe("");
  expect(all.metrics.probes).toBe(4);
});

test("two-level makes one RMW a pair, writes every slot, and looks at fewer than three slots of a key", async () => {
  // 7 buckets.
  const at = { ...cell, table: "two-level", n: 7 * 409, loadFactor: 409 / 576 };
  const built = await measured(at);
  expect(built.metrics.table_rmws).toBe(1);
  // The offset, 8 to a sector; the scattered pair; its share of the slots, 4 to a sector; and of the seeds.
  expect(built.metrics.table_writes).toBeCloseTo(1 / 8 + 1 + 576 / 409 / 4 + 1 / 409, 2);
  // Attempts in workgroup memory.
  expect(built.metrics.probes).toBeGreaterThan(1.7);
  expect(built.metrics.probes).toBeLessThan(2.5);
  const found = await measured({ ...at, op: "find", positiveRatio: 1 });
  expect(found.metrics.probes).toBeGreaterThan(1.6);
  expect(found.metrics.probes).toBeLessThan(2);
  // And the seed of the bucket.
  expect(found.metrics.table_reads).toBeCloseTo((found.metrics.probes ?? 0) + 1);
  const missed = await measured({ ...at, op: "find", positiveRatio: 0 });
  expect(missed.metrics.probes).toBe(3);
});

test("an operation that the benchmark does not time is refused, whatever the table lists", async () => {
  const type = { ...bucketed, ops: [...bucketed.ops, "upsort" as TableOp] };
  const upsort = { ...cell, op: "upsort" };
  const byType: Benchmark["prepare"] = (spec, context) => tableBenchmark.prepareAs(type, spec, context);
  await expect(prepare({ ...tableBenchmark, prepare: byType }, upsort)).rejects.toThrow(
    "bucketed has no upsort in bulk",
  );
});

test.each(["quotient", "warpcore"])("%s: an export is verified, and one of fewer pairs is an error", async (table) => {
  expect((await measured({ ...cell, table, op: "export" })).wrong).toBe("");
  const type = tableType(table);
  const { create } = type;
  const fewer = vi.spyOn(type, "create").mockImplementation(async (gpu: Owner, making: Making) => {
    const made = await create(gpu, making);
    return { ...made, export: async () => ({ ns: 1, count: 1, restarts: 0 }) };
  });
  try {
    await expect(measured({ ...cell, table, op: "export" })).rejects.toThrow("1 of ");
  } finally {
    fewer.mockRestore();
  }
});

const inserting: readonly (readonly [TableBenchmark, Partial<CellSpec>])[] = [
  [tableBenchmark, {}],
  [incrementalBenchmark, { params: { batch: 1000 } }],
  [joinBenchmark, { op: "join", params: { probeRatio: 2 } }],
];
test.each(inserting)("a pair that found no slot is an error of the sample, %#", async (benchmark, change) => {
  const create: TableType["create"] = async (...made) => {
    const table = await bucketed.create(...made);
    const insert: GpuTable["insert"] = async (...pairs) => ({ ...(await table.insert(...pairs)), count: 1 });
    return { ...table, insert };
  };
  const byType: Benchmark["prepare"] = (spec, context) => benchmark.prepareAs({ ...bucketed, create }, spec, context);
  const full = await prepare({ ...benchmark, prepare: byType }, { ...cell, ...change });
  if (full.mutates) await full.reset();
  await expect(full.sample()).rejects.toThrow(/^1 of \d+ pairs found no slot$/);
});

test("an operation that a table lists and has not is an error, which says so", async () => {
  const create: TableType["create"] = async (...made) => {
    const { erase: _, ...others } = await bucketed.create(...made);
    return others;
  };
  const byType: Benchmark["prepare"] = (spec, context) =>
    tableBenchmark.prepareAs({ ...bucketed, create }, spec, context);
  const erasing = await prepare({ ...tableBenchmark, prepare: byType }, { ...cell, op: "erase" });
  if (erasing.mutates) await erasing.reset();
  await expect(erasing.sample()).rejects.toThrow("bucketed lists erase among its operations and has none");
});

test("a mixed batch is of a table that has them", async () => {
  const spec = { ...mixedCell, table: "double-hashing" };
  await expect(prepare(mixedBenchmark, spec)).rejects.toThrow("double-hashing has no mixed");
});

test("a table that takes every key once is not run on duplicates", async () => {
  const spec = { ...cell, table: "cuckoo", dataset: "zipf:1" };
  await expect(prepare(tableBenchmark, spec)).rejects.toThrow(/takes every key once/);
});

test.each(patterns.map(({ id }) => id))("access pattern %s is really performed", async (table) => {
  const spec = { ...cell, bench: "limit", table, n: 5000, loadFactor: null, params: { tableMiB: 1 } };
  const prepared = await prepare(limitBenchmark, spec);
  expect(await prepared.sample()).toBeGreaterThan(0);
  expect(await prepared.verify()).toBe("");
  prepared.destroy();
});

test("a table beyond the largest binding does not fit", async () => {
  const spec = { ...cell, bench: "limit", table: "read4", n: 5000, loadFactor: null, params: { tableMiB: 2 ** 20 } };
  await expect(prepare(limitBenchmark, spec)).rejects.toThrow(/binds at most/);
});
