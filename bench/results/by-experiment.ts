/** Rows by experiment, sorted out once for all callers. */
import { groupBy } from "./group.js";
import type { ResultRow } from "./record.js";

const ordered = new WeakMap<readonly ResultRow[], Map<string, ResultRow[]>>();

/** The rows of an experiment, in their order. An array is sorted out at its first use only, and must not change after it. */
export function rowsOfExperiment(rows: readonly ResultRow[], id: string): readonly ResultRow[] {
  const known = ordered.get(rows) ?? groupBy(rows, (row) => row.experiment);
  ordered.set(rows, known);
  return known.get(id) ?? [];
}

const byTable = new WeakMap<readonly ResultRow[], Map<string, ResultRow[]>>();

/** Those of one table; the same holds of the array. */
export function rowsOfTable(rows: readonly ResultRow[], table: string): readonly ResultRow[] {
  const known = byTable.get(rows) ?? groupBy(rows, (row) => row.table);
  byTable.set(rows, known);
  return known.get(table) ?? [];
}
