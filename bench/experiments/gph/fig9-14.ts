import { type Axes, type Experiment, WARPS_ON_SWIFTSHADER } from "../../experiment.js";
import { above, DATASETS, LOOKUPS, NOTES, SIZES, TABLE_SIZE, TABLES } from "./settings.js";

const axes: Axes = { ...DATASETS, tableBytes: SIZES };
const software = { n: [2 ** 16], loadFactor: [0.4, 0.55] };

const byTableSize = {
  kind: "line",
  x: TABLE_SIZE,
  metric: "mops",
  facet: { field: "dataset", title: "Data set" },
} as const;

export const fig9: Experiment = {
  id: "gph/fig9",
  paper: "gph",
  figureName: "Fig. 9",
  section: "7.2",
  title: "Lookups by table size",
  setting: "Tables of 1.25 to 2 GB, 200 M lookups, half of them of present keys",
  series: TABLES,
  axes: { ...axes, op: ["find"], positiveRatio: [0.5], lookups: LOOKUPS },
  software: { ...software, dataset: ["random", "taobench"], lookups: 2 ** 16 },
  swiftshader: WARPS_ON_SWIFTSHADER,
  figure: { ...byTableSize, y: { title: "Lookup throughput" }, limit: true, paper: [above(8000)] },
  notes: NOTES,
};

export const fig14: Experiment = {
  id: "gph/fig14",
  paper: "gph",
  figureName: "Fig. 14",
  section: "7.4",
  title: "Insertion by table size",
  setting: "Tables of 1.25 to 2 GB, all pairs in one insertion into an empty table",
  series: TABLES,
  axes: { ...axes, op: ["insert"] },
  software: { ...software, dataset: ["random"] },
  swiftshader: WARPS_ON_SWIFTSHADER,
  figure: { ...byTableSize, y: { title: "Insertion throughput" }, paper: [above(100)] },
  notes: NOTES,
};
