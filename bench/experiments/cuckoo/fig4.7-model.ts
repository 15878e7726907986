import type { Experiment } from "../../base/experiment.js";
import { loadFactors } from "../helpers.js";
import { RATES } from "../shared.js";

const spaces = [1.05, 1.1, 1.15, 1.2, 1.25, 1.3, 1.4, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8];

export const fig47Model: Experiment = {
  id: "cuckoo/fig4.7-model",
  source: { section: "4.5.3", figure: "Fig. 4.7, right" },
  title: "Building the table, by the model of its accesses and measured",
  setting: "Unique random pairs, 4 hash functions, 1.05n to 8n slots",
  series: [
    { table: "cuckoo", variant: "measured", label: "Measured" },
    { table: "cuckoo", variant: "model", label: "Model of the chapter", bench: "model" },
    {
      table: "cuckoo",
      variant: "model+gathers",
      label: "Model with all accesses of our build",
      bench: "model",
      params: { gathers: true },
    },
  ],
  axes: { n: [30_000_000], op: ["insert"], dataset: ["random"], loadFactor: loadFactors(...spaces) },
  quick: { loadFactor: loadFactors(1.05, 1.25, 1.3, 2, 4.5, 8) },
  figure: {
    ...RATES,
    x: { field: "load_factor", title: "Space m/n", as: "reciprocal", scale: "log2" },
    y: { title: "Pairs built" },
    beside: { limit: "cuckoo" },
    paper: [
      { label: "78 % of the bound", at: 0.222222 },
      { label: "50 % of the bound", at: 0.769231 },
    ],
  },
  notes:
    "The model, with n pairs and m slots: T = −m ln(1 − n/m) T_uncoalesced + (m + n) T_coalesced. Its constants are measured on " +
    "this device in every sample, as in Figure 4.7, left, on one array of 16 n bytes whatever the space, and stand in the rows: " +
    "uncoalesced_access, an exchange at a stride without locality; coalesced_access, half a read and write of 8 bytes at stride 1. " +
    "Our build moves numbers of pairs in place of pairs, because WGSL has no 64-bit exchange: it also gathers the key of every " +
    "evicted pair (key_access) and at the end every pair (pair_access), and has more unit-stride accesses; the second model " +
    "counts all of them at the size of this table, and the attempts of keys that have been in all their places and come back to one, which is taken. Its random words are measured on an array as large as those that share the caches. The limit of model " +
    "rows is the model's own bound, an update a pair. Emptying the table is not timed; the m entries are written at the end.",
};
