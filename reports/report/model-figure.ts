/** The figure of the performance model: modelled against measured times of retrievals on two log axes. */

import { median } from "simple-statistics";
import type { Experiment } from "../../bench/base/experiment.js";
import { formatNumber } from "../../bench/base/format.js";
import { groupBy } from "../../bench/results/group.js";
import { type Drawing, figureSpec } from "../figures/figure.js";
import { looksOf } from "../figures/looks.js";
import { html, type Markup } from "../figures/markup.js";
import type { PlotSeries } from "../figures/plot-data.js";
import { MOST_SERIES } from "../figures/shown.js";
import type { Column } from "./columns.js";
import { figureFile, type Report } from "./contents.js";
import { controls, plotsElement } from "./figures.js";
import { type FitPoint, type Modelled, modelled } from "./fit.js";
import { overlayPlot } from "./variants.js";

/** An experiment, as figures take it; no cell is measured for it. */
const MODEL: Experiment = {
  id: "model",
  title: "Retrievals: modelled against measured time",
  setting: "Each point is a cell; on the dashed line both are equal",
  series: [],
  axes: { n: [] },
  figure: {
    kind: "line",
    x: { field: "predicted", title: "Modelled (ns/op)", scale: "log10" },
    metric: "time",
    y: { title: "Measured (ns/op)", scale: "log10", factor: 1 },
  },
};

/** The model's times on each device, and the file of its picture beside a Markdown report. */
export function modelColumns(report: Report) {
  return report.columns.map((column) => {
    return { column, file: figureFile(report, MODEL, column), ...modelled(column.rows) };
  });
}

/** The picture of one device's; null without a point. */
export function modelSpec({ column, points }: ReturnType<typeof modelColumns>[number]) {
  return points.length > 0 ? figureSpec(modelDrawing(column, points, tablesOf([{ points }]))) : null;
}

const OTHERS = "other tables";
/** The table whose colour is grey. */
const GREY = "radix-sort";
/** Cells that take more than this many times the median are not drawn: axes over four decades tell little of the others. */
const FAR = 30;

/** The tables of most cells, in any variant, over all devices. */
function tablesOf(columns: readonly Pick<Modelled, "points">[]): string[] {
  const all = [
    ...groupBy(
      columns.flatMap(({ points }) => points),
      tableOf,
    ),
  ];
  const names = all.toSorted(([, a], [, b]) => b.length - a.length).map(([name]) => name);
  return names.length <= MOST_SERIES ? names : [...names.slice(0, MOST_SERIES - 1), OTHERS];
}

function tableOf({ table }: FitPoint): string {
  return table.split(" ")[0] ?? table;
}

/** `tables` give the colours' order, over all devices. */
export function modelDrawing(
  { environment }: Pick<Column, "environment">,
  measured: readonly FitPoint[],
  tables: readonly string[],
): Drawing {
  const far = FAR * median(measured.map((p) => p.measured));
  const all = measured.filter((p) => p.measured <= far && p.predicted <= far);
  const seriesOf = (p: FitPoint): string => (tables.includes(tableOf(p)) ? tableOf(p) : OTHERS);
  const names = tables.filter((name) => all.some((p) => seriesOf(p) === name));
  const points = names.flatMap((series) =>
    all
      .filter((p) => seriesOf(p) === series)
      .map(({ table, op, dataset, experiment, loadFactor, n, samples, predicted: x, measured: y }) => {
        const filled = loadFactor === null ? [] : [`load factor ${formatNumber(loadFactor)}`];
        const place = {
          series,
          panel: "",
          segment: 0,
          dataset: [table, dataset, op, ...filled, experiment].join(", "),
        };
        return { ...place, n, samples, wide: false, x, y, lo: null, hi: null, limit: null, access: "" };
      }),
  );
  // Both axes go from the least of both times to the greatest.
  const xs = [...new Set(points.flatMap(({ x, y }) => [x, y]))].sort((a, b) => a - b);
  const ends = [xs[0] ?? 1, xs.at(-1) ?? 1].map((x) => ({ x, y: x }));
  const none = { limits: [], front: [], references: [], referenceSeries: [], paper: [], paperRanges: [] };
  const data = {
    ...none,
    series: seriesOfTables(tables).filter(({ name }) => names.includes(name)),
    panels: [""],
    headings: [""],
    xs,
    points,
    curves: [{ series: "", panel: "", points: ends, crossings: [] }],
    paperUprights: [],
    missing: [],
    unit: "ns",
  };
  const left = measured.length - all.length;
  const beyond = left > 0 ? `; ${left} cells of more than ${formatNumber(far, 2)} ns/op are not drawn` : "";
  return {
    experiment: { ...MODEL, setting: `${MODEL.setting}${beyond}` },
    data,
    whole: data,
    omitted: [],
    environment,
  };
}

function seriesOfTables(tables: readonly string[]): PlotSeries[] {
  const looks = looksOf(tables.map((name) => (name === OTHERS ? GREY : name)));
  return tables.map((name, i) => ({ name, table: name, variant: "", index: looks[i] ?? 0 }));
}

/** The page's figure of it: all devices, with their controls; nothing where the model gives no cell a time. */
export function modelFigure(report: Report, all: ReturnType<typeof modelColumns>): Markup | false {
  const fitted = all.filter(({ points }) => points.length > 0);
  const tables = tablesOf(fitted);
  const plots = fitted.map(({ column, points }) => {
    const heading = report.columns.length > 1 && html`<h4>${column.label}</h4>`;
    const caption = html`<p>Time per retrieval of ${points.length} cells; on the dashed line both are equal.</p>`;
    return { column, plot: overlayPlot(modelDrawing(column, points, tables), { heading, caption }) };
  });
  return (
    fitted.length > 0 &&
    html`<article class="figure" id="figure-model" aria-labelledby="figure-model-title">
<h3 id="figure-model-title">Modelled against measured time</h3>
${controls("figure-model", seriesOfTables(tables), plots)}
${plotsElement(plots)}</article>
`
  );
}
