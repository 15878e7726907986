import type { Experiment } from "../../base/experiment.js";

const xor = { table: "cuckoo", label: "XOR", bench: "restarts", params: { functions: 4, builds: 100 } };

export const hash: Experiment = {
  id: "cuckoo/hash",
  source: { section: "4.3.1.1" },
  title: "Hash functions with an XOR and with a multiplication",
  setting: "Unique keys, 1.25n slots; 4 hash functions drawn anew for each of 100 builds",
  series: [xor, { ...xor, variant: "multiply", label: "Multiplication", params: { ...xor.params, hash: "multiply" } }],
  axes: { n: [1_000_000], op: ["insert"], dataset: ["random", "normal", "sequential"], loadFactor: [0.8] },
  software: { n: [10_000] },
  figure: {
    kind: "bar",
    x: { field: "dataset", title: "Data set" },
    metric: "probes",
    y: { title: "Iterations per insertion" },
  },
  notes:
    "The chapter says for some data sets, and names none: they are ours. Its functions multiply words of 32 bits, which wraps; their " +
    "constants are even as often as odd. Builds are of keys alone, as in cuckoo/restarts.",
};
