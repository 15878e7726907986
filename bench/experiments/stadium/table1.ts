import type { Experiment } from "../../base/experiment.js";
import { paperMarks } from "../helpers.js";
import { LOAD_FACTOR } from "../shared.js";

const LOAD_FACTORS = [0.8, 0.85, 0.9, 0.95] as const;

export const table1: Experiment = {
  id: "stadium/table1",
  source: { section: "IV.A", figure: "Table I" },
  title: "Warp execution efficiency of insertion: cuckoo, Stash, clStash",
  setting: "Unique random pairs, 4-byte keys and values, ticket size 4",
  series: [
    { table: "cuckoo", label: "Cuckoo" },
    { table: "stash", label: "Stash", params: { ticket: 4 } },
    { table: "clstash", label: "clStash", params: { ticket: 4 } },
  ],
  axes: { n: [2 ** 25], op: ["insert"], dataset: ["random"], loadFactor: LOAD_FACTORS },
  software: { n: [2 ** 16], loadFactor: [0.8, 0.95], swiftshader: 1 / 4 },
  figure: {
    kind: "bar",
    x: LOAD_FACTOR,
    y: { title: "Warp execution efficiency (%)", factor: 100 },
    metric: [
      { metric: "warp_efficiency_instructions", title: "By instructions" },
      { metric: "warp_efficiency", title: "By probe steps" },
    ],
    paper: paperMarks("stadium/table1:{table}-{x}", { table: ["cuckoo", "stash", "clstash"], x: LOAD_FACTORS }),
  },
  notes:
    "The paper's numbers are a profiler's, which weighs by executed instructions. By instructions: each region of the " +
    "kernel counts with its number of operations in the linked WGSL, which a compiler may change; a division by what is no " +
    "constant counts twenty, as GPUs have no instruction for it. By probe steps: every " +
    "step of the search counts alike, whatever is done before and after it. Both for warps of 32 lanes. Of cuckoo's three " +
    "kernels, the one that evicts counts: the others are plain passes over the pairs and the slots. clStash is further from the " +
    "paper's number than Stash: what a lane does after it got a slot (info bits, pair, next job from the store) is done by about " +
    "half of the lanes at a time, and is a larger part of our code than of the paper's.",
};
