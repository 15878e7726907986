import { expect, test } from "vitest";
import type { CellSpec } from "../base/experiment.js";
import { bundles } from "./bundles.js";

const cell: CellSpec = {
  experiment: "none",
  bench: "dynamic",
  table: "dycuckoo",
  variant: "",
  op: "dynamic",
  dataset: "random",
  n: 3000,
  loadFactor: 0.8,
  positiveRatio: null,
  seed: 5,
  params: { resize: true, batchSize: 1000 },
};
const at = (phase: number, batch: number, more: Partial<CellSpec> = {}): CellSpec => ({
  ...cell,
  ...more,
  params: { ...cell.params, phase, batch },
});

const indices = (cells: readonly CellSpec[]) =>
  bundles([...cells.keys()], (index) => cells[index] ?? cell).map((bundle) => [...bundle]);

test("cells of one history are measured together, by the one that gets furthest", () => {
  expect(indices([at(1, 2), at(2, 1), at(1, 3)])).toEqual([[1, 2, 0]]);
  // Without phase and batch it is the whole history.
  expect(indices([at(2, 3), cell, at(2, 2)])).toEqual([[0, 1, 2]]);
});

test("cells of other experiments that do the same are measured together too, whether they say a default or not", () => {
  const small = { ...cell, params: { resize: true, beta: 0.85 } };
  const elsewhere = { ...cell, experiment: "another", params: { beta: 0.85, r: 0.2, batchSize: 300, resize: true } };
  expect(indices([small, elsewhere])).toEqual([[0, 1]]);
  expect(indices([small, { ...elsewhere, params: { ...elsewhere.params, r: 0.3 } }])).toEqual([[0], [1]]);
  expect(indices([small, { ...elsewhere, params: { ...elsewhere.params, beta: 0.8 } }])).toEqual([[0], [1]]);
});

test("cells of other histories, and those without one, are measured apart", () => {
  const other = at(1, 1, { table: "megakv" });
  const insert: CellSpec = { ...cell, bench: "table", op: "insert", params: {} };
  expect(indices([at(1, 1), insert, other, insert, at(1, 2)])).toEqual([[4, 0], [1], [2], [3]]);
  expect(indices([at(1, 1), at(1, 2, { seed: 6 })])).toEqual([[0], [1]]);
});

test("a batch that there is none of is in no history", () => {
  expect(indices([at(1, 1), at(1, 4)])).toEqual([[0], [1]]);
});
