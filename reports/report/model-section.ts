/** The report's section on the performance model, and the list of stand-ins. */
import { html, type Markup } from "../markup.js";
import type { Report } from "./contents.js";
import { controls, plotElement } from "./figures.js";
import { type Fit, fitPoints, fits, fitValues } from "./fit.js";
import { fitSpec } from "./fit-figure.js";
import { standInsOf } from "./stand-ins.js";
import { plotOf } from "./variants.js";

export const MODEL_TEXT =
  "After GPH's model: an operation takes as long as its transactions take at the device's measured rate, time = transactions / rate. " +
  "The rate is limit_mops of the same cell: what device/limits measured for the access that the operation cannot avoid, at the table's size. " +
  "Transactions (32-byte sectors of the table, counted in runs of their own) stand in for the paper's profiler counts.";

export async function modelSection(report: Report): Promise<Markup> {
  const all = report.columns.map((column) => ({ column, points: fitPoints(column.rows) }));
  const fitted = all.filter(({ points }) => points.length > 0);
  const tables = [...new Set(fitted.flatMap(({ points }) => points.map((p) => p.table)))];
  const plots = await Promise.all(
    fitted.map(({ points }) => {
      const usual = fitSpec(points, tables, 380);
      return plotOf([usual, fitSpec(points, tables, 250)], usual, "log");
    }),
  );
  const series = tables.map((name, index) => ({ name, index }));
  const standIns = standInsOf(report.rows);
  return html`<section id="model" aria-labelledby="model-title">
<h2 id="model-title">Model</h2>
<p>${MODEL_TEXT}</p>
${
  fitted.length === 0
    ? html`<p class="absent">No cell of a GPU table has a rate, a limit and counted transactions.</p>`
    : html`<article class="figure" id="figure-model" aria-labelledby="figure-model-title">
<h3 id="figure-model-title">Predicted against measured time</h3>
${controls("figure-model", series, plots)}
<div class="plots" data-count="${fitted.length}">${fitted.map(({ column, points }, i) => {
        const plot = plots[i];
        return html`<div class="device">${report.columns.length > 1 && html`<h4>${column.label}</h4>`}
<figure>${plot && plotElement(plot, `Predicted and measured time on ${column.label}`)}
<figcaption><p>Time per operation of ${points.length} cells; on the dashed line both are equal.</p></figcaption></figure>
${fitTable(fits(points), column.label)}</div>`;
      })}</div></article>`
}
${
  standIns.length > 0 &&
  html`<h3 id="stand-ins">Stand-ins</h3>
<p>Not measured as in the papers, but standing in for it:</p>
<dl class="stand-ins">${standIns.map((s) => html`<div><dt><code>${s.name}</code> <span class="muted">${s.column}</span></dt><dd>${s.text}</dd></div>`)}</dl>`
}
</section>`;
}

function fitTable(lines: readonly { readonly name: string; readonly fit: Fit }[], label: string): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Agreement on ${label}"><table class="numbers">
<caption>Agreement; errors are |predicted − measured| / measured</caption>
<thead><tr><th scope="col">Cells</th><th scope="col">number</th><th scope="col">Pearson r</th><th scope="col">median error</th><th scope="col">largest error</th></tr></thead>
<tbody>${lines.map(
    ({ name, fit }) =>
      html`<tr><th scope="row">${name}</th>${fitValues(fit).map((text) => html`<td>${text}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}
