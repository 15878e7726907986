import { expect, test } from "vitest";
import type { CellSpec } from "../base/experiment.js";
import { expand } from "../experiments/expand.js";
import { experiments } from "../experiments/index.js";
import { blocks, bundles, byPlace, only, readyFirst, runsFor } from "./order.js";

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

test("experiments whose cells one run measures are measured together, others by themselves", () => {
  const named = (id: string) => {
    const found = experiments.find((one) => one.id === id);
    if (!found) throw new Error(`no ${id}`);
    return found;
  };
  const ids = ["dycuckoo/fig11", "gph/fig10", "dycuckoo/fig12", "dycuckoo/fig13", "dycuckoo/fig14", "dycuckoo/fig15"];
  const parts = ids.map((id) => ({
    experiment: named(id),
    cells: expand(named(id), { scale: 1, quick: false, seed: 1 }),
  }));
  const all = blocks(parts);
  expect(all.map((one) => one.experiments.map(({ id }) => id))).toEqual([
    ids.filter((id) => id.startsWith("dycuckoo")),
    ["gph/fig10"],
  ]);
  const [dynamic] = all;
  expect(dynamic?.cells).toHaveLength(75 + 1560 + 75 + 50 + 50);
  // The default point of every axis is one history of each table and data set.
  expect(runsFor(dynamic?.cells ?? [])).toHaveLength(75 + 60 + 40 + 40);
  expect(runsFor(parts[2]?.cells ?? [])).toHaveLength(15);
});

const of = (...sets: readonly (readonly [string, number])[]) => ({
  experiments: experiments.slice(0, 1),
  cells: sets.map(([dataset, n]) => ({ dataset, n, seed: 1, params: {} }) as unknown as CellSpec),
});

test("experiments whose data sets the host makes come last, the others as they were", async () => {
  const large = 50_000_000;
  const mixed = of(["random", large], ["tw", large]);
  const join = of(["lineitem", large]);
  const random = of(["random", large], ["random", 1000]);
  const small = of(["tw", 100_000]);
  const none = of(["", large]);
  const unknown = of(["/no/such/file.csv:key", large]);
  const all = [mixed, random, join, small, none, unknown];
  expect(await readyFirst(all)).toEqual([random, small, none, unknown, mixed, join]);
});

test("an experiment without cells is in no block", () => {
  const parts = experiments
    .slice(0, 2)
    .map((experiment) => ({ experiment, cells: [{ ...cell, experiment: experiment.id }] }));
  const some = only(parts, ({ experiment }) => experiment === parts[1]?.experiment.id);
  expect(blocks(some).map(({ experiments: [first] }) => first)).toEqual([parts[1]?.experiment]);
});

test("by place, blocks are cut where a figure has several, but for histories", () => {
  const of = (id: string) => {
    const experiment = experiments.find((one) => one.id === id);
    if (!experiment) throw new Error(id);
    return blocks([
      { experiment, cells: expand(experiment, { scale: 1, quick: true, seed: 1, tables: ["cuckoo", "dycuckoo"] }) },
    ]);
  };
  // Insertions and lookups of three sizes. Those of present keys are at one place with those of absent ones.
  const cut = byPlace(of("tables/implementations")).map(({ cells }) => new Set(cells.map(({ n, op }) => `${op} ${n}`)));
  expect(cut.map(({ size }) => size)).toEqual([1, 1, 1, 1, 1, 1]);
  expect(byPlace(of("dycuckoo/fig12"))).toHaveLength(1);
});
