import { expect, test } from "vitest";
import type { CellSpec } from "../base/experiment.js";
import { disagreements } from "./disagreements.js";
import { exact, type Metric } from "./metrics.js";
import type { ResultRow } from "./record.js";
import { rowsOf } from "./rows.js";
import { cell, result, runInfo } from "./testing.js";

/** A time with an interval of ± 1 %. */
function time(value: number): Metric {
  return { metric: "time", unit: "ns", value, lo: 0.99 * value, hi: 1.01 * value };
}

function measured(spec: Partial<CellSpec>, ...metrics: Metric[]): ResultRow[] {
  return rowsOf(cell(spec), result({ metrics }), runInfo, new Date(0));
}

const [one, other] = [{ experiment: "cuckoo/a" }, { experiment: "cuckoo/b" }];

test("two times of one configuration that are apart are named, with both experiments", () => {
  const found = disagreements([...measured(one, time(200)), ...measured(other, time(100))]);
  expect(found).toMatchObject([
    {
      metric: "time",
      unit: "ns",
      quotient: 2,
      cell: "bucketed find random n=1000 load_factor=0.8 positive_ratio=0.5 lookups=2000 layout=a,b seed=1",
      smaller: { value: 100, row: other },
      larger: { value: 200, row: one },
    },
  ]);
});

test("a difference within the tolerance is none, however narrow the intervals", () => {
  expect(disagreements([...measured(one, time(109)), ...measured(other, time(100))])).toEqual([]);
  expect(disagreements([...measured(one, time(111)), ...measured(other, time(100))])).toHaveLength(1);
});

test("intervals that overlap do not disagree, however far the values are apart", () => {
  const wide = { ...time(150), lo: 100 };
  expect(disagreements([...measured(one, wide), ...measured(other, time(100))])).toEqual([]);
});

test.each<Partial<CellSpec>>([
  { op: "insert" },
  { n: 1001 },
  { loadFactor: 0.81 },
  { positiveRatio: null },
  { seed: 2 },
  { dataset: "zipf:1" },
  { bench: "mixed" },
  { params: { lookups: 2000, layout: "b" } },
])("times of different configurations are not compared: %j", (change) => {
  expect(disagreements([...measured(one, time(200)), ...measured({ ...other, ...change }, time(100))])).toEqual([]);
});

test("the order of parameters and the name of a variant make no difference", () => {
  const renamed = { ...other, variant: "1.25n", params: { layout: "a,b", lookups: 2000 } };
  expect(disagreements([...measured(one, time(200)), ...measured(renamed, time(100))])).toHaveLength(1);
});

test("counters, failed cells and older runs have no part in it", () => {
  const counted = [...measured(one, exact("probes", 2)), ...measured(other, exact("probes", 1))];
  const failed = rowsOf(cell(one), result({ status: "failed", reason: "x" }), runInfo, new Date(0));
  const later = rowsOf(cell(one), result({ metrics: [time(100)] }), { ...runInfo, run: "later" }, new Date(1));
  expect(disagreements(counted)).toEqual([]);
  expect(disagreements([...failed, ...measured(other, time(100))])).toEqual([]);
  expect(disagreements([...measured(one, time(200)), ...later, ...measured(other, time(100))])).toEqual([]);
});

test("the build inside a build_find_time is compared with the build's own time", () => {
  const both = (value: number) => measured(one, time(50), exact("build_find_time", value));
  const build = measured({ ...other, op: "insert", positiveRatio: null }, time(100));
  expect(disagreements([...both(150), ...build])).toEqual([]);
  expect(disagreements([...both(250), ...build])).toMatchObject([
    { metric: "time", quotient: 2, larger: { value: 200, row: { metric: "build_find_time" } } },
  ]);
  const wide = measured(one, time(50), { ...time(250), metric: "build_find_time", lo: 150, hi: 350 });
  expect(disagreements([...wide, ...build])).toEqual([]);
  const narrow = measured(one, time(50), { ...time(250), metric: "build_find_time", lo: 240, hi: 260 });
  expect(disagreements([...narrow, ...build])).toMatchObject([{ larger: { lo: 190, hi: 210 } }]);
});

test("a quotient of times is compared too, and the largest difference comes first", () => {
  const efficiency = (value: number) => exact("mixing_efficiency", value);
  const rows = [...measured(one, time(120), efficiency(0.6)), ...measured(other, time(100), efficiency(0.3))];
  expect(disagreements(rows).map(({ metric }) => metric)).toEqual(["mixing_efficiency", "time"]);
});
