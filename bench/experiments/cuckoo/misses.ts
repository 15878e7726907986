import type { Experiment } from "../../base/experiment.js";
import { rounded } from "../../base/format.js";

const shares = Array.from({ length: 11 }, (_, i) => (10 - i) / 10);
/** The chapter's retrieval looks at all slots of a key that is absent. */
const asInTheChapter = { earlyExit: false };
const cuckoo = { table: "cuckoo", loadFactor: 0.8 };

/** Over the time if all keys are found. */
const noneFound = { x: 0, times: { x: 1 } } as const;

export const misses: Experiment = {
  id: "cuckoo/misses",
  section: "4.5.1",
  title: "Retrieving keys that are not there",
  setting: "As many queries as pairs, random keys, 1.25n slots (two-level: 1.42n)",
  series: [
    { ...cuckoo, label: "Cuckoo, 4 functions", params: { functions: 4, ...asInTheChapter } },
    { ...cuckoo, label: "Cuckoo, 3 functions", params: { functions: 3, ...asInTheChapter } },
    { table: "two-level", label: "Two-level", loadFactor: rounded(409 / 576, 6) },
    { ...cuckoo, variant: "early exit", label: "Cuckoo, 4 functions, early exit", params: { functions: 4 } },
    { ...cuckoo, variant: "early exit", label: "Cuckoo, 3 functions, early exit", params: { functions: 3 } },
  ],
  axes: { n: [10_000_000], op: ["find"], dataset: ["random"], positiveRatio: shares, lookups: 10_000_000 },
  quick: { positiveRatio: [1, 0.8, 0.5, 0.2, 0] },
  figure: {
    kind: "line",
    x: { field: "positive_ratio", title: "Queries whose key is absent (%)", as: "complement", factor: 100 },
    metric: "time",
    y: { title: "Time (ms)", factor: 1e-6 },
    paper: [
      { ...noneFound, table: "cuckoo", value: 2.03, where: { "params.functions": 4 } },
      { ...noneFound, table: "cuckoo", value: 1.65, where: { "params.functions": 3 } },
      { ...noneFound, table: "two-level", value: 1.12 },
    ],
  },
  notes:
    "The text gives no figure, and no space for three functions: 1.25n as with four. Queries are drawn with replacement. " +
    "Early exit is not in the chapter but in CUDPP, its authors' library: a retrieval ends at an empty slot, because a slot that was taken once is never empty again.",
};
