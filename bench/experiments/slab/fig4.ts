import { type Experiment, WARPS_ON_SWIFTSHADER } from "../../base/experiment.js";
import { LOG_RATES } from "../shared.js";
import { cuckoo, DROP, inSuperBlocks, LIBRARIES, POOL, THEIRS, TILES, tiled } from "./settings.js";

const UTILISATIONS = [0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.93];
const PAIRS = 2 ** 22;

/** 2^13, 2^13.5 … 2^21, for average slab counts from 34 to 0.13. */
const SMALLER = [8192, 11_585, 16_384, 23_170, 32_768, 46_341, 65_536, 92_682, 131_072];
const BUCKETS = [...SMALLER, 185_364, 262_144, 370_728, 524_288, 741_455, 1_048_576, 1_482_910, 2_097_152];

const byUtilisation = {
  ...LOG_RATES,
  x: { field: "load_factor", title: "Memory utilisation (%)", factor: 100 },
} as const;

const shared = {
  source: { section: "VI.A" },
  series: [inSuperBlocks, tiled, cuckoo, ...LIBRARIES],
  quick: { loadFactor: [0.2, 0.4, 0.6, 0.65, 0.7, 0.9] },
  software: { n: [2 ** 16], loadFactor: [0.2, 0.65, 0.9], swiftshader: WARPS_ON_SWIFTSHADER },
} as const;
const axes = { n: [PAIRS], dataset: ["random"], loadFactor: UTILISATIONS } as const;

export const fig4a: Experiment = {
  ...shared,
  id: "slab/fig4a",
  title: "Building slab hash and cuckoo by memory utilisation",
  setting: "2^22 random pairs, insertions keep keys unique (REPLACE)",
  axes: { ...axes, op: ["insert"] },
  figure: { ...byUtilisation, paper: [DROP, { ...THEIRS, label: "peak 512 M/s (K40c)", value: 512 }] },
  notes: `${TILES} ${POOL} The paper averages 50 trials; ours end by the range of their samples.`,
};

export const fig4b: Experiment = {
  ...shared,
  id: "slab/fig4b",
  title: "Searching slab hash and cuckoo by memory utilisation",
  setting: "2^22 random pairs, as many queries: all present or all absent",
  axes: { ...axes, op: ["find"], positiveRatio: [1, 0], lookups: "n" },
  figure: {
    ...byUtilisation,
    facet: { field: "positive_ratio", title: "Share of present keys" },
    paper: [DROP, { ...THEIRS, label: "peak 937 M/s (K40c)", value: 937 }],
  },
  notes: `${TILES} ${POOL}`,
};

export const fig4c: Experiment = {
  source: { section: "VI.A" },
  id: "slab/fig4c",
  title: "Memory utilisation by average slab count",
  setting: "2^22 random pairs; average slab count: pairs / (15 · buckets)",
  series: [{ ...tiled, label: "Slab hash" }],
  axes: {
    n: [PAIRS],
    op: ["insert"],
    dataset: ["random"],
    params: { buckets: BUCKETS },
  },
  quick: { params: { buckets: [2 ** 14, 2 ** 16, 2 ** 18, 2 ** 20] } },
  software: { n: [2 ** 14], params: { buckets: [2 ** 4, 2 ** 6, 2 ** 8, 2 ** 11] }, swiftshader: 1 / 2 },
  cost: 8,
  figure: {
    kind: "line",
    x: { field: "metric.average_slab_count", title: "Average slab count", scale: "log2" },
    metric: "memory_utilisation",
    y: { title: "Memory utilisation (%)", factor: 100 },
    paper: [{ label: "at most 94 %", value: 0.94 }],
  },
  notes:
    "A slab of pairs is full at 120 of its 128 bytes, 93.75 %. The paper's curve ends at few buckets, whose lists are long; " +
    "ours ends at 34 slabs per list.",
};
