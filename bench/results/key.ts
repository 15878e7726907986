/** One name for a cell, the same from its specification and from its rows on disk. */
import type { CellSpec, Scalar } from "../model.js";
import type { ResultRow } from "./record.js";

/** Everything that decides what the cell measures, as JSON with sorted parameters. */
export function cellKey(cell: CellSpec): string {
  const { experiment, bench, table, variant, op, dataset, n, loadFactor, positiveRatio, seed, params } = cell;
  return name([experiment, bench, table, variant, op, dataset, n, loadFactor, positiveRatio, seed], params);
}

export function rowKey(row: ResultRow): string {
  const { experiment, bench, table, variant, op, dataset, n, load_factor, positive_ratio, seed, params } = row;
  return name([experiment, bench, table, variant, op, dataset, n, load_factor, positive_ratio, seed], params);
}

function name(parts: readonly (string | number | null)[], params: Readonly<Record<string, Scalar>>): string {
  const sorted = Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([...parts, sorted]);
}
