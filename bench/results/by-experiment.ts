/** Rows by experiment, for the many who ask for one's. */
import { groupBy } from "./group.js";
import type { ResultRow } from "./record.js";

const ordered = new WeakMap<readonly ResultRow[], Map<string, ResultRow[]>>();

/** The rows of an experiment, in their order. An array is gone through once, however often it is asked: it must not change. */
export function rowsOfExperiment(rows: readonly ResultRow[], id: string): readonly ResultRow[] {
  const known = ordered.get(rows) ?? groupBy(rows, (row) => row.experiment);
  ordered.set(rows, known);
  return known.get(id) ?? [];
}
