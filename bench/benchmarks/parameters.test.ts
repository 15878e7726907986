import { expect, test } from "vitest";
import { UsageError } from "../../kernels/device/errors.js";
import { FakeGpu } from "../../kernels/device/fake.js";
import type { CellSpec } from "../experiment.js";
import { bytesOf, checkParameters, prepare } from "./index.js";

const cell: CellSpec = {
  ...{ experiment: "mine", bench: "table", table: "stash", variant: "", op: "find", dataset: "random" },
  ...{ n: 2000, loadFactor: 0.5, positiveRatio: 1, seed: 1, params: {} },
};

test("a cell may have its benchmark's parameters and its table's", () => {
  const own = checkParameters({ ...cell, params: { lookups: 100, ticket: 4 } });
  expect(own?.type.id).toBe("stash");
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
