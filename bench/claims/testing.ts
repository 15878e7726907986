/** Result rows for tests of claims. */
import type { ResultRow } from "../results/record.js";

/** A row of gph/fig10 with the given columns; its interval is ± 10 %. */
export function rowOf(columns: Partial<ResultRow>): ResultRow {
  const value = columns.value === undefined ? 1 : columns.value;
  return {
    run: "20260101T000000Z",
    time: "2026-01-01T00:00:00.000Z",
    commit: "",
    device: "gpu",
    driver: "",
    dawn: "",
    toggles: "",
    experiment: "gph/fig10",
    bench: "table",
    table: "",
    variant: "",
    op: "find",
    dataset: "random",
    n: 1000,
    load_factor: null,
    positive_ratio: null,
    seed: 1,
    params: {},
    data_hash: "",
    metric: "mops",
    unit: "M op/s",
    samples: 10,
    repetitions: 1,
    stopped: "quiet",
    status: "ok",
    reason: "",
    lo: value === null ? null : value * 0.9,
    hi: value === null ? null : value * 1.1,
    ...columns,
    value,
  };
}
