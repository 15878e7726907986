import { type Experiment, WARPS_ON_SWIFTSHADER } from "../../base/experiment.js";
import { each } from "../helpers.js";
import { LOG_RATES, OPERATION_AND_RATIO } from "../shared.js";
import { inSuperBlocks, POOL } from "./settings.js";

const alone = {
  table: "slab-hash",
  variant: "alone",
  label: "Slab hash, a lane per operation",
  params: { tile: 1, superBlocks: 32 },
};
const both = [inSuperBlocks, alone];

export const sharing: Experiment = {
  id: "slab/sharing",
  source: { section: "IV.A" },
  title: "Work sharing by a warp, and a thread for each operation",
  setting:
    "2^22 random pairs, as many queries, all present or all absent; a batch of 2^20 operations, 40 % of them updates",
  series: [
    ...each(both, { only: { op: ["insert", "find"] } }),
    ...each(both, { bench: "gamma", only: { op: ["mixed"] }, params: { updates: 0.4 } }),
  ],
  axes: {
    n: [2 ** 22],
    op: ["insert", "find", "mixed"],
    dataset: ["random"],
    loadFactor: [0.65, 0.85],
    positiveRatio: [1, 0],
    lookups: "n",
  },
  software: { n: [2 ** 14], swiftshader: WARPS_ON_SWIFTSHADER },
  figure: {
    ...LOG_RATES,
    x: { field: "load_factor", title: "Memory utilisation (%)", factor: 100 },
    facet: OPERATION_AND_RATIO,
  },
  notes:
    "The paper describes per-thread processing and measures none. Ours does the same to slots and pointers as work sharing does, by the same " +
    `atomics; a lane reads its own list, four words at a time in bulk searches and keys alone elsewhere. ${POOL}`,
};
