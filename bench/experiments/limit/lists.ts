import { type Experiment, WARPS_ON_SWIFTSHADER } from "../../base/experiment.js";
import { each } from "../helpers.js";
import { BUCKETS, LOG_RATES, UPDATES } from "../shared.js";
import { misra, set, tiled, warpWide } from "../slab/settings.js";

export const lists: Experiment = {
  id: "limit/lists",
  title: "Concurrent operations on lists beyond the cache",
  setting: "2^24 keys; a batch of 2^20 operations, kinds in random order, one operation per lane",
  series: each([warpWide, tiled, set, misra], { bench: "gamma" }),
  // Lists of 64, 16 and 4 keys in the mean, as those of 2^14, 2^16 and 2^18 buckets in slab/fig7b.
  axes: {
    n: [2 ** 24],
    op: ["mixed"],
    dataset: ["random"],
    params: { updates: [1, 0.2], buckets: [2 ** 18, 2 ** 20, 2 ** 22] },
  },
  quick: { params: { updates: [1], buckets: [2 ** 18, 2 ** 22] } },
  software: { n: [2 ** 16], params: { updates: [1], buckets: [2 ** 10, 2 ** 14] }, swiftshader: WARPS_ON_SWIFTSHADER },
  cost: 32,
  figure: { ...LOG_RATES, x: BUCKETS, facet: UPDATES },
  notes:
    "Ours. The 2^20 keys of slab/fig7b are in the cache of a large GPU, where the nodes of a list, 8 bytes each, cost little; on the " +
    "paper's GPU they were not. Here slabs and nodes are in memory, of which every node is a random sector of its own.",
};
