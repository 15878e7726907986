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

export const groupByLineitem: Experiment = {
  ...groupByQueries,
  id: "work/group-by-lineitem",
  title: "Group-by of lineitem's own rows",
  setting:
    "100 M rows of TPC-H's lineitem: by return flag and line status, of lines shipped up to 1998-09-02, as in its Q1; by order, as in its Q18",
  axes: {
    n: [100_000_000],
    op: ["group"],
    params: [
      { query: "q1", aggregates: "sum64", columns: 1 },
      { query: "q1", aggregates: "all", columns: 4 },
      { query: "q18", aggregates: "sum", columns: 1 },
      { query: "q18", aggregates: "all", columns: 1 },
    ],
  },
  quick: {
    params: [
      { query: "q1", aggregates: "all", columns: 4 },
      { query: "q18", aggregates: "sum", columns: 1 },
    ],
  },
  figure: { ...groupByQueries.figure, x: { field: "params.query+params.aggregates+params.columns", title: "Query" } },
  notes:
    "Rows as dbgen makes them, at scale factor 17. Columns are quantity, extended price in cents, discount and tax; the answer is compared with sums by the number of the group.",
};
