import type { Experiment } from "../../experiment.js";

export const table: Experiment = {
  id: "limit/table",
  paper: "limit",
  figureName: "",
  section: "",
  title: "Tables by size, beside the device's limit",
  setting: "Unique random pairs, 10 bytes a pair, as many lookups as pairs",
  series: [
    { table: "quotient", label: "Quotient" },
    { table: "bucketed", label: "Bucketed (4 pairs)" },
    { table: "cuckoo", label: "Cuckoo" },
    { table: "double-hashing", label: "Double hashing" },
    { table: "warpcore", label: "WarpCore" },
  ],
  axes: {
    n: Array.from({ length: 9 }, (_, i) => 2 ** (20 + i)),
    op: ["insert", "find"],
    dataset: ["random"],
    loadFactor: [0.8],
    positiveRatio: [1, 0.5, 0],
    lookups: "n",
  },
  quick: { n: [2 ** 20, 2 ** 22, 2 ** 24, 2 ** 26] },
  software: { n: [2 ** 15, 2 ** 18], positiveRatio: [1, 0] },
  figure: {
    kind: "line",
    x: { field: "n", title: "Pairs", scale: "log2" },
    metric: "mops",
    y: { title: "Throughput" },
    facet: { field: "op+positive_ratio", title: "Operation" },
    limit: true,
  },
  notes:
    "Ours. The limit is that of a table of the same bytes: up to the cache's size it is the cache's. Tables beyond the device's " +
    "largest binding, such as 2^28 pairs at 2 GiB, are skipped.",
};
