import type { Experiment } from "../../base/experiment.js";
import { along } from "../helpers.js";

const FUNCTIONS = [3, 4, 5];
/** As in the chapter, a retrieval looks at all slots of a key that is absent. */
const cuckoo = { table: "cuckoo", label: "Cuckoo", params: { earlyExit: false }, at: { loadFactor: 0.8 } };
const set = {
  table: "cuckoo-set",
  label: "Cuckoo set (keys alone)",
  bench: "repeated",
  params: { multiplicity: 1 },
  only: { op: ["insert"] },
  at: { loadFactor: 0.8 },
};

export const functions: Experiment = {
  id: "cuckoo/functions",
  source: { section: "4.3.1.1" },
  title: "Building and retrieving by the number of hash functions",
  setting: "Unique random keys, 1.25n slots; as many queries as pairs, all or none of their keys present",
  series: [...along([cuckoo], "functions", FUNCTIONS), ...along([set], "functions", FUNCTIONS)],
  axes: { n: [10_000_000], op: ["insert", "find"], dataset: ["random"], positiveRatio: [1, 0], lookups: 10_000_000 },
  figure: {
    kind: "bar",
    x: { field: "params.functions", title: "Hash functions" },
    metric: "time",
    y: { title: "Time (ms)", factor: 1e-6 },
    facet: { field: "op+positive_ratio", title: "Operation", names: { insert: "build", find: "retrieval" } },
  },
  notes:
    "The text gives no figure, no sizes and no numbers. Two functions build no table of 1.25n slots. Sets are 4.4's: slots hold " +
    "keys alone, and copies of a key, of which these inputs have none, are erased at the end.",
};
