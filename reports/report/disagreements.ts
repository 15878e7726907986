/** The report's section on times that two figures have of one configuration and that do not agree. Empty where all do. */

import { formatNumber } from "../../bench/base/format.js";
import { type Disagreement, type Measurement, TOLERANCE } from "../../bench/results/disagreements.js";
import { html, type Markup } from "../figures/markup.js";
import { displayUnit } from "../figures/units.js";
import type { Report } from "./contents.js";

export const DISAGREEMENTS_TITLE = "Times that disagree";
export const DISAGREEMENTS_TEXT =
  `Two figures measured the same, and their values differ by more than ${100 * TOLERANCE} % with 95 % intervals that are apart. ` +
  "Most likely clocks had fallen for one of the two, other programs had the cores (tables on the CPU), or its machine was slower than others of its name: measure both again in one run.";
export const DISAGREEMENTS_HEAD = ["configuration", "quantity", "smaller", "larger", "larger / smaller"] as const;

/** One line of the table, by {@link DISAGREEMENTS_HEAD}. */
export function disagreementCells({ cell, metric, unit, smaller, larger, quotient }: Disagreement): string[] {
  const shown = displayUnit(unit, larger.value);
  const side = ({ value, row }: Measurement): string => {
    const number = `${formatNumber(value * shown.factor, 4)} ${shown.unit === "ratio" ? "" : shown.unit}`.trim();
    const within = row.metric === metric ? "" : ` (within ${row.metric})`;
    return `${number}${within}, ${row.experiment}, run ${row.run}`;
  };
  return [cell, metric, side(smaller), side(larger), `${formatNumber(quotient, 3)}×`];
}

export function disagreementsSection({ columns, disagreements }: Report): Markup | null {
  const tables = columns.map(({ label }, i) => ({ label, found: disagreements[i] ?? [] }));
  if (tables.every(({ found }) => found.length === 0)) return null;
  return html`<section id="disagreements" aria-labelledby="disagreements-title">
<h2 id="disagreements-title">${DISAGREEMENTS_TITLE}</h2>
<p class="warning">${DISAGREEMENTS_TEXT}</p>
${tables.map(
  ({ label, found }) =>
    found.length > 0 &&
    html`<div class="scroll" tabindex="0" role="region" aria-label="${DISAGREEMENTS_TITLE} on ${label}"><table class="facts">
${columns.length > 1 && html`<caption>${label}</caption>`}
<thead><tr>${DISAGREEMENTS_HEAD.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${found.map(
      (one) => html`<tr>${disagreementCells(one).map((text) => html`<td>${text}</td>`)}</tr>`,
    )}</tbody></table></div>`,
)}
</section>`;
}
