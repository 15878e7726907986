import { expect, test } from "vitest";
import { FakeGpu } from "../../kernels/device/fake.js";
import { scoped } from "../../kernels/device/owned.js";
import { tableType } from "../../kernels/index.js";
import type { Params } from "../../kernels/table.js";
import { experiments } from "../experiments/index.js";
import { DEVICE_SHARE } from "./allocation.js";
import { CellTable } from "./cell-table.js";
import { whole } from "./parameters.js";
import { cellOf } from "./testing.js";

const cell = cellOf({ n: 2 ** 20, loadFactor: null });
const held = (table: string, params: Params = {}, loadFactor = 0.8, refused = 0) =>
  new CellTable({ ...cell, table, loadFactor, params }, tableType(table), { parameters: [] }).heldPerPair(
    cell.n,
    refused,
  );
const tables = experiments.find(({ id }) => id === "tables/load-factor");

test("a table whose cell has no load factor is as full as it can be, and one without spare slots is full", () => {
  const loadFactor = (table: string, params: Params = {}) =>
    new CellTable({ ...cell, table, params }, tableType(table), { parameters: [] }).loadFactor;
  expect(loadFactor("slab-hash", { buckets: 64 })).toBe(tableType("slab-hash").maxLoadFactor);
  expect(loadFactor("gph")).toBe(0.55);
  expect(loadFactor("gph", { refusals: true })).toBe(1);
  expect(loadFactor("radix-sort")).toBe(1);
});

test("parameters that a cell leaves out have the defaults of its table, those of its benchmark are not its table's", () => {
  const parameters = [whole("batch", 1, 10, "of the benchmark")];
  const spec = { ...cell, table: "warpdrive", params: { batch: 3 } };
  const { params } = new CellTable(spec, tableType("warpdrive"), { parameters }).type;
  expect(params).toMatchObject({ group: 8, scheme: "hybrid" });
  expect(params).not.toHaveProperty("batch");
  const presets = () => ({ group: 4 });
  expect(new CellTable(spec, tableType("warpdrive"), { parameters, presets }).type.params.group).toBe(4);
});

test("the bytes of a cell's table are those of the parameters that it is made with", async () => {
  // Its own default of `scheme` rounds the slots up further than the default of the table that it is a variant of.
  const spec = { ...cell, table: "warpdrive", n: 2000, loadFactor: 0.8 };
  const of = new CellTable(spec, tableType("warpdrive"), { parameters: [] });
  const table = await scoped(new FakeGpu(), (own) => of.create(own, { n: 2000 }));
  expect(of.bytes()).toBe(table.bytes);
});

test("a pair takes the slots, with tickets where there are some, or its share of a compact table", () => {
  expect(held("bucketed")).toBeCloseTo(10, 3);
  expect(held("stash")).toBeCloseTo(11.25, 3);
  expect(held("stash", { ticket: 4 })).toBeCloseTo(10.625, 3);
  expect(held("quotient")).toBeCloseTo(10, 3);
  // Bits of locks, and counts of its sub-tables.
  expect(held("dycuckoo")).toBeCloseTo(10.007, 3);
});

test("what a table needs only while it is built is not held", () => {
  expect(held("cuckoo")).toBeCloseTo(10, 3);
  expect(held("radix-sort", {}, 1)).toBe(8);
});

test("a table that refused a fifth of the pairs holds its bytes for the others", () => {
  expect(held("bucketed", {}, 0.8, 2 ** 20 / 5)).toBeCloseTo(12.5, 3);
});

test.each([0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95])(
  "every table of tables/load-factor says it at %s, reached or not",
  (loadFactor) => {
    for (const { table, bench, only, params = {} } of tables?.series ?? []) {
      if (bench !== undefined || only?.loaded) continue;
      const bytes = held(table, params, loadFactor);
      expect(bytes, table).toBeGreaterThan(0.99 * (8 / loadFactor));
      expect(bytes, table).toBeLessThan(1.6 * (8 / loadFactor));
    }
  },
);

test.each([
  [0, ["host", "host", "host", "host"]],
  [0.25, ["device", "host", "host", "host"]],
  [0.5, ["device", "host", "device", "host"]],
  [0.75, ["device", "device", "device", "host"]],
  [1, ["device", "device", "device", "device"]],
])(
  "with a share of %d in the device's memory a table lies in pieces, of which as many are there",
  async (deviceShare, memories) => {
    const limits = { maxStorageBuffersPerShaderStage: 16 };
    const placed = async (n: number, table = "quotient", params: Params = {}) => {
      const spec = { ...cell, table, n, loadFactor: 0.8, params: { deviceShare, ...params } };
      const gpu = Object.assign(new FakeGpu(), { info: { ...new FakeGpu().info, limits } });
      await scoped(gpu, (own) =>
        new CellTable(spec, tableType(table), { parameters: [DEVICE_SHARE] }).create(own, { n }),
      );
      return gpu.allocations.filter(({ label }) => label.startsWith("bank")).map(({ memory }) => memory);
    };
    expect(await placed(2 ** 24)).toEqual(memories);
    // Rooms for records are no part of the table.
    expect(await placed(2 ** 22, "stash", { keyBytes: 64, valueBytes: 64 })).toEqual(memories);
    // Of 10.7 GiB each piece would be larger than a binding: twice as many.
    const many = await placed(2 ** 30);
    expect([many.length, many.filter((memory) => memory === "device").length]).toEqual([8, 8 * deviceShare]);
    await expect(placed(2 ** 19)).rejects.toThrow("small buffers do not get host memory");
  },
);
