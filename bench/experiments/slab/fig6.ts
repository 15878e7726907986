import { type Experiment, WARPS_ON_SWIFTSHADER } from "../../base/experiment.js";
import { each, paperNumber, range } from "../helpers.js";
import { librarySeries } from "../originals.js";
import { cuckoo, inSuperBlocks, POOL, THEIRS, tiled } from "./settings.js";

const TOTAL = 2 ** 21;
const K = 1024;
/** Pairs per batch. */
const BATCHES = [32 * K, 64 * K, 128 * K];

/** Cuckoo's time over that of the slab hash, at the end. */
const over = { table: "cuckoo", x: TOTAL, times: THEIRS };

export const fig6: Experiment = {
  source: { section: "VI.B" },
  id: "slab/fig6",
  title: "Insertion in batches: slab hash added to, cuckoo built from scratch",
  setting:
    "Batches of 32, 64 and 128 thousand pairs up to 2^21; 65 % memory utilisation in the end, of cuckoo at every build",
  // CUDPP would be a process a batch.
  series: each([inSuperBlocks, tiled, cuckoo, ...librarySeries(["slabHash"])], { bench: "incremental" }),
  axes: {
    n: range(TOTAL / 8, TOTAL, TOTAL / 8),
    op: ["insert"],
    dataset: ["random"],
    loadFactor: [0.65],
    params: { batch: BATCHES, total: [TOTAL] },
  },
  quick: { n: [TOTAL / 4, TOTAL], params: { batch: [32 * K, 128 * K], total: [TOTAL] } },
  software: {
    n: [2 ** 16, 2 ** 17],
    params: { batch: [2 ** 12], total: [2 ** 17] },
    swiftshader: WARPS_ON_SWIFTSHADER,
  },
  cost: 20,
  figure: {
    kind: "line",
    x: { field: "n", title: "Pairs so far (thousands)", factor: 1e-3 },
    metric: "time",
    y: { title: "Time of all batches", scale: "log10" },
    facet: { field: "params.batch", title: "Pairs per batch" },
    paper: [
      { ...over, value: paperNumber("slab/fig6:batches-of-32k"), where: { "params.batch": 32 * K } },
      { ...over, value: paperNumber("slab/fig6:batches-of-64k"), where: { "params.batch": 64 * K } },
      { ...over, value: paperNumber("slab/fig6:batches-of-128k"), where: { "params.batch": 128 * K } },
    ],
  },
  notes:
    "Time of the insertions only: neither emptying a table before it is built again nor the host between two batches is in it. " +
    "The points of a curve are stages of the same runs. " +
    `A thousand is 1,024. ${POOL}`,
};
