import type { Experiment } from "../../base/experiment.js";
import { TWO_LEVEL } from "./settings.js";

/** The chapter's retrieval looks at all slots of a key that is absent. */
const asInTheChapter = { earlyExit: false };
const cuckoo = { table: "cuckoo", at: { loadFactor: 0.8 } };

/** Over the time if all keys are found. */
const noneFound = { x: 0, times: { x: 1 } } as const;

export const misses: Experiment = {
  id: "cuckoo/misses",
  source: { section: "4.5.1" },
  title: "Retrieving absent keys: cuckoo with early exit and without, two-level",
  setting: "As many queries as pairs, random keys, 1.25n slots (two-level: 1.42n)",
  series: [
    { ...cuckoo, label: "Cuckoo, 4 functions", params: { functions: 4, ...asInTheChapter } },
    { ...cuckoo, label: "Cuckoo, 3 functions", params: { functions: 3, ...asInTheChapter } },
    { table: "two-level", label: "Two-level", at: TWO_LEVEL },
    { ...cuckoo, variant: "early exit", label: "Cuckoo, 4 functions, early exit", params: { functions: 4 } },
    { ...cuckoo, variant: "early exit", label: "Cuckoo, 3 functions, early exit", params: { functions: 3 } },
  ],
  axes: {
    n: [10_000_000],
    op: ["find"],
    dataset: ["random"],
    positiveRatio: [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0],
    lookups: 10_000_000,
  },
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
