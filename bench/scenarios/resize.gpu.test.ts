import { expect, test } from "vitest";
import { DoesNotFit } from "../../kernels/device/errors.js";
import { registerTable, tableType } from "../../kernels/index.js";
import type { GpuTable, Resizable, Traits } from "../../kernels/table.js";
import { altered } from "../../kernels/testing.js";
import { testGpu } from "../device/testing.js";
import { cellOf, cellsOn } from "./testing.js";

const { keys, measured, prepare } = cellsOn(testGpu());
const cell = cellOf({
  bench: "resize",
  table: "dycuckoo",
  op: "upsize",
  n: 5000,
  loadFactor: 0.85,
  params: { resize: true, alpha: 0, beta: 1 },
});

/** Of two fills of a table, in which other lanes may get a slot first. */
const SAME = 0.05;

test.each(["random", "zipf:1.0"])("an upsize by relocation accesses a bucket for each pair, %s", async (dataset) => {
  const { wrong, metrics, operations } = await measured({ ...cell, dataset });
  expect(wrong).toBe("");
  expect(Math.abs((metrics.buckets_accessed ?? 0) - operations)).toBeLessThan(SAME * operations);
  expect(metrics.filled_factor).toBeGreaterThan(metrics.load_factor_reached ?? 1);
});

test("rehashing accesses one bucket a pair, or more where it evicts", async () => {
  const relocated = await measured(cell);
  const params = { ...cell.params, how: "rehash" };
  const { wrong, metrics, operations } = await measured({ ...cell, params });
  expect(wrong).toBe("");
  expect(Math.abs(operations - relocated.operations)).toBeLessThan(SAME * operations);
  expect(metrics.buckets_accessed).toBeGreaterThan((1 - SAME) * operations);
  expect(metrics.buckets_accessed).toBeLessThan(3 * operations);
});

test.each(["relocate", "rehash"])("a downsize by %s", async (how) => {
  const params = { ...cell.params, how };
  const { wrong, metrics } = await measured({ ...cell, op: "downsize", loadFactor: 0.3, params });
  expect(wrong).toBe("");
  expect(metrics.load_factor_reached).toBeGreaterThan(0.3);
  expect(metrics.buckets_accessed).toBeGreaterThan(0);
});

test("of sub-tables that begin alike one is doubled", async () => {
  const { wrong, metrics, operations } = await measured({ ...cell, params: { ...cell.params, alike: true } });
  expect(wrong).toBe("");
  // Four of them were full to one factor: a quarter of the pairs moves, and there are five fourths of the slots.
  expect(operations).toBeGreaterThan(0.24 * 5000);
  expect(operations).toBeLessThan(0.26 * 5000);
  expect(metrics.upsized_share).toBeCloseTo(operations / 5000, 2);
  expect(metrics.filled_factor).toBeCloseTo(1.25 * (metrics.load_factor_reached ?? 0), 6);
});

test("of MegaKV all pairs move", async () => {
  const { wrong, operations } = await measured({ ...cell, table: "megakv" });
  expect(wrong).toBe("");
  expect(operations).toBe(5000);
});

test("a table that keeps its size is not resized, nor one that resizes itself before", async () => {
  const fixed = prepare({ ...cell, params: {} });
  await expect(fixed).rejects.toThrow("dycuckoo is resized only with resize: true");
  const early = { ...cell, op: "downsize", loadFactor: 0.3, params: { resize: true, alpha: 0.5 } };
  await expect(prepare(early)).rejects.toThrow("the table resized itself");
});

test("a downsize for which there is no room is no sample", async () => {
  const full = { ...cell, op: "downsize", loadFactor: 0.84 };
  await expect(prepare(full)).rejects.toThrow(DoesNotFit);
});

test.each([
  ["erases a key", "4999 pairs after the resize, 5000 before"],
  ["changes a value", /^1 of 5000 results are wrong/],
] as const)("a resize that %s is noticed", async (fault, said) => {
  const type = tableType("dycuckoo");
  const data = await keys.get("random", 5000, 5);
  const create = async (of: Traits, ...[own, making]: Parameters<Traits["create"]>): Promise<GpuTable> => {
    const table = await of.create(own, making);
    const { resizable } = table;
    if (!resizable) throw new Error("a table that cannot be resized");
    const resize: Resizable["resize"] = async (run, direction, how) => {
      const result = await resizable.resize(run, direction, how);
      if (fault === "erases a key") await table.erase?.(run, { keys: data.keys, n: 1 });
      else await table.insert(run, { keys: data.keys, values: data.absent, n: 1 });
      return result;
    };
    return Object.create(table, { resizable: { value: { ...resizable, resize } } });
  };
  registerTable(altered(type, (of) => ({ create: (own, making) => create(of, own, making) }), fault));
  const prepared = await prepare({ ...cell, table: fault });
  expect(await prepared.verify()).toMatch(said);
});
