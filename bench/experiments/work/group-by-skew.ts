import type { Experiment } from "../../base/experiment.js";
import { ROW_RATES } from "../shared.js";
import { PLANNED, PROGRAMS } from "./group-by.js";

export const groupBySkew: Experiment = {
  id: "work/group-by-skew",
  title: "Group-by of skewed rows",
  setting: "Sum of one column of 100 M rows; the group of rank k in proportion to k^-s",
  series: [...PLANNED, ...PROGRAMS],
  axes: {
    n: [100_000_000],
    op: ["group"],
    params: { shape: ["zipf"], skew: [0, 0.5, 0.75, 1, 1.25, 1.5], groups: [1_000_000, 100_000_000] },
  },
  quick: { params: { shape: ["zipf"], skew: [0, 1, 1.5], groups: [1_000_000] } },
  software: { n: [2 ** 15], params: { shape: ["zipf"], skew: [0, 1], groups: [16384] } },
  cost: 2,
  figure: {
    ...ROW_RATES,
    x: { field: "params.skew", title: "Zipf's exponent s" },
    facet: { field: "params.groups", title: "Groups" },
  },
  notes: "Ranks are drawn by the inverse of the distribution function, as if they were real numbers.",
};
