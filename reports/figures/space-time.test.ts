import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../bench/base/paths.js";
import { experiments } from "../../bench/experiments/index.js";
import { readResults } from "../../bench/results/read.js";
import { row } from "../../bench/results/testing.js";
import { compileSpec } from "./compile.js";
import { plotData } from "./series.js";
import { specOf } from "./testing.js";

const found = experiments.find(({ id }) => id === "tables/space-time");
if (!found) throw new Error("no tables/space-time");
const spaceTime = found;
const rows = await readResults(join(packageRoot, "results", "nvidia-h200", "tables"));
const ended = rows.filter((one) => one.bench === "table" && one.metric === "mops");
const measured = ended.filter(({ status }) => status === "ok");
const data = plotData(spaceTime, rows);

test("rows of tables/load-factor make the figure: a point a cell of a GPU table, none of another figure or of the CPU", () => {
  expect(measured.length).toBeGreaterThan(0);
  expect(data.points).toHaveLength(measured.length);
  expect(data.missing).toHaveLength(ended.length - measured.length);
  expect(
    plotData(
      spaceTime,
      rows.map((one) => ({ ...one, experiment: "gph/fig10" })),
    ).points,
  ).toEqual([]);
  const panels = ["insert", "find, 100 % present", "find, 50 % present", "find, 0 % present"];
  expect(data.panels.map((panel) => panel.toLowerCase())).toEqual(panels);
});

test("a place is the bytes that the table keeps, tickets counted, over its pairs", () => {
  const at = (series: string, load_factor: number) => {
    const [own] = measured.filter(
      (one) => one.op === "insert" && one.load_factor === load_factor && one.table === series,
    );
    return data.points.find(({ y, panel }) => panel.toLowerCase() === "insert" && y === own?.value)?.x;
  };
  expect(at("bucketed", 0.8)).toBe(10);
  expect(at("cuckoo", 0.8)).toBe(10);
  expect(at("double-hashing", 0.5)).toBe(16);
  expect(at("stash", 0.8)).toBe(11.25);
});

test("the place is the row's own, whatever the table takes today", () => {
  for (const table of ["bucketed", "my-table"]) {
    const own = { experiment: "tables/load-factor", table };
    const { points } = plotData(spaceTime, [row(own), row({ ...own, metric: "held_per_pair", value: 12.345 })]);
    expect(points.map(({ x }) => x)).toEqual([12.35]);
  }
});

test("a cell whose rows do not say it is missing, with the reason", () => {
  const { points, missing } = plotData(spaceTime, [row({ experiment: "tables/load-factor", table: "bucketed" })]);
  expect(points).toEqual([]);
  expect(missing.map(({ reason }) => reason)).toEqual(["no metric held_per_pair"]);
});

test("no other point of a panel takes fewer bytes and is faster than one of the front", () => {
  expect(new Set(data.front.map(({ panel }) => panel)).size).toBe(4);
  for (const f of data.front) {
    const own = data.points.filter(({ panel }) => panel === f.panel);
    expect(own.filter((p) => Number(p.x) <= Number(f.x) && p.y > f.y)).toEqual([]);
  }
});

test("the figure draws the front", () => {
  expect(JSON.stringify(compileSpec(specOf(spaceTime, rows)))).toContain("step-after");
});

test("a series is a table, whose points go along the load factor, also where its bytes do not change", () => {
  expect(data.series.filter(({ name }) => name.includes("load factor"))).toEqual([]);
  const constant = data.points.filter(({ series, panel }) => series.startsWith("libcuckoo") && panel === "Insert");
  expect(constant.length).toBeGreaterThan(1);
  expect(new Set(constant.map(({ x }) => x)).size).toBe(1);
});
