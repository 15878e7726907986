import { expect, test } from "vitest";
import type { Experiment, FigureSpec } from "../../bench/base/experiment.js";
import { large } from "../../bench/experiments/device/large.js";
import { limits } from "../../bench/experiments/device/limits.js";
import type { ResultRow } from "../../bench/results/record.js";
import type { AccessReference, Reference, TableReference } from "../../bench/results/references.js";
import { row } from "../../bench/results/testing.js";
import { environmentOf, notes } from "./caption.js";
import { referencePoints } from "./references.js";
import { cellsOf, panelName, placeAlong } from "./rows.js";
import { plotData } from "./series.js";
import { experiment } from "./testing.js";

const reference: TableReference = {
  library: "BGHT",
  variant: "b16",
  device: "NVIDIA H200",
  driver: "1",
  date: "",
  n: 1000,
  load_factor: 0.8,
  op: "find",
  positive_ratio: 1,
  lookups: 2000,
  mops: 10,
  check: "ok",
};
const along = (figure: Partial<FigureSpec> = {}): Experiment =>
  experiment(
    {},
    {
      x: { field: "load_factor", title: "Load factor" },
      facet: { field: "op", title: "" },
      beside: { references: true },
      ...figure,
    },
  );
const device = "nvidia-h200";
const rows = [0.5, 0.8, 0.9].map((load_factor) => row({ device, load_factor }));

function drawn(declared: Experiment, own: readonly ReturnType<typeof row>[], all: readonly Reference[]) {
  const placed = cellsOf(declared, own).map((cell) => {
    const x = placeAlong(cell, declared.figure.x.field) as number;
    return { cell, metric: "mops", series: "", panel: panelName(declared.figure.facet, cell), x, y: 1 };
  });
  return referencePoints(declared, placed, [...new Set(placed.map(({ x }) => x))], all);
}

test("a library's rate stands in the panel and at the x of its setting, apart from our points", () => {
  expect(drawn(along(), rows, [reference])).toEqual([
    { series: "CUDA: BGHT", panel: "find", x: 0.8, y: 10, reference },
  ]);
});

test("another device model gets none, nor do two models in one figure", () => {
  const here = (name: string) =>
    drawn(
      along(),
      rows.map((one) => ({ ...one, device: name })),
      [reference],
    );
  expect(here("NVIDIA H200")).toHaveLength(1);
  for (const name of ["nvidia-h100", "nvidia-h200-nvl", "llvmpipe", ""]) expect(here(name), name).toEqual([]);
  expect(drawn(along(), [...rows, row({ device: "nvidia-h100" })], [reference])).toEqual([]);
});

test("only where operation, n, share of present keys and data agree", () => {
  const changed = (change: Partial<TableReference>) => drawn(along(), rows, [{ ...reference, ...change }]);
  expect(changed({ op: "insert", positive_ratio: null })).toEqual([]);
  expect(changed({ n: 2000 })).toEqual([]);
  expect(changed({ positive_ratio: 0.5 })).toEqual([]);
  expect(
    drawn(
      along(),
      rows.map((one) => ({ ...one, dataset: "zipf:1.0" })),
      [reference],
    ),
  ).toEqual([]);
  const fixed = along({ x: { field: "positive_ratio", title: "" } });
  expect(drawn(fixed, [row({ device, load_factor: 0.7 })], [reference])).toEqual([]);
  expect(drawn(fixed, [row({ device, load_factor: 0.8 })], [reference])).toHaveLength(1);
});

test("none beyond the x of our points, and none of libraries that the figure does not name", () => {
  expect(drawn(along(), rows, [{ ...reference, load_factor: 0.95 }])).toEqual([]);
  expect(drawn(along({ beside: { references: ["CUDPP"] } }), rows, [reference])).toEqual([]);
  expect(drawn(along({ beside: { references: ["CUDPP", "BGHT"] } }), rows, [reference])).toHaveLength(1);
});

test("along n a reference may stand between our sizes", () => {
  const sizes = [512, 4096].map((n) => row({ device, n }));
  const [point] = drawn(along({ x: { field: "n", title: "n", scale: "log2" } }), sizes, [reference]);
  expect(point?.x).toBe(1000);
});

