import { type Experiment, WARPS_ON_SWIFTSHADER } from "../../base/experiment.js";
import { each, powers } from "../helpers.js";
import { LOG_RATES, PAIRS } from "../shared.js";
import { cuckoo, LIBRARIES, THEIRS, TILES, tiled, warpWide } from "./settings.js";

const SIZES = powers(16, 12);
/** "With a geometric mean over all table sizes and 65% memory utilization" cuckoo is so many times as fast. */
const at65 = each([warpWide, cuckoo], { variant: "65 %", label: "{}, utilisation 65 %", at: { loadFactor: 0.65 } });

const shared = {
  source: { section: "VI.A" },
  series: [warpWide, tiled, cuckoo, ...at65, ...LIBRARIES],
  quick: { n: [2 ** 16, 2 ** 20, 2 ** 24] },
  software: { n: [2 ** 16, 2 ** 17], swiftshader: WARPS_ON_SWIFTSHADER },
  notes: `${TILES} The sizes are ours: the figure's axis ends at about 2^27. The pool has what the pairs want, not the paper's 32 super blocks.`,
} as const;
const axes = { n: SIZES, dataset: ["random"], loadFactor: [0.6] } as const;
const figure = { ...LOG_RATES, x: PAIRS } as const;

/** Cuckoo's rates over those of the slab hash, by geometric mean. */
const overSlab = { table: "cuckoo", variant: "65 %", times: { table: "slab-hash", variant: "65 %" } } as const;

export const fig5a: Experiment = {
  ...shared,
  id: "slab/fig5a",
  title: "Building slab hash and cuckoo by table size",
  setting: "Random pairs, memory utilisation 60 %, and 65 % for the means over all sizes",
  axes: { ...axes, op: ["insert"] },
  figure: { ...figure, paper: [{ ...overSlab, label: "1.19× the slab hash's mean", value: 1.19 }] },
};

export const fig5b: Experiment = {
  ...shared,
  id: "slab/fig5b",
  title: "Searching slab hash and cuckoo by table size",
  setting: "As many queries as pairs, all present or all absent; memory utilisation 60 %, and 65 % for the means",
  axes: { ...axes, op: ["find"], positiveRatio: [1, 0], lookups: "n" },
  figure: {
    ...figure,
    facet: { field: "positive_ratio", title: "Share of present keys" },
    paper: [
      { ...THEIRS, label: "harmonic mean 861 M/s (K40c)", value: 861, where: { positive_ratio: 1 } },
      { ...THEIRS, label: "harmonic mean 793 M/s (K40c)", value: 793, where: { positive_ratio: 0 } },
    ],
  },
};
