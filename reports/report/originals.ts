/** The report's section on ports over their originals: for each operation and setting the ratio of two rates of one run, with its interval. */
import type { Experiment } from "../../bench/experiment.js";
import { groupBy } from "../../bench/results/group.js";
import type { ResultRow } from "../../bench/results/record.js";
import { related, samePlace } from "../against.js";
import { html, type Markup } from "../markup.js";
import {
  byDeclaration,
  cellsOf,
  declaredOrder,
  fieldValue,
  isDeclared,
  isOnAdapter,
  type MeasuredCell,
  panelName,
  placeAlong,
  scaledX,
  seriesIndex,
  tableName,
} from "../rows.js";
import { formatNumber } from "../units.js";
import type { Report } from "./contents.js";

export const ORIGINALS_TITLE = "Ports over their originals";
export const ORIGINALS_TEXT =
  "Rate of a port / rate of its original, a program of its own measured in the same run, with the 95 % interval that holds whatever both intervals hold. " +
  "The port has its default settings. Above 1 the port is faster.";

/** A port and settings of its original, in one operation. */
interface PortLine {
  /** Id of the port. */
  readonly port: string;
  readonly title: string;
  readonly operation: string;
  /** Of the original: `default`, or a variant of it. */
  readonly settings: string;
  /** By place along x. */
  readonly ratios: ReadonlyMap<number | string, Ratio>;
}

interface Ratio {
  readonly value: number;
  readonly lo: number | null;
  readonly hi: number | null;
}

/** All lines of one device, and the places along x that they have. */
export interface PortTable {
  /** Of x: `Load factor`. */
  readonly along: string;
  readonly places: readonly (number | string)[];
  readonly lines: readonly PortLine[];
}

/** A table for each experiment whose figure puts tables in relation by names, where rows of one run have both sides. */
export function portTables(experiments: readonly Experiment[], rows: readonly ResultRow[]): PortTable[] {
  return experiments.flatMap((experiment) => {
    const lines = portLines(experiment, rows);
    const places = [...new Set(lines.flatMap(({ ratios }) => [...ratios.keys()]))];
    places.sort((a, b) => (typeof a === "number" && typeof b === "number" ? a - b : 0));
    return lines.length > 0 ? [{ along: experiment.figure.x.title, places, lines }] : [];
  });
}

function portLines(experiment: Experiment, rows: readonly ResultRow[]): PortLine[] {
  const { against, x, facet, metric } = experiment.figure;
  if (typeof against?.table !== "object") return [];
  const partners = against.table;
  const cells = cellsOf(experiment, rows).sort(inOrder(experiment));
  const ratios = cells.flatMap((cell) => {
    const partner = partners[cell.last.table];
    const own = cell.metrics.get(metric);
    const place = placeAlong(cell, x.field);
    if (!partner || !own || place === null || !isDeclared(experiment, cell.last)) return [];
    const others = cells.filter(
      ({ last }) => last.table === partner && last.run === own.run && isOnAdapter(last) && samePlace(last, own),
    );
    return others.flatMap((other) => {
      const theirs = other.metrics.get(metric);
      const { value, lo, hi } = theirs ? related(own, theirs, "ratio") : { value: null, lo: null, hi: null };
      if (value === null) return [];
      const line = {
        port: own.table,
        title: tableName(experiment, own.table),
        operation: panelName(facet, cell),
        settings: other.last.variant || "default",
      };
      return [
        { line, at: typeof place === "number" ? scaledX(experiment, place) : String(place), ratio: { value, lo, hi } },
      ];
    });
  });
  return [...groupBy(ratios, ({ line }) => JSON.stringify(Object.values(line))).values()].flatMap((own) => {
    const [first] = own;
    return first ? [{ ...first.line, ratios: new Map(own.map(({ at, ratio }) => [at, ratio])) }] : [];
  });
}

/** By series, by the figure's panels, the default settings before variants. */
function inOrder(experiment: Experiment): (a: MeasuredCell, b: MeasuredCell) => number {
  const fields = experiment.figure.facet?.field.split("+") ?? [];
  const orders = fields.map((field) => ({ field, compare: byDeclaration(declaredOrder(experiment, field)) }));
  return (a, b) =>
    seriesIndex(experiment, a.last) - seriesIndex(experiment, b.last) ||
    orders.reduce((sum, { field, compare }) => sum || compare(fieldValue(a, field), fieldValue(b, field)), 0) ||
    (a.last.variant < b.last.variant ? -1 : 1);
}

/** Ports that are slower than their originals with default settings, beyond the interval. */
export function slowerPorts(tables: readonly PortTable[]): string[] {
  const slower = tables.flatMap(({ lines }) =>
    lines.filter(({ settings, ratios }) => settings === "default" && [...ratios.values()].some(isSlower)),
  );
  return [...new Set(slower.map(({ port }) => port))];
}

function isSlower({ value, hi }: Ratio): boolean {
  return (hi ?? value) < 1;
}

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
  }) => html`<div class="scroll" tabindex="0" role="region" aria-label="${ORIGINALS_TITLE} on ${label}"><table class="facts">
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