test("figures draw them on an H200 only, beside series of their own, and the caption says what they are", () => {
  const at = (name: string) =>
    plotData(
      along(),
      rows.map((one) => ({ ...one, device: name, n: 100_000_000 })),
    );
  const data = at(device);
  expect(data.points).toHaveLength(3);
  expect(data.series.map(({ name }) => name)).toEqual(["GPH"]);
  expect(data.referenceSeries.map(({ name }) => name)).toContain("CUDA: cuCollections");
  const text = notes(along(), data, {
    device,
    driver: "",
    dawn: "",
    toggles: "",
    commit: "",
    date: "",
    software: false,
  }).join(" ");
  expect(text).toContain(
    "CUDA libraries on NVIDIA H200 (driver 580.159), date not recorded; 100,000,000 pairs, 200,000,000 lookups",
  );
  expect(text).toContain("no part of rows, claims or comparisons");
  expect(at("nvidia-h100").references).toEqual([]);
  expect(plotData(experiment(), rows).references).toEqual([]);
});

const access: AccessReference = {
  library: "lookups, 32 B",
  variant: "cudaMalloc",
  device: "NVIDIA H200",
  driver: "",
  date: "2026-11-20",
  access: "lookup32",
  table_mib: 4096,
  op: "lookup",
  mops: 10,
  check: "ok",
};
const accessRow = {
  device,
  experiment: "device/large",
  bench: "limit",
  dataset: "",
  load_factor: null,
  positive_ratio: null,
};
const ofSize = (table: string, op: string, tableMiB: number, change: Partial<ResultRow> = {}) =>
  row({ ...accessRow, table, op, params: { tableMiB }, n: 2 ** 26, ...change });
const plainOf = { variant: "plain" };
const largeRows = [2048, 12000].flatMap((mib) => [
  ofSize("lookup32", "lookup", mib),
  ofSize("cas", "modify", mib),
  ofSize("lookup32", "lookup", mib, { ...plainOf, params: { tableMiB: mib, allocation: "plain" } }),
]);

test("an access in CUDA stands at its size in the panel of its kind, once, within the x of our points", () => {
  const at = (change: Partial<AccessReference>) => drawn(large, largeRows, [{ ...access, ...change }]);
  expect(at({})).toEqual([
    { series: "CUDA: lookups, 32 B", panel: "Random lookups", x: 4096, y: 10, reference: access },
  ]);
  expect(at({ access: "cas", op: "modify" })).toMatchObject([{ panel: "Random RMWs and writes", x: 4096 }]);
  for (const table_mib of [1024, 12288]) expect(at({ table_mib }), String(table_mib)).toEqual([]);
  // A pattern that the figure does not draw, a kind that is not the pattern's, another device model.
  expect(at({ access: "lookup4" })).toEqual([]);
  expect(at({ op: "modify" })).toEqual([]);
  expect(at({ device: "NVIDIA H100 80GB HBM3" })).toEqual([]);
  expect(at({ check: "wrong" })).toEqual([]);
  // Strided updates have an access of the same name.
  const strided = largeRows.map((one) => ({ ...one, bench: "strided" }));
  expect(drawn(large, strided, [access])).toEqual([]);
});

test("accesses are drawn beside no table, and tables beside no access", () => {
  expect(drawn(along(), rows, [access])).toEqual([]);
  expect(drawn(large, largeRows, [{ ...reference, op: "lookup" }])).toEqual([]);
  const alongOps = along({ x: { field: "op", title: "" } });
  expect(drawn(alongOps, [ofSize("lookup32", "lookup", 2048, { experiment: "gph/test" })], [access])).toEqual([]);
  expect(drawn(alongOps, [ofSize("lookup32", "lookup", 4096, { experiment: "gph/test" })], [access])).toHaveLength(1);
});

test("device/large draws the accesses that are kept, device/limits none, and the caption says what they are", () => {
  const data = plotData(large, largeRows);
  expect(data.referenceSeries.map(({ name }) => name)).toEqual(["CUDA: lookups, 32 B", "CUDA: atomicCAS, 4 B"]);
  expect(Math.max(...data.references.map(({ x }) => Number(x)))).toBe(8192);
  const text = notes(large, data, environmentOf(largeRows)).join(" ");
  expect(text).toContain(
    "Hollow, for reference: the same accesses in CUDA, memory by cudaMalloc, on NVIDIA H200, date not recorded. Measured by other code in another run",
  );
  expect(text).not.toContain("CUDA libraries");
  const inLimits = largeRows.map((one) => ({ ...one, experiment: "device/limits" }));
  expect(plotData(limits, inLimits).references).toEqual([]);
});
