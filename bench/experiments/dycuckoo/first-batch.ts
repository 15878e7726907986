import { type Experiment, WARPS_ON_SWIFTSHADER } from "../../experiment.js";
import { RATE_BARS } from "../shared.js";
import { DATA_SET, dycuckoo, FILLED, megakv } from "./settings.js";

/** A table that can be resized. */
const resizable = { resize: true, alpha: 0.3, beta: FILLED };

/** Why the first batch of the dynamic workloads takes DyCuckoo longer than MegaKV: what differs is taken away, one thing after another. */
export const firstBatch: Experiment = {
  id: "dycuckoo/first-batch",
  section: "6.4",
  title: "The first batch of a dynamic workload",
  setting:
    "A million different pairs in one insertion into an empty table, filled factor up to 85 %; nothing is resized",
  series: [
    { ...megakv, params: { ...megakv.params, ...resizable } },
    { ...dycuckoo, params: { ...dycuckoo.params, ...resizable } },
    {
      ...dycuckoo,
      variant: "alike",
      label: "… with sub-tables of one size",
      params: { ...dycuckoo.params, ...resizable, alike: true },
    },
    {
      ...dycuckoo,
      variant: "two alike",
      label: "… two of them, as MegaKV's",
      params: { ...dycuckoo.params, ...resizable, alike: true, subTables: 2 },
    },
    { ...dycuckoo, variant: "one array", label: "… in one array, of a fixed size" },
  ],
  axes: { n: [1_000_000], op: ["insert"], dataset: ["normal"], loadFactor: [FILLED] },
  software: { n: [2 ** 14] },
  swiftshader: WARPS_ON_SWIFTSHADER,
  figure: { ...RATE_BARS, x: DATA_SET },
  notes:
    "Ours: the first batch of dycuckoo/fig12 takes DyCuckoo longer than MegaKV, before any resize. Here its sub-tables of two sizes become four of " +
    "one size, then two as MegaKV has, from which the vote of lanes remains; and a table of a fixed size, whose kernels choose among no buffers.",
};
