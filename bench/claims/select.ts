/** Picks the rows that a claim speaks of, and groups numbers along an axis. */
import type { Scalar } from "../../kernels/table.js";
import { rowsOfExperiment, rowsOfTable } from "../results/by-experiment.js";
import { groupBy } from "../results/group.js";
import type { ResultRow } from "../results/record.js";
import type { Along, Place, Range, Select, Where } from "./claim.js";
import { exactly, type Quantity } from "./quantity.js";

/** Coordinates of a cell beside its table and its parameters. */
export const COLUMNS = ["op", "dataset", "n", "load_factor", "positive_ratio"] as const;
type Column = (typeof COLUMNS)[number];

/** What says which cell a row is of. */
export type Cell = Pick<ResultRow, "table" | "variant" | Column | "params">;

/** The cells that experiments declare, by their ids. */
export type Declared = Pick<ReadonlyMap<string, readonly Cell[]>, "get" | "has" | "keys">;

/** Rows of one metric that fit a selection; `missing` are those whose cells did not end well. */
export interface Selected {
  readonly rows: readonly ResultRow[];
  readonly missing: readonly ResultRow[];
}

/** Ids of the experiments that rows or cells are of. */
export function experimentsOf({ experiment }: { readonly experiment: string }, wanted: Select): readonly string[] {
  return [wanted.experiment ?? experiment].flat();
}

/** @param rows of one environment, one run a cell */
export function select(rows: readonly ResultRow[], claim: { experiment: string }, wanted: Select): Selected {
  const { metric = "mops", table } = wanted;
  const parts = experimentsOf(claim, wanted).map((id) => {
    const whole = rowsOfExperiment(rows, id);
    return typeof table === "string" ? rowsOfTable(whole, table) : whole;
  });
  const [only = [], ...others] = parts;
  const own = fitting(others.length > 0 ? parts.flat() : only, wanted);
  return {
    rows: own.filter((row) => row.status === "ok" && row.metric === metric && row.value !== null),
    missing: own.filter((row) => row.status !== "ok"),
  };
}

/** The cells that fit a selection. */
export function fitting<Own extends Cell>(cells: readonly Own[], { table, variant, where = {} }: Select): Own[] {
  const fixed = Object.entries(where).filter(([, at]) => !isEnd(at)) as [string, Where][];
  let found = cells.filter(
    (cell) =>
      oneOf(cell.table, table) &&
      oneOf(cell.variant, variant) &&
      fixed.every(([column, at]) => fits(valueAlong(cell, column), at)),
  );
  for (const [column, at] of Object.entries(where)) {
    if (!isEnd(at)) continue;
    const values = found.map((cell) => valueAlong(cell, column)).filter((value) => typeof value === "number");
    const end = at === "first" ? Math.min(...values) : Math.max(...values);
    found = found.filter((cell) => fits(valueAlong(cell, column), end));
  }
  return found;
}

export function isEnd(place: Place | undefined): place is "first" | "last" {
  return place === "first" || place === "last";
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

/** Value of a column or parameter; null where the cell has none. */
export function valueAlong(cell: Cell, along: Along): Scalar | null {
  if (along === "table" || along === "variant" || isColumn(along)) return cell[along];
  return cell.params[along] ?? null;
}

export function isColumn(name: string): name is Column {
  return (COLUMNS as readonly string[]).includes(name);
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
    const params = Object.entries(row.params).filter(([name]) => name !== along && name !== "lookups");
    return JSON.stringify([table, variant, ...columns, params.sort(([a], [b]) => (a < b ? -1 : 1))]);
  };
  const placed = points.map((point) => ({ ...point, x: Number(valueAlong(point.rows[0], along)) }));
  return [...groupBy(placed, rest).values()].map((series) => series.toSorted((a, b) => a.x - b.x));
}

/** A parameter's axis may move the load factor along with it. */
function dependsOn(column: Column, along: Along): boolean {
  return column === "load_factor" && !isColumn(along);
}
