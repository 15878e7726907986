import type { Experiment } from "../../base/experiment.js";
import { groupByQueries } from "./group-by-queries.js";

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
    "Rows as dbgen makes them, at scale factor 17. Columns are quantity, extended price in cents, discount and tax; the answer is compared with what the host adds up.",
};
