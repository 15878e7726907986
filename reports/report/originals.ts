/** Ports over their originals: for each operation and setting the ratio of two rates of one run, with its interval. */
import { type Experiment, metricPanels } from "../../bench/base/experiment.js";
import { groupBy } from "../../bench/results/group.js";
import type { ResultRow } from "../../bench/results/record.js";
import { related, samePlace } from "../figures/against.js";
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
  seriesName,
} from "../figures/rows.js";

/** A port and settings of its original, in one operation. */
export interface PortLine {
  /** Id of the port. */
  readonly port: string;
  readonly title: string;
  readonly operation: string;
  /** Settings of the original: `default`, or a variant of it. */
  readonly settings: string;
  /** By place along x. */
  readonly ratios: ReadonlyMap<number | string, Ratio>;
}

export interface Ratio {
  readonly value: number;
  readonly lo: number | null;
  readonly hi: number | null;
}

/** All lines of one device, and the places along x that they have. */
export interface PortTable {
  /** Title of x: `Load factor`. */
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
  const { against, x, facet } = experiment.figure;
  const [{ metric } = { metric: "" }] = metricPanels(experiment.figure);
  if (typeof against?.table !== "object") return [];
  const partners = against.table;
  const cells = cellsOf(experiment, rows).toSorted(inOrder(experiment));
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
      const [title, operation] = [seriesName(experiment, own), panelName(facet, cell)];
      const line = { port: own.table, title, operation, settings: other.last.variant || "default" };
      const at = typeof place === "number" ? scaledX(experiment, place) : String(place);
      return [{ line, at, ratio: { value, lo, hi } }];
    });
  });
  return [...groupBy(ratios, ({ line }) => JSON.stringify(Object.values(line))).values()].map((own) => {
    return { ...own[0].line, ratios: new Map(own.map(({ at, ratio }) => [at, ratio])) };
  });
}

/** Ordered by series and the figure's panels, default settings before variants. */
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
    lines.filter(({ settings, ratios }) => {
      return settings === "default" && [...ratios.values()].some(({ value, hi }) => (hi ?? value) < 1);
    }),
  );
  return [...new Set(slower.map(({ port }) => port))];
}
