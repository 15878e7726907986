import { type Experiment, WARPS_ON_SWIFTSHADER } from "../../base/experiment.js";
import { each, range } from "../helpers.js";
import { RATES } from "../shared.js";
import { DATA_SET, DATASETS, dynamicSlab, FILLED, PAIRS, resizing, SETTINGS, STAND_INS } from "./settings.js";

const axes = { n: PAIRS, op: ["dynamic"], dataset: DATASETS, loadFactor: [FILLED] } as const;
const quick = { dataset: ["com", "normal"] };
/** Lists become ten times as long, and a warp without large subgroups is a workgroup that goes through them for one operation at a time. */
const software = { n: [2 ** 16], dataset: ["com"], swiftshader: WARPS_ON_SWIFTSHADER / 4 };
const OPERATIONS =
  "as many searches and r times as many deletions; then all again with insertions and deletions exchanged";
const BATCHES = `Batches of a million insertions, ${OPERATIONS}`;
const OURS =
  `${STAND_INS}${SETTINGS} Insertions find a key that is there wherever it is (REPLACE), as Algorithm 1 does not. The slab hash takes slots of ` +
  "erased pairs again, and its warps go down two lists at once. Searches and deletions ask for random keys of those inserted so far; the paper does not say for which. A table begins " +
  "as large as the first batch wants it; the slab hash keeps the number of lists that it began with. Time is of the operations and " +
  "of the resizes among them. All searches, and the number of keys that each batch erases, are checked. ";

const ALPHA = { alpha: 0.3 };
const BETA = { beta: FILLED };

const shared = {
  source: { section: "6.4" },
  series: [...each(resizing, { params: { ...ALPHA, ...BETA } }), dynamicSlab],
  cost: 6,
  notes: OURS,
} as const;

const figure = { ...RATES, facet: DATA_SET };

/** Pairs that tables are made for, whatever the batches. */
const START = 1_000_000;

export const fig11: Experiment = {
  ...shared,
  id: "dycuckoo/fig11",
  title: "DyCuckoo, MegaKV and Slab in dynamic workloads, by share of deletions",
  setting: `${BATCHES}; filled factor held between 30 and 85 %`,
  axes: { ...axes, params: { r: [0.1, 0.2, 0.3, 0.4, 0.5] } },
  quick: { ...quick, params: { r: [0.1, 0.5] } },
  software: { ...software, params: { r: [0.1, 0.5] } },
  figure: { ...figure, x: { field: "params.r", title: "Deletions per insertion (r)" } },
};

export const fig12: Experiment = {
  ...shared,
  id: "dycuckoo/fig12",
  title: "Filled factor after each batch of dynamic workloads",
  setting: `${BATCHES}; r = 0.2, filled factor held between 30 and 85 %`,
  // There are as many batches as the data set has: the largest has a hundred.
  axes: { ...axes, params: { phase: [1, 2], batch: range(1, 100) } },
  quick: { ...quick, params: { phase: [1, 2], batch: range(1, 10) } },
  software: { ...software, params: { phase: [1, 2], batch: range(1, 10) } },
  figure: {
    kind: "line",
    x: { field: "params.batch", title: "Batch", own: true },
    metric: "filled_factor",
    y: { title: "Filled factor (%)", factor: 100 },
    facet: { ...DATA_SET, field: "dataset+params.phase", title: "Data set and phase" },
  },
  notes:
    `${OURS}The filled factor of the slab hash is that of the slabs in use. Phase 1 is the paper's first pass over all batches, phase 2 the one with ` +
    "insertions and deletions exchanged. The rows have the bytes held as well (table_bytes; of the slab hash, those of the slabs in use).",
};

export const fig13: Experiment = {
  ...shared,
  id: "dycuckoo/fig13",
  title: "DyCuckoo, MegaKV and Slab in dynamic workloads, by batch size",
  setting: `Batches of insertions, ${OPERATIONS}; r = 0.2, filled factor held between 30 and 85 %`,
  axes: { ...axes, params: { start: [START], batchSize: [200_000, 400_000, 600_000, 800_000, 1_000_000] } },
  quick: { ...quick, params: { start: [START], batchSize: [200_000, 1_000_000] } },
  software: { ...software, params: { start: [8000], batchSize: [2000, 8000] } },
  cost: 10,
  figure: { ...figure, x: { field: "params.batchSize", title: "Insertions per batch" } },
  notes: `${OURS}Here it begins as large as a million pairs want it, whatever the batches: the lists of the slab hash would be as many as the batches are small.`,
};

export const fig14: Experiment = {
  ...shared,
  id: "dycuckoo/fig14",
  title: "DyCuckoo and MegaKV in dynamic workloads, by lower bound of the filled factor",
  setting: `${BATCHES}; r = 0.2, upper bound 85 %`,
  series: each(resizing, { params: BETA }),
  axes: { ...axes, params: { alpha: [0.2, 0.25, 0.3, 0.35, 0.4] } },
  quick: { ...quick, params: { alpha: [0.2, 0.4] } },
  software: { ...software, params: { alpha: [0.2, 0.4] } },
  figure: { ...figure, x: { field: "params.alpha", title: "Lower bound α" } },
};

export const fig15: Experiment = {
  ...shared,
  id: "dycuckoo/fig15",
  title: "DyCuckoo and MegaKV in dynamic workloads, by upper bound of the filled factor",
  setting: `${BATCHES}; r = 0.2, lower bound 30 %`,
  series: each(resizing, { params: ALPHA }),
  axes: { ...axes, params: { beta: [0.7, 0.75, 0.8, 0.85, 0.9] } },
  quick: { ...quick, params: { beta: [0.7, 0.9] } },
  software: { ...software, params: { beta: [0.7, 0.9] } },
  figure: { ...figure, x: { field: "params.beta", title: "Upper bound β" } },
};
