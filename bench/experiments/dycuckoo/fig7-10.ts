import type { Experiment, FigureSpec } from "../../base/experiment.js";
import { OPERATION, RATE_BARS, RATES } from "../shared.js";
import {
  cpuLibraries,
  cudpp,
  DATA_SET,
  DATASETS,
  dycuckoo,
  FILLED,
  LIBRARIES,
  megakv,
  OPERATION_AND_DATA_SET,
  OURS,
  PAIRS,
  QUERIES,
  REPEATS,
  SETTINGS,
  STAND_INS,
  slab,
  warp,
} from "./settings.js";

const operations = { op: ["insert", "find"], positiveRatio: [1], lookups: QUERIES } as const;
const quick = { dataset: ["com", "normal"] };
const byDataset: FigureSpec = { ...RATE_BARS, x: DATA_SET, facet: OPERATION };

export const fig7: Experiment = {
  id: "dycuckoo/fig7",
  source: { section: "6.2" },
  title: "DyCuckoo by its number of sub-tables",
  setting: "Filled factor 85 %; a million queries for present keys",
  series: [dycuckoo],
  axes: {
    n: PAIRS,
    dataset: DATASETS,
    loadFactor: [FILLED],
    ...operations,
    params: { subTables: [2, 3, 4, 5, 6, 7, 8] },
  },
  quick: { ...quick, params: { subTables: [2, 4, 8] } },
  figure: {
    ...RATES,
    x: { field: "params.subTables", title: "Sub-tables" },
    y: { title: "Throughput over that of 2 sub-tables", factor: 1, zero: false, over: 2 },
    facet: OPERATION_AND_DATA_SET,
  },
  notes: `${STAND_INS}${SETTINGS}`,
};

export const fig9: Experiment = {
  id: "dycuckoo/fig9",
  source: { section: "6.3" },
  title: "DyCuckoo beside other tables, by data set",
  setting: "All pairs are inserted at a filled factor of 85 %, then a million queries for present keys",
  series: [...cpuLibraries, cudpp, warp, megakv, slab, dycuckoo, ...OURS, ...LIBRARIES],
  axes: { n: PAIRS, dataset: DATASETS, loadFactor: [FILLED], ...operations },
  quick,
  figure: byDataset,
  notes: `${STAND_INS}${REPEATS}${SETTINGS} 8 lanes for insertions, without locks in DyCuckoo, and 4 for finds are ours. The filled factor of the slab hash is its memory utilisation.`,
};

export const fig10: Experiment = {
  id: "dycuckoo/fig10",
  source: { section: "6.3" },
  title: "DyCuckoo beside other tables, by filled factor",
  setting: "RAND: 100 million normally distributed keys, each once; a million queries for present keys",
  series: [cudpp, warp, megakv, slab, dycuckoo, ...OURS, ...LIBRARIES],
  axes: {
    n: [100_000_000],
    dataset: ["normal"],
    loadFactor: [0.7, 0.75, 0.8, 0.85, 0.9],
    ...operations,
  },
  quick: { loadFactor: [0.7, 0.9] },
  figure: {
    ...RATES,
    x: { field: "load_factor", title: "Filled factor (%)", factor: 100 },
    facet: OPERATION,
    beside: { references: ["CUDPP", "WarpCore", "SlabHash", "DyCuckoo"] },
  },
  notes: `${SETTINGS} 8 lanes for insertions, without locks in DyCuckoo, and 4 for finds are ours. The filled factor of the slab hash is its memory utilisation.`,
};
