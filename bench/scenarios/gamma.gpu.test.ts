import { expect, test } from "vitest";
import { stash } from "../../kernels/stash/stash.js";
import type { MixedBatch, RunSteps, TableType } from "../../kernels/table.js";
import { altered } from "../../kernels/testing.js";
import type { CellSpec } from "../base/experiment.js";
import { testGpu } from "../device/testing.js";
import type { Benchmark } from "./benchmark.js";
import { gammaBenchmark } from "./gamma.js";
import { cellOf, cellsOn } from "./testing.js";

const gpu = testGpu();
const cells = cellsOn(gpu);
const cell = cellOf({
  bench: "gamma",
  table: "stash",
  op: "mixed",
  n: 2000,
  params: { updates: 0.4, batch: 250, batches: 8 },
});

/** Two samples of a cell of this table. */
function measured(type: TableType, change: Partial<CellSpec> = {}) {
  const prepare: Benchmark["prepare"] = (spec, context) => gammaBenchmark.prepareAs(type, spec, context);
  return cells.measured({ ...cell, table: type.id, ...change }, { prepare });
}

/** The table, whose batches go through `change` first. */
function spoiled(change: (batch: MixedBatch) => Promise<MixedBatch> | MixedBatch): TableType {
  return altered(stash, ({ create }) => ({
    create: async (device, making) => {
      const table = await create(device, making);
      const mixed = table.mixed?.bind(table);
      if (!mixed) throw new Error("stash has mixed batches");
      table.mixed = async (run: RunSteps, batch) => mixed(run, await change(batch));
      return table;
    },
  }));
}

const tables = gammaBenchmark.series().map(({ id }) => id);
const mixes = tables.flatMap((table) => [1, 0.2].map((updates) => ({ table, updates })));

test.each(mixes)("$table, $updates updates: every answer is right, and counted", async ({ table, updates }) => {
  const type = gammaBenchmark.tables?.typeOf(table);
  if (!type) throw new Error("the benchmark is of tables");
  const { wrong, metrics, operations } = await measured(type, { params: { ...cell.params, updates } });
  expect(wrong).toBe("");
  expect(operations).toBe(8 * 250);
  expect(metrics.probes).toBeGreaterThanOrEqual(1);
  expect(metrics.memory_utilisation ?? metrics.load_factor_reached).toBeGreaterThan(0);
});

test("operations that are left out are seen", async () => {
  const type = spoiled((batch) => ({ ...batch, slices: batch.slices.map((one) => ({ ...one, count: 249 })) }));
  expect((await measured(type)).wrong).toMatch(
    /^round 0: 1 of 250 results are wrong, the first is number 249 .*0xdeadbeef/,
  );
});

test("values that stay those of an earlier sample are seen", async () => {
  let first: Uint32Array | null = null;
  const type = spoiled(async (batch) => {
    first ??= await gpu().read(batch.values, 250);
    gpu().write(batch.values, 0, first);
    return batch;
  });
  expect((await measured(type)).wrong).toMatch(/results are wrong/);
});

test("a table that fills up during the batches says so", async () => {
  await expect(measured(stash, { loadFactor: 0.999 })).rejects.toThrow(/^\d+ of 50 pairs found no slot$/);
});

test.each([
  [{ n: 59, params: { updates: 0.6, batch: 200 } }, "a batch erases 60 keys of 59"],
  [{ n: 60, params: { updates: 0.6, batch: 200 } }, "a batch erases 60 keys of 60"],
  [{ params: { updates: 1, batch: 3 } }, "half of its updates are insertions"],
])("sizes that do not go together are refused: %o", async (change, message) => {
  await expect(measured(stash, change)).rejects.toThrow(message);
});

test("equal seeds make equal batches, other shares of updates and other seeds others", async () => {
  const hash = async (change: Partial<CellSpec>) => (await cells.prepare({ ...cell, ...change })).dataHash;
  const first = await hash({});
  expect(await hash({})).toBe(first);
  expect(await hash({ seed: 6 })).not.toBe(first);
  const params = { ...cell.params, updates: 1 };
  expect(await hash({ params })).not.toBe(first);
});

test("a cell has a load factor or buckets, and keys of its own", async () => {
  await expect(measured(stash, { loadFactor: null })).rejects.toThrow("needs a load factor, or buckets");
  await expect(measured(stash, { dataset: "zipf:1" })).rejects.toThrow(/zipf:1 has \d+ duplicates/);
});
