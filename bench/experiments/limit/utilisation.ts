import { type Experiment, WARPS_ON_SWIFTSHADER } from "../../base/experiment.js";
import { LOG_RATES, OPERATION_AND_RATIO } from "../shared.js";
import { cuckoo, TILES, tiled, warpWide } from "../slab/settings.js";

export const utilisation: Experiment = {
  id: "limit/utilisation",
  title: "Slab hash and cuckoo beyond the cache, by memory utilisation",
  setting: "2^27 random pairs; as many queries, all present or all absent",
  series: [warpWide, tiled, cuckoo],
  axes: {
    // Of 2^22 pairs a Tesla K40c's cache, 1.5 MiB, holds as small a part as 50 MiB do of these.
    n: [2 ** 27],
    op: ["insert", "find"],
    dataset: ["random"],
    loadFactor: [0.2, 0.35, 0.5, 0.6, 0.65, 0.7, 0.8, 0.9],
    positiveRatio: [1, 0],
    lookups: "n",
  },
  quick: { loadFactor: [0.2, 0.65, 0.9] },
  software: { n: [2 ** 15], loadFactor: [0.2, 0.65], swiftshader: WARPS_ON_SWIFTSHADER },
  figure: {
    ...LOG_RATES,
    x: { field: "load_factor", title: "Memory utilisation (%)", factor: 100 },
    facet: OPERATION_AND_RATIO,
  },
  notes:
    "Ours. The 2^22 pairs of slab/fig4 are in the cache of a large GPU, or nearly; on the paper's GPU a table was 40 times as large as the " +
    `cache, as here on one of 50 MiB. The paper's claims are judged at its 2^22 pairs. ${TILES}`,
};
