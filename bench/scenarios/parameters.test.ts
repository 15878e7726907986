import { expect, test } from "vitest";
import { createTable } from "../../kernels/create.js";
import { UsageError } from "../../kernels/device/errors.js";
import { FakeGpu } from "../../kernels/device/fake.js";
import { ownTables, tableType } from "../../kernels/index.js";
import type { CellSpec } from "../base/experiment.js";
import { CellTable } from "./cell-table.js";
import { bytesOf, checkParameters, prepare } from "./index.js";
import { cellOf } from "./testing.js";

const cell = cellOf({ experiment: "mine", table: "stash", op: "find", n: 2000, loadFactor: 0.5, positiveRatio: 1 });

test("a cell may have its benchmark's parameters and its table's", () => {
  const own = checkParameters({ ...cell, params: { lookups: 100, ticket: 4 } });
  expect(own?.id).toBe("stash");
  expect(own?.params).toMatchObject({ ticket: 4, keyBytes: 4 });
  expect(own?.params).not.toHaveProperty("lookups");
});

const refused: readonly (readonly [Partial<CellSpec>, RegExp])[] = [
  [{ params: { tickt: 4 } }, /^mine: stash has no parameter tickt; did you mean ticket\? It has lookups, chunk, /],
  [{ params: { lookup: 4 } }, /did you mean lookups\?/],
  [{ params: { lookups: 0.5 } }, /lookups is 0\.5; it takes a whole number/],
  [{ params: { slice: 100 } }, /has no parameter slice/],
  [{ bench: "mixed", params: { slice: 1 } }, /slice is 1; it takes a whole number from 2/],
  [{ bench: "host", params: { access: true } }, /has no parameter access/],
  [{ bench: "host", table: "bucketed" }, /bucketed cannot be in host memory/],
  [{ bench: "strided", table: "add", params: { stride: 3 } }, /stride is 3; it takes 1, 2, 4, /],
  [{ bench: "limit", table: "cas", params: { tableMib: 1 } }, /did you mean tableMiB\?/],
  [{ bench: "cpu", table: "js-map", params: { ticket: 4 } }, /js-map has no parameter ticket/],
  [{ bench: "restarts", table: "cuckoo", params: { functions: 6, builds: 10 } }, /functions is 6/],
  [{ bench: "tables" }, /no benchmark tables; there are table, mixed, /],
];

test.each(refused)("%o is refused, before anything is made", async (change, message) => {
  const spec = { ...cell, ...change };
  expect(() => checkParameters(spec)).toThrow(message);
  expect(() => checkParameters(spec)).toThrow(UsageError);
  expect(() => bytesOf(spec)).toThrow(message);
  const keys = { get: () => Promise.reject(new Error("keys were made")) };
  await expect(prepare(spec, new FakeGpu(), keys)).rejects.toThrow(message);
});

test("the bytes of a cell are those of its parameters", () => {
  const wide = { ...cell, params: { keyBytes: 64 } };
  expect(bytesOf(wide).all).toBeGreaterThan(5 * bytesOf(cell).all);
});

const ofCell = (change: Partial<CellSpec>) =>
  new CellTable({ ...cell, ...change }, tableType("stash"), { parameters: [] });
const filled = (n: number, slots: number, bytes = 8 * slots) =>
  ofCell({ table: "mine", loadFactor: 0.8 }).checkFilled(n, { slots, bytes });

test("a table that rounds its slots, or counts its load factor in bytes, is as full as was asked for", () => {
  expect(() => filled(80_000, 104_000)).not.toThrow();
  expect(() => filled(8, 4096)).not.toThrow();
  expect(() => filled(80_000, 150_000, 800_000)).not.toThrow();
});

test("a table that is fuller or emptier than was asked for is refused with the load factor that it has", () => {
  expect(() => filled(80_000, 131_072)).toThrow(
    "mine: 131072 slots for 80000 pairs are a load factor of 0.61, not 0.8",
  );
  expect(() => filled(80_000, 131_072)).toThrow(UsageError);
  expect(() => filled(80_000, 80_000)).toThrow(/load factor of 1, not 0\.8/);
});

test.each(ownTables.filter(({ dense }) => !dense))("$id is as full as it is asked to be", async (type) => {
  for (const n of [100, 3000, 2 ** 16, 10 ** 6])
    for (const share of [0.3, 0.7, 1]) {
      const loadFactor = share * type.maxLoadFactor;
      const table = await createTable(type, new FakeGpu(), { n, loadFactor, seed: 1, params: {}, counting: false });
      expect(() =>
        new CellTable({ ...cell, table: type.id, loadFactor }, type, { parameters: [] }).checkFilled(n, table),
      ).not.toThrow();
    }
});
