import { type Experiment, WARPS_ON_SWIFTSHADER } from "../../base/experiment.js";
import { each, paperLine, powers } from "../helpers.js";
import { BUCKETS, LOG_RATES, UPDATES } from "../shared.js";
import { DROP, inSuperBlocks, misra, POOL, set, THEIRS, TILES, tiled } from "./settings.js";

/** Γ0, Γ1, Γ2 by their share of updates (half insertions, half erasures; half of the searches are for present keys). */
const MIXES = [1, 0.4, 0.2];
/** Over Misra's table, by geometric mean. */
const overMisra = { ...THEIRS, times: { table: "misra", variant: "" } };
const LABEL = "{}× Misra's mean";

const shared = { source: { section: "VI.C" } } as const;
const BATCH = "a batch of 2^20 operations, kinds in random order, one operation a lane";
const HELD =
  "Inserted keys are new, erased ones random among those in the table, and a batch does not search for what it changes, so " +
  "that every answer is certain; all are checked. As many keys are inserted as erased. Every sample begins with a table built " +
  "anew: what erased keys leave unused, and what is never used again, grows during one batch only. The paper averages over " +
  "batches and does not say how large they are; ours are the million operations of its Fig. 7b. ";

/** Parts of the list: a mean length of 1 to 64 keys. */
const BUCKET_COUNTS = powers(14, 7);

const UTILISATIONS = [0.2, 0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9];

export const fig7a: Experiment = {
  ...shared,
  id: "slab/fig7a",
  title: "Concurrent operations: the slab hash by memory utilisation",
  setting: `2^22 pairs at first; ${BATCH}`,
  series: each([inSuperBlocks, tiled], { bench: "gamma" }),
  axes: {
    n: [2 ** 22],
    op: ["mixed"],
    dataset: ["random"],
    loadFactor: UTILISATIONS,
    params: { updates: MIXES },
  },
  quick: { loadFactor: [0.2, 0.6, 0.7, 0.9] },
  software: {
    n: [2 ** 16],
    loadFactor: [0.2, 0.65, 0.9],
    params: { updates: [1, 0.2] },
    swiftshader: WARPS_ON_SWIFTSHADER,
  },
  figure: {
    ...LOG_RATES,
    x: { field: "load_factor", title: "Memory utilisation at first (%)", factor: 100 },
    facet: UPDATES,
    paper: [DROP, { ...THEIRS, x: 0.9, value: 100 }],
  },
  notes: `${HELD}${TILES} ${POOL} The paper's 100 M/s at 90 % are a Tesla K40c's.`,
};

export const fig7b: Experiment = {
  ...shared,
  id: "slab/fig7b",
  title: "Concurrent operations: slab hash and the set of Misra and Chaudhuri, by buckets",
  setting: `2^20 keys; ${BATCH}`,
  series: each([inSuperBlocks, tiled, set, misra], { bench: "gamma" }),
  axes: { n: [2 ** 20], op: ["mixed"], dataset: ["random"], params: { updates: MIXES, buckets: BUCKET_COUNTS } },
  quick: { params: { updates: MIXES, buckets: [2 ** 14, 2 ** 17, 2 ** 20] } },
  software: {
    n: [2 ** 16],
    params: { updates: [1, 0.2], buckets: [2 ** 13, 2 ** 16] },
    swiftshader: WARPS_ON_SWIFTSHADER,
  },
  // A search passes half of a list of 64 keys on average, both in the build and in the batches.
  cost: 32,
  figure: {
    ...LOG_RATES,
    x: BUCKETS,
    facet: UPDATES,
    paper: [
      { ...overMisra, ...paperLine("slab/fig7b:updates-100", LABEL), where: { "params.updates": 1 } },
      { ...overMisra, ...paperLine("slab/fig7b:updates-40", LABEL), where: { "params.updates": 0.4 } },
      { ...overMisra, ...paperLine("slab/fig7b:updates-20", LABEL), where: { "params.updates": 0.2 } },
    ],
  },
  notes: `${HELD}${TILES} ${POOL} Misra's table holds keys alone; the text does not say whether the slab hash beside it holds pairs: the claims are about pairs. The paper says a million operations; the number of keys in the table is ours.`,
};
