import type { Experiment } from "../../base/experiment.js";
import { RATES } from "../shared.js";

export const ordered: Experiment = {
  id: "cuckoo/ordered",
  source: { section: "4.5.4" },
  title: "Retrieving by queries that are more or less in order",
  setting: "As many queries as pairs, sorted, but in random order within blocks; 1.25n slots",
  series: [
    { table: "cuckoo", label: "Cuckoo, 1.25n", at: { loadFactor: 0.8 } },
    { table: "radix-sort", label: "Binary search" },
  ],
  axes: {
    n: [2 ** 25],
    op: ["find"],
    dataset: ["random"],
    positiveRatio: [1],
    lookups: "n",
    params: { disorder: [0, 5, 10, 15, 20, 25] },
  },
  quick: { params: { disorder: [0, 10, 25] } },
  software: { n: [2 ** 16], params: { disorder: [0, 10, 25] } },
  figure: { ...RATES, x: { field: "params.disorder", title: "Queries of a block in random order (2^x)" } },
  notes:
    "The text gives no figure and no number. The first point has sorted queries, the last ones in random order; between them the queries of a " +
    "block ask for neighbouring keys.",
};
