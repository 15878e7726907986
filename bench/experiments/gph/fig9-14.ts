import { type Axes, type Experiment, WARPS_ON_SWIFTSHADER } from "../../base/experiment.js";
import { DATA_SET, RATES } from "../shared.js";
import { DATASETS, GPH, LIBRARIES, LOOKUPS, NOTES, SIZES, TABLE_SIZE, TABLES } from "./settings.js";

const axes: Axes = { ...DATASETS, loadFactor: { bytes: SIZES } };
const software = { n: [2 ** 16], loadFactor: [0.4, 0.55], swiftshader: WARPS_ON_SWIFTSHADER };

const shared = { series: TABLES, notes: NOTES } as const;
const byTableSize = { ...RATES, x: TABLE_SIZE, facet: DATA_SET };

export const fig9: Experiment = {
  ...shared,
  id: "gph/fig9",
  series: [...TABLES, ...LIBRARIES],
  source: { section: "7.2" },
  title: "Lookups of GPH and other tables by table size",
  setting: "Tables of 1.25 to 2 GB, 200 M lookups, half of them of present keys",
  axes: { ...axes, op: ["find"], positiveRatio: [0.5], lookups: LOOKUPS },
  software: { ...software, dataset: ["random", "taobench"], lookups: 2 ** 16 },
  figure: {
    ...byTableSize,
    y: { title: "Lookup throughput" },
    beside: { limit: true },
    paper: [{ ...GPH, label: "GPH above 8,000 M/s (V100S)", value: 8000 }],
  },
};

export const fig14: Experiment = {
  ...shared,
  id: "gph/fig14",
  source: { section: "7.4" },
  title: "Insertion of GPH and other tables by table size",
  setting: "Tables of 1.25 to 2 GB, all pairs in one insertion into an empty table",
  axes: { ...axes, op: ["insert"] },
  software: { ...software, dataset: ["random"] },
  figure: {
    ...byTableSize,
    y: { title: "Insertion throughput" },
    paper: [{ ...GPH, label: "GPH above 100 M/s (V100S)", value: 100 }],
  },
};
