/** The figure of the performance model. */

import type { TopLevelSpec } from "vega-lite";
import { html, type Markup } from "../figures/markup.js";
import { figureFile, type Report } from "./contents.js";
import { controls, plotsElement } from "./figures.js";
import { type Modelled, modelled } from "./fit.js";
import { fitSpec } from "./fit-figure.js";
import { plotOf } from "./variants.js";

/** What the model says on each device, and where the picture of it lies beside a Markdown report. */
export function modelColumns(report: Report) {
  return report.columns.map((column) => {
    return { column, file: figureFile(report, { id: "model" }, column), ...modelled(column.rows) };
  });
}

/** The picture of one device's, with its legend; null without a point. */
export function modelSpec({ points }: Modelled): TopLevelSpec | null {
  return points.length > 0 ? fitSpec(points, tablesOf([{ points }]), 380, true) : null;
}

function tablesOf(columns: readonly Pick<Modelled, "points">[]): string[] {
  return [...new Set(columns.flatMap(({ points }) => points.map((p) => p.table)))];
}

/** The page's figure of it: all devices, with their controls; nothing where the model gives no cell a time. */
export function modelFigure(report: Report): Markup | false {
  const fitted = modelColumns(report).filter(({ points }) => points.length > 0);
  const tables = tablesOf(fitted);
  const plots = fitted.map(({ column, points }) => {
    const texts = {
      heading: report.columns.length > 1 && html`<h4>${column.label}</h4>`,
      caption: html`<p>Time per retrieval of ${points.length} cells; on the dashed line both are equal.</p>`,
    };
    return { column, plot: plotOf([fitSpec(points, tables, 380)], texts) };
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
