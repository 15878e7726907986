import type { Experiment } from "../../base/experiment.js";
import { RATE_BARS } from "../shared.js";
import { PLANNED } from "./group-by.js";

export const groupByQueries: Experiment = {
  id: "work/group-by-queries",
  title: "Group-by as in queries",
  setting:
    "100 M rows: the groups of TPC-H's Q1, rows by order as in its Q18, and half of the rows in one of a million groups",
  series: PLANNED,
  axes: {
    n: [100_000_000],
    op: ["group"],
    params: [
      { shape: "q1", aggregates: "sum", columns: 1 },
      { shape: "q1", aggregates: "all", columns: 1 },
      { shape: "q1", aggregates: "all", columns: 4 },
      { shape: "orders", aggregates: "sum", columns: 1 },
      { shape: "orders", aggregates: "all", columns: 1 },
      { shape: "hot", groups: 1_000_000, aggregates: "sum", columns: 1 },
    ],
  },
  quick: {
    params: [
      { shape: "q1", aggregates: "all", columns: 4 },
      { shape: "orders", aggregates: "sum", columns: 1 },
    ],
  },
  software: { n: [2 ** 15] },
  cost: 4,
  figure: {
    ...RATE_BARS,
    y: { title: "Rows" },
    x: { field: "params.shape+params.aggregates+params.columns", title: "Query" },
  },
  notes:
    "The rows are made on the device, and stand in for lineitem's: Q1's four groups with their shares, and orders of 1 to 7 rows side by side. " +
    "`all`: sums of 64 bits, minima, maxima and the count.",
};
