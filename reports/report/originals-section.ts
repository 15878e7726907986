/** The report's section on ports over their originals. Empty where no run has both. */
import { html, type Markup } from "../figures/markup.js";
import { formatNumber } from "../figures/units.js";
import type { Report } from "./contents.js";
import { type PortLine, type PortTable, type Ratio, slowerPorts } from "./originals.js";

export const ORIGINALS_TITLE = "Ports over their originals";
export const ORIGINALS_TEXT =
  "Rate of a port / rate of its original, a program of its own measured in the same run, with the interval that the 95 % intervals of both give. " +
  "Ports have their default settings, but for DyCuckoo, whose original is the authors' program for 64-bit pairs: buckets of 16 slots, each key before its value; cuckoo has the chapter's prime, and CUDPP's. Above 1 the port is faster.";

export function portHead({ along, places }: PortTable): string[] {
  const [first = "", ...others] = places.map((place) => (typeof place === "number" ? formatNumber(place) : place));
  return ["port", "operation", "original's settings", `${along.toLowerCase()} ${first}`, ...others];
}

/** One line of the table, by {@link portHead}. */
export function portCells({ places }: PortTable, { title, operation, settings, ratios }: PortLine): string[] {
  return [title, operation, settings, ...places.map((place) => ratioText(ratios.get(place)))];
}

function ratioText(ratio: Ratio | undefined): string {
  if (!ratio) return "–";
  const { value, lo, hi } = ratio;
  return lo === null || hi === null ? value.toFixed(2) : `${value.toFixed(2)} (${lo.toFixed(2)} to ${hi.toFixed(2)})`;
}

/** The README that says why a port is slower, from the report's folder; null where the package is not around that. */
export function readmeOf({ sources }: Pick<Report, "sources">, port: string): string | null {
  return sources === null ? null : `${sources}/kernels/${port}/README.md`;
}

export function originalsSection(report: Report): Markup | null {
  const { columns, ports } = report;
  const tables = columns.flatMap(({ label }, i) => (ports[i] ?? []).map((table) => ({ label, table })));
  if (tables.length === 0) return null;
  const slower = slowerPorts(tables.map(({ table }) => table));
  return html`<section id="originals" aria-labelledby="originals-title">
<h2 id="originals-title">${ORIGINALS_TITLE}</h2>
<p>${ORIGINALS_TEXT}</p>
${tables.map(
  ({
    label,
    table,
  }) => html`<div class="scroll" tabindex="0" role="region" aria-label="${ORIGINALS_TITLE} on ${label}"><table class="facts originals">
${columns.length > 1 && html`<caption>${label}</caption>`}
<thead><tr>${portHead(table).map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${table.lines.map(
    (line) => html`<tr>${portCells(table, line).map((text) => html`<td>${text}</td>`)}</tr>`,
  )}</tbody></table></div>`,
)}
${
  slower.length > 0 &&
  html`<p>Why a port is slower, its README says: ${slower.map((port, i) => {
    const readme = readmeOf(report, port);
    return html`${i > 0 && ", "}${readme === null ? `kernels/${port}/README.md` : html`<a href="${readme}">${port}</a>`}`;
  })}.</p>`
}
</section>`;
}
