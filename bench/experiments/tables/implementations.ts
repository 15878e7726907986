import type { Experiment } from "../../base/experiment.js";
import { EACH_TABLE, LOG_RATES, OPERATION_AND_RATIO, PAIRS } from "../shared.js";

export const implementations: Experiment = {
  id: "tables/implementations",
  title: "Tables by size, for one implementation of WebGPU beside another",
  setting: "Unique random pairs, load factor 0.8, 2^26 lookups",
  series: EACH_TABLE,
  axes: {
    n: [2 ** 16, 2 ** 18, 2 ** 20, 2 ** 22, 2 ** 23, 2 ** 24, 2 ** 25, 2 ** 26],
    op: ["insert", "find"],
    dataset: ["random"],
    loadFactor: [0.8],
    positiveRatio: [1, 0],
    lookups: 2 ** 26,
  },
  quick: { n: [2 ** 16, 2 ** 24, 2 ** 26] },
  software: { n: [2 ** 12, 2 ** 15], lookups: 2 ** 15 },
  figure: { ...LOG_RATES, x: PAIRS, facet: OPERATION_AND_RATIO, beside: { limit: true } },
  notes:
    "Ours. An implementation of WebGPU brings the compiler of kernels, bounds checks and the allocation of buffers. --webgpu chooses one, " +
    "or several that take turns (--robust and --no-large-pages make Dawn's conditions equal to the others'). " +
    "What accesses and launches cost is in device/implementations.",
};
