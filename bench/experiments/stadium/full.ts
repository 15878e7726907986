import type { Experiment } from "../../base/experiment.js";
import { hybridOf } from "../hybrid.js";
import { LOAD_FACTOR, OPERATION } from "../shared.js";

const params = { ticket: 4 };

export const full: Experiment = {
  id: "stadium/full",
  source: { section: "III.A" },
  title: "Stash, clStash and hybrid Stash up to load factor 1",
  setting: "Unique random pairs, 4-byte keys and values, ticket size 4",
  series: [
    { table: "stash", label: "Stash", params },
    { table: "clstash", label: "clStash", params },
    { table: "stash-hybrid", label: "Hybrid", params },
  ],
  axes: {
    n: [2 ** 16],
    op: ["insert", "find"],
    dataset: ["random"],
    loadFactor: [0.8, 0.95, 1],
    positiveRatio: [1],
    lookups: "n",
  },
  figure: {
    kind: "bar",
    x: LOAD_FACTOR,
    metric: "mops",
    y: { title: "Throughput", scale: "log10" },
    facet: OPERATION,
  },
  notes:
    "The text says that load factors may be as high as one, and measures none above 0.95. The number of slots is the next prime " +
    "above that of pairs, so that a few slots stay free; the last pairs look at tens of thousands of tickets one after the other, " +
    `for which larger inputs take too long. ${hybridOf(8)}.`,
};
