/** Rows by experiment, sorted out once for all callers. */
import { onceEach } from "../base/once.js";
import { groupBy } from "./group.js";
import type { ResultRow } from "./record.js";

const byExperiment = onceEach((rows: readonly ResultRow[]) => groupBy(rows, (row) => row.experiment));
const byTable = onceEach((rows: readonly ResultRow[]) => groupBy(rows, (row) => row.table));

/** The rows of an experiment, in their order. An array must not change after its first use. */
export function rowsOfExperiment(rows: readonly ResultRow[], id: string): readonly ResultRow[] {
  return byExperiment(rows).get(id) ?? [];
}

/** Those of one table; the same holds of the array. */
export function rowsOfTable(rows: readonly ResultRow[], table: string): readonly ResultRow[] {
  return byTable(rows).get(table) ?? [];
}
