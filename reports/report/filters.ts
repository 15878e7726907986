/** Filters of the page: a text, a paper, a table, devices. The script keeps them in the address. */

import { groupName, paperOf } from "../../bench/claims/papers.js";
import { allSeries } from "../../bench/scenarios/index.js";
import { html, type Markup } from "../figures/markup.js";
import { type Report, SHOWN_DEVICES } from "./contents.js";

export function filtersBar({ columns, figures, papers, ours }: Report): Markup {
  const ids = new Set([
    ...papers.map(({ paper }) => paper),
    ...figures.map(({ experiment }) => paperOf(experiment.id)),
  ]);
  const used = new Set(figures.flatMap(({ experiment }) => experiment.series.map(({ table }) => table)));
  const tables = allSeries().filter(({ id, measures }) => used.has(id) && measures !== "access pattern");
  return html`<form id="filters" role="search" hidden>
<label class="search"><span class="hidden">Search claims and figures</span><input type="search" name="q" placeholder="Search" autocomplete="off"></label>
<label><span>Paper</span> <select name="paper" autocomplete="off"><option value="">all papers</option>${[...ids].map(
    (id) => html`<option value="${id}">${groupName(id)}</option>`,
  )}${ours.length > 0 && html`<option value="ours">ours</option>`}</select></label>
<label><span>Table</span> <select name="table" autocomplete="off"><option value="">all tables</option>${tables.map(
    ({ id, title }) => html`<option value="${id}">${title}</option>`,
  )}</select></label>
${
  columns.length > 1 &&
  html`<details class="chooser"><summary>Devices: <b id="device-count"></b></summary><fieldset><legend class="hidden">Devices</legend>
${columns.map(
  ({ slug, label }, i) =>
    html`<label><input type="checkbox" name="device" value="${slug}" autocomplete="off"${i < SHOWN_DEVICES && html` checked`}> ${label}</label>`,
)}</fieldset></details>`
}
${
  columns.length > 1 &&
  html`<label><span>Figures</span> <select name="view" autocomplete="off"><option value="">a device each</option><option value="rates">devices together</option><option value="shares">together, as shares of the limit</option></select></label>`
}
<input type="hidden" name="verdict" value="" autocomplete="off">
<button type="reset">Reset</button>
<p class="hint counts" role="status"><span id="claim-count"></span> <span id="figure-count"></span></p>
</form>`;
}
