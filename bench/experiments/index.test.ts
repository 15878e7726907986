import { expect, test } from "vitest";
import { allTables } from "../../kernels/index.js";
import { baselines } from "../baselines/index.js";
import { patterns } from "../limits/patterns.js";
import type { Experiment } from "../model.js";
import { COLUMNS } from "../results/record.js";
import { expand } from "./expand.js";
import { experiments, TOUR } from "./index.js";

/** Every measured figure and table of the five papers. Experiments of our own may have any name. */
const IDS: Readonly<Record<string, string>> = {
  cuckoo:
    "fig4.4-insert fig4.4-retrieve misses fig4.5-build fig4.5-retrieve fig4.6-build fig4.6-retrieve fig4.7-strided " +
    "fig4.7-model restarts",
  stadium:
    "fig13 fig14a fig14b fig15 fig16a fig16b fig17a fig17b fig17c table1 fig18a fig18b fig19a fig19b fig19c fig19d",
  slab: "fig4a fig4b fig4c fig5a fig5b fig6 fig7a fig7b alloc",
  dycuckoo: "fig5 fig7 table4 fig8 fig9 fig10 fig11 fig12 fig13 fig14 fig15",
  gph: "table2 fig3 fig9 fig10 fig11a fig11b fig11c fig11d fig12a fig12b fig13a fig13b fig14 fig15a fig15b fig15c",
};
const known = Object.entries(IDS).flatMap(([paper, names]) => names.split(" ").map((name) => `${paper}/${name}`));
/** Metrics of every timed cell, and of every counted one. */
const METRICS = ["mops", "time", "limit_mops", "limit_share", "bandwidth"].concat(
  ["probes", "table_reads", "table_writes", "table_rmws", "failed_cas", "transactions", "warp_efficiency", "balance"],
  ["restarts", "load_factor_reached"],
);

const each = test.each(experiments.map((experiment) => [experiment.id, experiment] as const));
const cellsOf = (experiment: Experiment) => expand(experiment, { scale: 1, quick: false, seed: 1 });

test("ids are unique", () => {
  expect(new Set(experiments.map(({ id }) => id)).size).toBe(experiments.length);
});

test("the tour is of experiments that exist", () => {
  const ids = experiments.map(({ id }) => id);
  for (const id of TOUR) expect(ids).toContain(id);
});

each("%s begins with its paper, and names one of its figures", (id, { paper }) => {
  if (paper in IDS) expect(known).toContain(id);
  expect(id.split("/")[0]).toBe(paper);
});

each("%s names tables, baselines or patterns that exist, with operations they have", (_, experiment) => {
  for (const { bench, table, op } of cellsOf(experiment)) {
    if (bench === "table") expect(allTables().find(({ id }) => id === table)?.ops, table).toContain(op);
    else expect((bench === "cpu" ? baselines : patterns).map(({ id }) => id)).toContain(table);
  }
});

each("%s draws fields that its cells have", (_, experiment) => {
  const { x, facet } = experiment.figure;
  const cells = cellsOf(experiment);
  for (const field of [x.field, ...(facet?.field.split("+") ?? [])]) {
    const [kind, name = ""] = field.split(/\.(.*)/);
    if (kind === "params") for (const { params } of cells) expect(Object.keys(params)).toContain(name);
    else if (kind === "metric") expect(METRICS).toContain(name);
    else expect(COLUMNS).toContain(field);
  }
  expect(METRICS).toContain(experiment.figure.metric);
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
