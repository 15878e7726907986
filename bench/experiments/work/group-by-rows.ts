import type { Experiment } from "../../base/experiment.js";
import { ROW_RATES } from "../shared.js";

export const groupByRows: Experiment = {
  id: "work/group-by-rows",
  title: "Group-by by the number of rows",
  setting: "Sum of one column; groups equally frequent; the plan that a sample is for",
  series: [
    { bench: "group-by", table: "group-by", label: "By sample" },
    { bench: "group-by", table: "group-read", label: "Rows read" },
  ],
  axes: {
    n: [100_000, 1_000_000, 10_000_000, 100_000_000, 500_000_000],
    op: ["group"],
    params: { groups: [4, 1024, 1_000_000] },
  },
  quick: { n: [100_000, 10_000_000] },
  software: { n: [2 ** 12, 2 ** 15], params: { groups: [4, 1024] } },
  figure: {
    ...ROW_RATES,
    x: { field: "n", title: "Rows", scale: "log10" },
    facet: { field: "params.groups", title: "Groups" },
  },
  notes:
    "500 M rows are too many for partitions in one binding: those of many groups that a workgroup has no room for go to one table in global memory.",
};
