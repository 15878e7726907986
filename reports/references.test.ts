import { expect, test } from "vitest";
import type { Experiment, FigureSpec } from "../bench/experiment.js";
import type { Reference } from "../bench/results/references.js";
import { row } from "../bench/results/testing.js";
import { notes } from "./caption.js";
import { referencePoints } from "./references.js";
import { cellsOf, panelName, placeAlong } from "./rows.js";
import { plotData } from "./series.js";
import { experiment } from "./testing.js";

const reference: Reference = {
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
      references: true,
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
  const changed = (change: Partial<Reference>) => drawn(along(), rows, [{ ...reference, ...change }]);
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
  expect(drawn(along({ references: ["CUDPP"] }), rows, [reference])).toEqual([]);
  expect(drawn(along({ references: ["CUDPP", "BGHT"] }), rows, [reference])).toHaveLength(1);
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
