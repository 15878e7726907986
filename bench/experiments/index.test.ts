import { expect, test } from "vitest";
import { checkParameters, knownSeries } from "../benchmarks/index.js";
import type { Experiment } from "../experiment.js";
import { groups, paperExperimentIds, paperOf, papers, TOUR } from "../papers.js";
import { metricType } from "../results/metrics.js";
import { COLUMNS, type ResultRow } from "../results/record.js";
import { rowsOf } from "../results/rows.js";
import { result, runInfo } from "../results/testing.js";
import { expand } from "./expand.js";
import { experiments, measuredFor } from "./index.js";

const each = test.each(experiments.map((experiment) => [experiment.id, experiment] as const));
const cellsOf = (experiment: Experiment) => expand(experiment, { scale: 1, quick: false, seed: 1 });

test("ids are unique", () => {
  expect(new Set(experiments.map(({ id }) => id)).size).toBe(experiments.length);
});

test("the tour is of experiments that exist", () => {
  const ids = experiments.map(({ id }) => id);
  for (const id of TOUR) expect(ids).toContain(id);
});

test("what draws others' rows is measured with them, and once", () => {
  const byId = (id: string) => experiments.filter((one) => one.id === id);
  const [loadFactor] = byId("tables/load-factor");
  expect(measuredFor(byId("tables/space-time"))).toEqual([loadFactor]);
  expect(measuredFor([...byId("tables/space-time"), ...byId("tables/load-factor")])).toEqual([loadFactor]);
  expect(measuredFor(experiments)).toEqual(experiments.filter(({ from }) => !from));
});

test("figures of others' rows are drawn from those of experiments that have some", () => {
  const measured = experiments.filter(({ from }) => !from).map(({ id }) => id);
  const drawn = experiments.flatMap(({ from = [] }) => from);
  expect(drawn).not.toEqual([]);
  expect(drawn.filter((id) => !measured.includes(id))).toEqual([]);
});

each("%s begins with its paper, and names one of its figures", (id) => {
  expect(groups.map((group) => group.id)).toContain(paperOf(id));
  if (papers.some((one) => one.id === paperOf(id))) expect(paperExperimentIds).toContain(id);
});

each("%s names series that its benchmarks know, with operations they have", (_, experiment) => {
  for (const { bench, table, op } of cellsOf(experiment)) {
    expect(knownSeries(bench, table)?.ops, `${table} of the benchmark ${bench}`).toContain(op);
  }
});

each("%s draws fields that its cells have", (_, experiment) => {
  const { x, facet, metric, panels = [{ metric }], against, paper = [] } = experiment.figure;
  const cells = cellsOf(experiment);
  for (const field of [...x.field.split("+"), ...(facet?.field.split("+") ?? [])]) {
    const [kind, name = ""] = field.split(/\.(.*)/);
    if (kind === "params") for (const { params } of cells) expect(Object.keys(params)).toContain(name);
    else if (kind === "metric") expect(metricType(name), name).toBeDefined();
    else expect([...COLUMNS, "table_mib"]).toContain(field);
  }
  for (const one of panels) expect(metricType(one.metric), one.metric).toBeDefined();
  const tables = experiment.series.map(({ table }) => table);
  const partners = typeof against?.table === "object" ? Object.keys(against.table) : [against?.table ?? tables[0]];
  for (const partner of partners) expect(tables).toContain(partner);
  for (const { table = tables[0], metric: drawn = panels[0]?.metric, where = {} } of paper) {
    expect(tables).toContain(table);
    expect(panels.map((one) => one.metric)).toContain(drawn);
    const rows = cells.flatMap((cell) => rowsOf(cell, result(), runInfo, new Date(0)));
    const fits = (row: ResultRow, field: string): unknown =>
      field.startsWith("params.") ? row.params[field.slice("params.".length)] : row[field as keyof ResultRow];
    expect(rows.some((row) => Object.entries(where).every(([field, value]) => fits(row, field) === value))).toBe(true);
  }
});

each("%s is measured by benchmarks that exist, with parameters that they or its tables know", (_, experiment) => {
  for (const cell of cellsOf(experiment)) expect(() => checkParameters(cell)).not.toThrow();
});

each("%s is measured within what tables and ratios allow", (_, experiment) => {
  const cells = cellsOf(experiment);
  expect(cells.length).toBeGreaterThan(0);
  for (const { loadFactor, positiveRatio } of cells) {
    if (loadFactor !== null) expect(loadFactor > 0 && loadFactor <= 1, `load factor ${loadFactor}`).toBe(true);
    if (positiveRatio !== null) expect(positiveRatio >= 0 && positiveRatio <= 1).toBe(true);
  }
});

each("%s has cells under --quick, all of them among its cells", (_, experiment) => {
  const points = (quick: boolean) =>
    new Set(expand(experiment, { scale: 1, quick, seed: 1 }).map((cell) => JSON.stringify(cell)));
  const all = points(false);
  expect(points(true).size).toBeGreaterThan(0);
  for (const point of points(true)) expect(all).toContain(point);
});
