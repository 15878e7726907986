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

test("a batch that is left out is seen", async () => {
  const type = spoiled((batch) => ({ ...batch, slices: batch.slices.slice(0, -1) }));
  expect((await measured(type)).wrong).toMatch(
    /^250 of 2000 results are wrong, the first for operation 1750 .*0xdeadbeef/,
  );
});

test("values that stay those of an earlier sample are seen", async () => {
  let first: Uint32Array | null = null;
  const type = spoiled(async (batch) => {
    first ??= await gpu().read(batch.values, 2000);
    gpu().write(batch.values, 0, first);
    return batch;
  });
  expect((await measured(type)).wrong).toMatch(
    /answered wrongly, the first is key .*, which is there|results are wrong/,
  );
});

test("a table that fills up during the batches says so", async () => {
  await expect(measured(stash, { loadFactor: 0.999 })).rejects.toThrow(/insertions found no slot: 2000 pairs, and 50/);
});

test("a cell has a load factor or buckets, and keys of its own", async () => {
  await expect(measured(stash, { loadFactor: null })).rejects.toThrow("needs a load factor, or buckets");
  await expect(measured(stash, { dataset: "zipf:1" })).rejects.toThrow(/zipf:1 has \d+ duplicates/);
});
