/** Picks the rows that a claim speaks of, and pairs those of two selections. */
import type { Scalar } from "../../kernels/table.js";
import { rowsOfExperiment, rowsOfTable } from "../results/by-experiment.js";
import { groupBy } from "../results/group.js";
import type { ResultRow } from "../results/record.js";
import type { Along, Range, Select, Where } from "./claim.js";
import { exactly, type Quantity } from "./quantity.js";

/** Coordinates of a cell beside its table: column, and how a selection names it. */
const COORDINATES = {
  op: "op",
  dataset: "dataset",
  n: "n",
  load_factor: "loadFactor",
  positive_ratio: "positiveRatio",
} as const;
type Column = keyof typeof COORDINATES;
const COLUMNS = Object.keys(COORDINATES) as Column[];

/** Rows of one metric that fit a selection; `missing` are those whose cells did not end well. */
export interface Selected {
  readonly rows: readonly ResultRow[];
  readonly missing: readonly ResultRow[];
}

/** @param rows of one environment, one run a cell */
export function select(rows: readonly ResultRow[], { experiment }: { experiment: string }, wanted: Select): Selected {
  const { metric = "mops" } = wanted;
  const all = rowsOfExperiment(rows, wanted.experiment ?? experiment);
  const own = typeof wanted.table === "string" ? rowsOfTable(all, wanted.table) : all;
  const params = Object.entries(wanted.params ?? {});
  let fitting = own.filter(
    (row) =>
      oneOf(row.table, wanted.table) &&
      oneOf(row.variant, wanted.variant) &&
      oneOf(row.op, wanted.op) &&
      oneOf(row.dataset, wanted.dataset) &&
      params.every(([name, where]) => fits(row.params[name] ?? null, where)),
  );
  for (const [column, name] of [
    ["n", "n"],
    ["load_factor", "loadFactor"],
    ["positive_ratio", "positiveRatio"],
  ] as const) {
    const where = wanted[name];
    if (where === undefined) continue;
    const ends = fitting.map((row) => row[column]).filter((value) => value !== null);
    const at = where === "first" ? Math.min(...ends) : where === "last" ? Math.max(...ends) : where;
    fitting = fitting.filter((row) => fits(row[column], at));
  }
  return {
    rows: fitting.filter((row) => row.status === "ok" && row.metric === metric && row.value !== null),
    missing: fitting.filter((row) => row.status !== "ok"),
  };
}

function oneOf(value: string, wanted: string | readonly string[] | undefined): boolean {
  return wanted === undefined || (typeof wanted === "string" ? value === wanted : wanted.includes(value));
}

function fits(value: Scalar | null, where: Where): boolean {
  if (value === null) return false;
  if (typeof where !== "object") return same(value, where);
  if (Array.isArray(where)) return (where as readonly Scalar[]).some((one) => same(value, one));
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = where as Range;
  return typeof value === "number" && value >= from * (1 - 1e-6) && value <= to * (1 + 1e-6);
}

/** Numbers agree to six digits: load factors are rounded so in the rows. */
function same(a: Scalar, b: Scalar): boolean {
  if (typeof a !== "number" || typeof b !== "number") return a === b;
  return Math.abs(a - b) <= 1e-5 * Math.max(Math.abs(a), Math.abs(b));
}

export function quantityOf(row: ResultRow): Quantity {
  const value = row.value ?? Number.NaN;
  return row.lo === null || row.hi === null ? exactly(value) : { value, lo: row.lo, hi: row.hi };
}

/** Value of a column or of `params.<name>`. */
export function valueAlong(row: ResultRow, along: Along): Scalar | null {
  if (along.startsWith("params.")) return row.params[along.slice("params.".length)] ?? null;
  if (!(along in row)) throw new Error(`result rows have no column "${along}"`);
  const value = row[along as keyof ResultRow];
  return typeof value === "object" ? null : value;
}

export interface Pair {
  readonly of: ResultRow;
  readonly over: ResultRow;
}

/**
 * Pairs of rows that agree in every coordinate that neither selection names (or in `by` alone). Where one side has several
 * rows at a place, each of them is paired.
 */
export function pairUp(
  ofRows: readonly ResultRow[],
  overRows: readonly ResultRow[],
  selections: readonly [Select, Select],
  by?: readonly Along[],
): Pair[] {
  const place = by
    ? (row: ResultRow) => JSON.stringify(by.map((along) => valueAlong(row, along)))
    : (row: ResultRow) => freePlace(row, selections);
  const partners = groupBy(overRows, place);
  return ofRows.flatMap((of) => (partners.get(place(of)) ?? []).map((over) => ({ of, over })));
}

function freePlace(row: ResultRow, selections: readonly Select[]): string {
  const named = (name: string) => selections.some((s) => s[name as keyof Select] !== undefined);
  const columns = COLUMNS.filter((column) => !named(COORDINATES[column])).map((column) => row[column]);
  const fixed = new Set(selections.flatMap(({ params }) => Object.keys(params ?? {})));
  const params = Object.entries(row.params).filter(([name]) => !fixed.has(name));
  return JSON.stringify([...columns, params.sort(([a], [b]) => (a < b ? -1 : 1))]);
}

/** A number along an axis. */
export interface Point {
  readonly x: number;
  readonly y: Quantity;
  /** The rows it comes from; the first of them says where it belongs. */
  readonly rows: readonly [ResultRow, ...ResultRow[]];
}

/** The points of each series (those that differ in `along` only), in the order of x. */
export function seriesAlong(points: readonly Omit<Point, "x">[], along: Along): Point[][] {
  const rest = ({ rows: [row] }: Point): string => {
    const { table, variant } = row;
    const columns = COLUMNS.filter((column) => column !== along && !dependsOn(column, along)).map((c) => row[c]);
    const params = Object.entries(row.params).filter(([name]) => `params.${name}` !== along && name !== "lookups");
    return JSON.stringify([table, variant, ...columns, params.sort(([a], [b]) => (a < b ? -1 : 1))]);
  };
  const placed = points.map((point) => ({ ...point, x: Number(valueAlong(point.rows[0], along)) }));
  return [...groupBy(placed, rest).values()].map((series) => series.toSorted((a, b) => a.x - b.x));
}

/** A metric or params axis may move the load factor along with it. */
function dependsOn(column: Column, along: Along): boolean {
  return column === "load_factor" && along.startsWith("params.");
}
