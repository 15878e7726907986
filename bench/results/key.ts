/** One name for a cell, the same from its specification and from its rows on disk. */

import type { Scalar } from "../../kernels/table.js";
import type { CellSpec } from "../base/experiment.js";
import type { ResultRow } from "./record.js";

/** The columns that tell cells apart, beside seed and parameters. */
const PLACE = [
  "experiment",
  "bench",
  "table",
  "variant",
  "op",
  "dataset",
  "n",
  "load_factor",
  "positive_ratio",
] as const;

type Keyed = Pick<ResultRow, (typeof PLACE)[number] | "seed" | "params">;

/** Everything that decides what the cell measures, as JSON with sorted parameters. */
export function cellKey(cell: CellSpec): string {
  return keyOf({ ...cell, load_factor: cell.loadFactor, positive_ratio: cell.positiveRatio }, PLACE);
}

/** A report asks for those of its rows again and again. */
const keys = new WeakMap<object, string>();
/** The row that was asked for last, and its key: the rows of a cell follow one another, and those of one file share their parameters. */
let latest: { readonly row: Keyed; readonly key: string } | null = null;

export function rowKey(row: Keyed): string {
  const known = keys.get(row);
  if (known !== undefined) return known;
  const key = latest && isSameCell(row, latest.row) ? latest.key : keyOf(row, PLACE);
  latest = { row, key };
  keys.set(row, key);
  return key;
}

function isSameCell(a: Keyed, b: Keyed): boolean {
  return a.params === b.params && a.seed === b.seed && PLACE.every((column) => a[column] === b[column]);
}

/** A copy of the row as of another device: it has the same key. */
export function onDevice(row: ResultRow, device: string): ResultRow {
  const copy = { ...row, device };
  keys.set(copy, rowKey(row));
  return copy;
}

const CONFIGURATION = PLACE.filter((column) => column !== "experiment" && column !== "variant");

/** Equal for two rows exactly when what was measured is the same, for whichever figure. A variant is a name only. */
export function configurationKey(row: Keyed): string {
  return keyOf(row, CONFIGURATION);
}

function keyOf(row: Keyed, columns: readonly (typeof PLACE)[number][]): string {
  const params = Object.entries(row.params).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([...columns.map((column) => row[column]), row.seed, params]);
}

/** Of the environment that was asked for last: rows of one follow one another. */
let environment: { readonly row: ResultRow; readonly key: string } | null = null;

/** Equal for two rows exactly when they are of one environment: device, driver, Dawn and toggles. */
export function environmentKey(row: ResultRow): string {
  if (environment && isSameEnvironment(row, environment.row)) return environment.key;
  const { device, driver, dawn, toggles } = row;
  environment = { row, key: JSON.stringify([device, driver, dawn, toggles]) };
  return environment.key;
}

function isSameEnvironment(a: ResultRow, b: ResultRow): boolean {
  return a.device === b.device && a.driver === b.driver && a.dawn === b.dawn && a.toggles === b.toggles;
}

/** A cell in words, as messages and tables name it: `gph/fig10 bucketed find random n=1000 load_factor=0.8 …`. */
export function rowWords(row: ResultRow): string {
  const { experiment, bench, table, variant, op, dataset, n, load_factor, positive_ratio, seed, params } = row;
  const kind = bench === "table" || bench === "limit" ? "" : bench;
  const named = Object.entries({ n, load_factor, positive_ratio, ...params, seed });
  const values = named.flatMap(([column, value]) => (value === null ? [] : [`${column}=${value}`]));
  return [experiment, kind, table, variant, op, dataset, ...values].filter((part) => part !== "").join(" ");
}

/** Order of rows by cell, whoever measured them: by the columns of the key, numbers by their size. */
export function compareCells(a: ResultRow, b: ResultRow): number {
  for (const column of PLACE) {
    const order = compare(a[column] ?? -1, b[column] ?? -1);
    if (order !== 0) return order;
  }
  return compareParams(a.params, b.params) || compare(rowKey(a), rowKey(b));
}

function compareParams(a: ResultRow["params"], b: ResultRow["params"]): number {
  for (const name of [...new Set([...Object.keys(a), ...Object.keys(b)])].sort()) {
    const order = compare(a[name] ?? "", b[name] ?? "");
    if (order !== 0) return order;
  }
  return 0;
}

/** Numbers by size, all else by text; a total order over mixed values too. */
export function compare(a: Scalar, b: Scalar): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const [x, y] = [`${typeof a}${a}`, `${typeof b}${b}`];
  return x < y ? -1 : x > y ? 1 : 0;
}
