import { expect, test } from "vitest";
import { type Experiment, metricPanels } from "../base/experiment.js";
import { groups, paperOf, TOUR } from "../claims/papers.js";
import type { ResultRow } from "../results/record.js";
import { rowsOf } from "../results/rows.js";
import { result, runInfo } from "../results/testing.js";
import { issueOf } from "../results/validate.js";
import { expand } from "./expand.js";
import { experiments, measuredFor } from "./index.js";
import { unsound } from "./problem.js";
import { experimentSchema } from "./schema.js";

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

each("%s begins with its paper or group", (id) => {
  expect(groups.map((group) => group.id)).toContain(paperOf(id));
});

each("%s is as its schema says, and asks for nothing that there is not", (_, experiment) => {
  expect(issueOf(experiment, experimentSchema)).toBeUndefined();
  expect(unsound(experiment)).toBeUndefined();
});

each("%s draws the paper's numbers beside cells that it has", (_, experiment) => {
  const { against, paper = [] } = experiment.figure;
  const panels = metricPanels(experiment.figure);
  const cells = cellsOf(experiment);
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
