import { type Experiment, WARPS_ON_SWIFTSHADER } from "../../base/experiment.js";
import { each } from "../helpers.js";
import { RATE_BARS } from "../shared.js";
import { DATA_SET, dycuckoo, dycuckooResizing, FILLED, resizing } from "./settings.js";

const BATCH = 1_000_000;
const BOUNDS = { alpha: 0.3, beta: FILLED };
const ALIKE = { ...BOUNDS, alike: true };

/** Why the first batch of the dynamic workloads takes DyCuckoo longer than MegaKV: what differs is taken away, one thing after another. */
export const firstBatch: Experiment = {
  id: "dycuckoo/first-batch",
  source: { section: "6.4" },
  title: "The first batch of a dynamic workload",
  setting:
    "A million different pairs are inserted into an empty table, at a filled factor up to 85 %, and as many searched for; nothing is resized",
  series: [
    ...each(resizing, { params: BOUNDS }),
    ...each(dycuckooResizing, { variant: "alike", label: "… with sub-tables of one size", params: ALIKE }),
    ...each(dycuckooResizing, {
      variant: "two alike",
      label: "… two of them, as MegaKV's",
      params: { ...ALIKE, subTables: 2 },
    }),
    { ...dycuckoo, bench: "dynamic", variant: "one array", label: "… in one array, of a fixed size" },
  ],
  axes: {
    n: [BATCH],
    op: ["dynamic"],
    dataset: ["normal"],
    loadFactor: [FILLED],
    params: { batchSize: [BATCH], r: [0], phase: [1], batch: [1] },
  },
  software: { n: [2 ** 14], swiftshader: WARPS_ON_SWIFTSHADER },
  figure: { ...RATE_BARS, x: DATA_SET },
  notes:
    "Ours: the first batch of dycuckoo/fig12 takes DyCuckoo longer than MegaKV, before any resize. Here its sub-tables of two sizes become four of " +
    "one size, then two as MegaKV has, from which the vote of lanes remains; and a table of a fixed size, whose kernels choose among no buffers.",
};
