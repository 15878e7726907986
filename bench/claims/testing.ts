/** Result rows for tests of claims. */
import type { ResultRow } from "../results/record.js";
import { row } from "../results/testing.js";

/** A row of gph/fig10 with the given columns; its interval is ± 10 %. */
export function rowOf(columns: Partial<ResultRow>): ResultRow {
  const value = columns.value === undefined ? 1 : columns.value;
  return row({
    experiment: "gph/fig10",
    table: "",
    load_factor: null,
    positive_ratio: null,
    lo: value === null ? null : value * 0.9,
    hi: value === null ? null : value * 1.1,
    ...columns,
    value,
  });
}
