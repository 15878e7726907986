import { describe, expect, test } from "vitest";
import type { ResultRow } from "../../bench/results/record.js";
import { row } from "../../bench/results/testing.js";
import { plotData } from "./series.js";
import { experiment, failedRow } from "./testing.js";

const over = experiment({}, { against: { table: "cuckoo", as: "ratio" } });
const minus = experiment({}, { against: { table: "cuckoo", as: "difference" } });
const other = (changes: Partial<ResultRow> = {}): ResultRow => row({ table: "cuckoo", variant: "1.25n", ...changes });

test("a quotient's interval holds whatever both intervals hold, and it has no unit", () => {
  const data = plotData(over, [row({ value: 150, lo: 140, hi: 160 }), other({ lo: 80, hi: 125 })]);
  expect(data.points).toMatchObject([{ series: "GPH", y: 1.5, lo: 140 / 125, hi: 2 }]);
  expect(data.points).toHaveLength(1);
  expect(data.unit).toBe("");
});

test("a difference keeps the unit and may be negative", () => {
  const data = plotData(minus, [row({ value: 90, lo: 85, hi: 95 }), other({ lo: 80, hi: 125 })]);
  expect(data.points).toMatchObject([{ y: -10, lo: -40, hi: 15 }]);
  expect(data.unit).toBe("M op/s");
});

test("one interval is enough for an interval; without any there is none", () => {
  expect(plotData(over, [row(), other({ lo: 80, hi: 125 })]).points).toMatchObject([{ lo: 0.8, hi: 1.25 }]);
  expect(plotData(over, [row(), other()]).points).toMatchObject([{ lo: null, hi: null }]);
});

test("the partner is at the same place: n, ratios and the parameters that both have", () => {
  const rows = [
    row({ n: 10, params: { slice: 5, ticket: 4 } }),
    row({ n: 20, params: { slice: 5, ticket: 4 } }),
    other({ n: 10, value: 10, params: { slice: 5 } }),
    other({ n: 20, value: 20, params: { slice: 5 } }),
    other({ n: 20, value: 30, params: { slice: 6 } }),
    other({ n: 20, value: 40, params: { slice: 5 }, positive_ratio: 0.5 }),
    other({ n: 20, value: 50, params: { slice: 5 }, device: "Another device" }),
  ];
  const drawn = plotData(experiment({}, { ...over.figure, x: { field: "n", title: "n" } }), rows).points;
  expect(drawn.map(({ x, y }) => [x, y])).toEqual([
    [10, 10],
    [20, 5],
  ]);
});

test("a cell without a partner, or with one that has no number, is missing with the reason", () => {
  const reasonOf = (rows: ResultRow[]) => {
    const { points, missing } = plotData(over, rows);
    expect(points).toEqual([]);
    return missing.map(({ reason }) => reason);
  };
  expect(reasonOf([row()])).toEqual(["no cell of cuckoo at its place"]);
  expect(reasonOf([row(), failedRow({ table: "cuckoo", variant: "1.25n" })])).toEqual([
    "cuckoo: timeout, no answer in 60 s",
  ]);
  expect(reasonOf([row(), other({ metric: "probes" })])).toEqual(["no value of mops"]);
  expect(reasonOf([row(), other({ params: { a: 1 } }), other({ params: { a: 2 } })])).toEqual([
    "2 cells of cuckoo at its place",
  ]);
});

test("a limit is no rate to compare", () => {
  const limit = row({ metric: "limit_mops", value: 500 });
  const figure = { ...over.figure, beside: { limit: true } } as const;
  expect(plotData(experiment({}, figure), [row(), limit, other()]).limits).toEqual([]);
});

test("of a table's variants the first series is the one compared with, the others are drawn", () => {
  const series = [...over.series, { table: "cuckoo", variant: "early exit", label: "Cuckoo, early exit" }];
  const exit = other({ variant: "early exit", value: 300 });
  const { points } = plotData(experiment({ series }, over.figure), [row({ value: 150 }), other(), exit]);
  expect(points.map((point) => [point.series, point.y])).toEqual([
    ["GPH", 1.5],
    ["Cuckoo, early exit", 3],
  ]);
});

test("x is no value to compare", () => {
  const figure = { ...minus.figure, x: { field: "metric.probes", title: "Probes" } };
  const rows = [
    row({ value: 150 }),
    row({ metric: "probes", value: 7 }),
    other(),
    other({ metric: "probes", value: 5 }),
  ];
  expect(plotData(experiment({}, figure), rows).points).toMatchObject([{ x: 7, y: 50 }]);
});

describe("ports over their originals", () => {
  const figure = { against: { table: { cuckoo: "original" }, as: "ratio" } } as const;
  const ports = experiment({ series: [{ table: "cuckoo", label: "Cuckoo" }], from: [row().experiment] }, figure);
  // As WebGPU and CUDA spell one device.
  const device = "nvidia-h100-80gb-hbm3";
  const system = { device: "NVIDIA H100 80GB HBM3" };
  const port = row({ table: "cuckoo", device, value: 150, lo: 140, hi: 160 });
  const original = row({
    table: "original",
    device,
    api: "cuda",
    system,
    value: 100,
    lo: 80,
    hi: 125,
  });

  test("a port is drawn over its original with default settings, with the interval of the quotient", () => {
    const others = [row({ table: "bucketed", device }), row({ table: "cuckoo", device, variant: "ordered" })];
    const fastest = row({
      table: "original",
      device,
      variant: "fastest",
      api: "cuda",
      system,
      value: 1000,
    });
    const { points, missing } = plotData(ports, [port, original, fastest, ...others]);
    expect(points).toMatchObject([{ series: "Cuckoo", y: 1.5, lo: 140 / 125, hi: 2 }]);
    expect(missing).toEqual([]);
  });

  test("a port's places that the original does not have are left out", () => {
    const between = { ...port, positive_ratio: 0.6 };
    const { points, missing } = plotData(ports, [port, between, original]);
    expect(points).toHaveLength(1);
    expect(missing).toEqual([]);
  });

  test("rows of another run are not compared, and without any original there is no figure", () => {
    const { missing } = plotData(ports, [port, { ...original, run: "another" }]);
    expect(missing).toMatchObject([{ reason: "no cell of original at its place" }]);
    const elsewhere = { ...original, system: { device: "NVIDIA H100 PCIe" } };
    const { points } = plotData(ports, [port, elsewhere, { ...original, n: 5 }]);
    expect(points).toEqual([]);
    expect(plotData(ports, [port])).toMatchObject({ points: [], missing: [] });
  });
});
