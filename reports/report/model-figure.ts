/** The figure of the performance model: modelled against measured times of retrievals on two log axes. */
import type { Experiment } from "../../bench/base/experiment.js";
import { formatNumber } from "../../bench/base/format.js";
import { type Drawing, figureSpec } from "../figures/figure.js";
import { html, type Markup } from "../figures/markup.js";
import type { Column } from "./columns.js";
import { figureFile, type Report } from "./contents.js";
import { controls, plotsElement } from "./figures.js";
import { type FitPoint, type Modelled, modelled } from "./fit.js";
import { overlayPlot } from "./variants.js";

/** An experiment, as figures take it; no cell is measured for it. */
const MODEL: Experiment = {
  id: "model",
  title: "Retrievals: modelled against measured time",
  setting: "On the dashed line both are equal",
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

function tablesOf(columns: readonly Pick<Modelled, "points">[]): string[] {
  return [...new Set(columns.flatMap(({ points }) => points.map((p) => p.table)))];
}

/** `tables` give the colours' order, over all devices. */
export function modelDrawing(
  { environment }: Pick<Column, "environment">,
  all: readonly FitPoint[],
  tables: readonly string[],
): Drawing {
  const names = tables.filter((name) => all.some(({ table }) => table === name));
  const points = names.flatMap((series) =>
    all
      .filter(({ table }) => table === series)
      .map(({ op, dataset, experiment, loadFactor, n, samples, predicted: x, measured: y }) => {
        const filled = loadFactor === null ? [] : [`load factor ${formatNumber(loadFactor)}`];
        const place = { series, panel: "", segment: 0, dataset: [dataset, op, ...filled, experiment].join(", ") };
        return { ...place, n, samples, wide: false, x, y, lo: null, hi: null, limit: null };
      }),
  );
  // Both axes go from the least of both times to the greatest.
  const xs = [...new Set(points.flatMap(({ x, y }) => [x, y]))].sort((a, b) => a - b);
  const ends = [xs[0] ?? 1, xs.at(-1) ?? 1].map((x) => ({ x, y: x }));
  const none = { limits: [], front: [], references: [], referenceSeries: [], paper: [], paperRanges: [] };
  const data = {
    ...none,
    series: names.map((name) => ({ name, index: tables.indexOf(name) })),
    panels: [""],
    headings: [""],
    xs,
    points,
    curves: [{ series: "", panel: "", points: ends, crossings: [] }],
    paperUprights: [],
    missing: [],
    unit: "ns",
  };
  return { experiment: MODEL, data, environment };
}

/** The page's figure of it: all devices, with their controls; nothing where the model gives no cell a time. */
export function modelFigure(report: Report): Markup | false {
  const fitted = modelColumns(report).filter(({ points }) => points.length > 0);
  const tables = tablesOf(fitted);
  const plots = fitted.map(({ column, points }) => {
    const heading = report.columns.length > 1 && html`<h4>${column.label}</h4>`;
    const caption = html`<p>Time per retrieval of ${points.length} cells; on the dashed line both are equal.</p>`;
    return { column, plot: overlayPlot(modelDrawing(column, points, tables), { heading, caption }) };
  });
  const series = tables.map((name, index) => ({ name, index }));
  return (
    fitted.length > 0 &&
    html`<article class="figure" id="figure-model" aria-labelledby="figure-model-title">
<h3 id="figure-model-title">Modelled against measured time</h3>
${controls("figure-model", series, plots)}
${plotsElement(plots)}</article>
`
  );
}
