import { type Axes, type Experiment, WARPS_ON_SWIFTSHADER } from "../../base/experiment.js";
import { DATA_SET, RATE_BARS, RATES } from "../shared.js";
import { DATASETS, GB, GPH, gph, LIBRARIES, LOOKUPS, NOTES, SIZES, TABLE_SIZE, TABLES } from "./settings.js";

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

export const refused: Experiment = {
  id: "gph/refused",
  source: { section: "6.2" },
  title: "Pairs that GPH refuses at a load factor of 70 %",
  setting: "1.5 GB table, 70 % of its slots' random pairs in one insertion; cells of 8 bits, as the paper's, and of 16",
  series: [gph],
  axes: {
    n: [140_928_614],
    op: ["insert"],
    dataset: ["random"],
    loadFactor: { bytes: [1.5 * GB] },
    params: { cellBits: [8, 16] },
  },
  software: { ...software, loadFactor: [0.7] },
  figure: {
    ...RATE_BARS,
    x: { field: "params.cellBits", title: "Bits of a cell" },
    metric: "refused_share",
    y: { title: "Refused pairs (%)", factor: 100 },
    paper: [{ ...GPH, label: "GPH, computed, 8 bits", x: 8, value: 0.0000539 }],
  },
  notes:
    "The paper computes how likely more keys map to the buckets of a cell than these hold, whatever mapping the cell has. Here pairs " +
    "are refused for which no mapping and no offset of their cell has room.",
};
