import { type Experiment, WARPS_ON_SWIFTSHADER } from "../../base/experiment.js";
import { each, paperMarks } from "../helpers.js";
import { OPERATION, RATE_BARS } from "../shared.js";
import { DATA_SET, DATASETS, dycuckooResizing, FILLED, PAIRS, STAND_INS } from "./settings.js";

/**
 * One resize, which the benchmark asks for: at these bounds the table does none by itself. All tables have one size; the one
 * that is halved has fewer pairs.
 */
const table = each(dycuckooResizing, { bench: "resize", params: { alike: true, alpha: 0, beta: 1 } });
const tables = [
  ...each(table, { variant: "resize", label: "DyCuckoo", params: { how: "relocate" } }),
  ...each(table, { variant: "rehash", label: "Rehashing", params: { how: "rehash" } }),
];
const upsize = { only: { op: ["upsize"] }, at: { loadFactor: FILLED } };
const downsize = { only: { op: ["downsize"] }, at: { loadFactor: 0.3, share: 0.3 / FILLED } };

const shared = {
  source: { section: "6.2" },
  series: [...each(tables, upsize), ...each(tables, downsize)],
  setting: "One sub-table is doubled at a filled factor of 85 %, with all pairs, or halved at 30 %, with 30/85 of them",
  axes: { n: PAIRS, op: ["upsize", "downsize"], dataset: DATASETS },
  quick: { dataset: ["com", "normal"] },
  software: { n: [2 ** 18], dataset: ["com"], swiftshader: WARPS_ON_SWIFTSHADER },
  cost: 3,
} as const;
const OURS =
  `${STAND_INS}Rehashing inserts the pairs of the one sub-table anew, as Algorithm 1 of the paper does; the old sub-table is read, and the new ` +
  "one filled with EMPTY, within the time. Sub-tables are alike, and of a size that can be doubled and halved: the filled factor, which the rows " +
  "have, is 0.79 to 0.83 before an upsize and 0.28 to 0.29 before a downsize. ";

export const fig8: Experiment = {
  ...shared,
  id: "dycuckoo/fig8",
  title: "Resizing one sub-table",
  figure: { ...RATE_BARS, x: DATA_SET, facet: OPERATION },
  notes: `${OURS}The rate is of the pairs in that sub-table.`,
};

export const table4: Experiment = {
  ...shared,
  id: "dycuckoo/table4",
  from: [fig8.id],
  title: "Buckets accessed by the resize of one sub-table",
  figure: {
    kind: "bar",
    x: DATA_SET,
    metric: "buckets_accessed",
    y: { title: "Buckets accessed", scale: "log10" },
    facet: OPERATION,
    paper: paperMarks("dycuckoo/table4:{x}-{op}-{variant}", {
      table: ["dycuckoo"],
      x: DATASETS,
      variant: ["resize", "rehash"],
      op: ["upsize", "downsize"],
    }),
  },
  notes:
    `${OURS}Counted by the kernels as the paper seems to count: an access per pair that is moved, and each bucket that an insertion looks at with ` +
    "its lock. The paper's numbers are nearly equal for data sets of which one is ten times as large as another; that of rehashing in a downsize is " +
    "0.3 · 2^21, the pairs of a table of 2^21 slots. So its tables were of another size than its text says.",
};
