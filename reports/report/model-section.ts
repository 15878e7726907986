/** The report's section on the performance model, and the list of stand-ins. */

import type { TopLevelSpec } from "vega-lite";
import { html, type Markup } from "../figures/markup.js";
import type { Column } from "./columns.js";
import { figureFile, type Report } from "./contents.js";
import { controls, plotsElement } from "./figures.js";
import { FIT_HEAD, type Fit, fits, fitValues, type Modelled, missingText, modelled } from "./fit.js";
import { fitSpec } from "./fit-figure.js";
import { standInsOf } from "./stand-ins.js";
import { plotOf } from "./variants.js";

export const MODEL_TEXT =
  "After GPH's model, that time follows from what is executed: a retrieval takes as long as its requests to memory take, each at the rate at which " +
  "this device reads memory of the size that it goes to (device/limits, device/beyond-limits), with the key read and the result written; or as the translation of " +
  "their addresses takes in memory so large that blocks cost no more than single words; or as the steps of its warps take, or the reads of the lane that makes most of them, one after another, where that is longer; and its dispatch has to be launched. Nothing is fitted. Requests and steps are counted in runs of their own and stand in for " +
  "the paper's profiler counts. Retrievals of random keys by one dispatch only: caches help skewed ones, and insertions overlap their accesses to one sector.";

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

export function modelSection(report: Report): Markup {
  const all = modelColumns(report);
  const fitted = all.filter(({ points }) => points.length > 0);
  const tables = tablesOf(fitted);
  const plots = fitted.map(({ column, points, missing }) => {
    const caption = `Time per retrieval of ${points.length} cells; on the dashed line both are equal. ${missingText({ points, missing })}`;
    const texts = {
      heading: report.columns.length > 1 && html`<h4>${column.label}</h4>`,
      caption: html`<p>${caption}</p>`,
    };
    return { column, plot: plotOf([fitSpec(points, tables, 380), fitSpec(points, tables, 250)], texts) };
  });
  const series = tables.map((name, index) => ({ name, index }));
  const standIns = standInsOf(report.rows);
  return html`<section id="model" aria-labelledby="model-title">
<h2 id="model-title">Model</h2>
<p>${MODEL_TEXT}</p>
${fitted.map(({ column, points }) => fitTable(column, fits(points), report.columns.length > 1))}
${
  fitted.length === 0
    ? html`<p class="absent">The model gives no cell a time. ${all.map(missingText).join(" ")}</p>`
    : html`<article class="figure" id="figure-model" aria-labelledby="figure-model-title">
<h3 id="figure-model-title">Modelled against measured time</h3>
${controls("figure-model", series, plots)}
${plotsElement(plots)}</article>`
}
${
  standIns.length > 0 &&
  html`<h3 id="stand-ins">Stand-ins</h3>
<p>Not what the papers measured; these stand in for it:</p>
<dl class="stand-ins">${standIns.map((s) => html`<div><dt><code>${s.name}</code> <span class="muted">${s.column}</span></dt><dd>${s.text}</dd></div>`)}</dl>`
}
</section>`;
}

/** Errors by table, which say where the model holds; r is of all cells together, over decades of times. */
function fitTable(
  { slug, label }: Column,
  lines: readonly { readonly name: string; readonly fit: Fit }[],
  several: boolean,
): Markup {
  return html`<div class="scroll of-device" data-device="${slug}" tabindex="0" role="region" aria-label="Errors of the model on ${label}"><table class="numbers">
<caption>${several && html`${label}: `}errors of the model by table, |modelled − measured| / measured, the largest median first</caption>
<thead><tr>${FIT_HEAD.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${lines.map(
    ({ name, fit }) =>
      html`<tr><th scope="row">${name}</th>${fitValues(fit).map((text) => html`<td>${text}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}
