/** The lookup kernels' profile by stand-ins: Table 2, the performance model of Figure 3, and both along two axes in Figure 11. */
import type { Experiment, Series } from "../../base/experiment.js";
import { paperMarks } from "../helpers.js";
import { POSITIVE_LOOKUPS } from "../shared.js";
import { COMPARED, gph, HALF_PRESENT, HALF_PRESENT_SMALL, SIZES, TABLE_SIZE } from "./settings.js";

/** GPH last, as in the paper's table. */
const series: readonly Series[] = [...COMPARED, gph];

const panels = [
  { metric: "balance", title: "Balance, a stand-in for AO" },
  { metric: "warp_operations", title: "Warp operations, a stand-in for EI" },
  { metric: "warp_operation_sectors", title: "Sectors per warp operation, a stand-in for CPI" },
  { metric: "time", title: "Time" },
] as const;

const x = [0.5];
const all = ["warpcore", "dycuckoo", "cuckoo", "gph"];
const others = ["warpcore", "dycuckoo", "cuckoo"];
/** What the paper has of a table over what it has of GPH: two claims are of these quotients themselves. */
const paper = [
  ...paperMarks("gph/table2:{table}-occupancy", { table: all, metric: ["balance"], x }, "gph/table2:gph-occupancy"),
  ...paperMarks("gph/table2:{table}-instructions", { table: others, metric: ["warp_operations"], x }),
  { table: "gph", metric: "warp_operations", x: 0.5, value: 1 },
  ...paperMarks("gph/table2:{table}-cycles", { table: others, metric: ["warp_operation_sectors"], x }),
  { table: "gph", metric: "warp_operation_sectors", x: 0.5, value: 1 },
  ...paperMarks("gph/table2:{table}-time", { table: all, metric: ["time"], x }, "gph/table2:gph-time"),
];

const STAND_INS =
  "WebGPU has no hardware counters. Stand-ins, of counting variants of the kernels, for warps of 32 lanes: balance (warp steps " +
  "over those of the longest warp of a workgroup) for achieved occupancy AO, operations of the source that warps execute for " +
  "executed instructions EI, 32-byte sectors of the table for EI · CPI, and hence sectors per warp operation for CPI. WarpCore's 8 slots are " +
  "read by 8 lanes and DyCuckoo's 16 by 16, a word each, as in the paper; GPH's cell index lies in the memory of workgroups, to which queries are " +
  "brought before, untimed; answers stand in that order.";

const setting = "1.5 GB table, 100 M random pairs, 200 M lookups, half of them of present keys";
const shared = {
  series,
  setting,
  axes: HALF_PRESENT,
  software: HALF_PRESENT_SMALL,
} as const;

export const table2: Experiment = {
  ...shared,
  id: "gph/table2",
  source: { section: "3.2" },
  title: "Profile of lookups by stand-ins, over that of GPH",
  figure: {
    kind: "bar",
    x: POSITIVE_LOOKUPS,
    y: { title: "Value / GPH's", scale: "log10" },
    metric: panels,
    apart: true,
    against: { table: "gph", as: "ratio" },
    paper,
  },
  notes: `${STAND_INS} The paper's values are a profiler's on a Tesla V100S, each over that of GPH.`,
};

const OVER_GPH = { times: { table: "gph", variant: "paper" } } as const;
/** EI · CPI, of billions of cycles, and time · AO of the paper's Table 2, each over that of GPH. */
const TABLE2 = [
  { table: "warpcore", x: { times: 211.24 / 148.91 }, value: (45.31 * 70.89) / (22.93 * 98.24), ...OVER_GPH },
  { table: "dycuckoo", x: { times: 463.13 / 148.91 }, value: (88.1 * 86.87) / (22.93 * 98.24), ...OVER_GPH },
  { table: "cuckoo", x: { times: 325.91 / 148.91 }, value: (55.18 * 92.37) / (22.93 * 98.24), ...OVER_GPH },
] as const;

export const fig3: Experiment = {
  ...shared,
  id: "gph/fig3",
  source: { section: "3.4" },
  title: "Time × balance by transactions: stand-ins for time × occupancy and executed cycles",
  setting: `${setting}; the paper's points, drawn by their ratios to that of GPH, have Pearson's r 0.9993`,
  figure: {
    kind: "line",
    x: { field: "metric.transactions", title: "Transactions per lookup, a stand-in for EI · CPI", zero: true },
    metric: "time_balance",
    y: { title: "Time × balance, a stand-in for time · AO" },
    beside: { trend: "line" },
    paper: TABLE2,
  },
  notes: `${STAND_INS} The paper's values, in cycles and in the times of a Tesla V100S, are drawn as ratios to those of GPH, whose point is ours. They lie on a line, Pearson's r 0.9993: its cycles are those in which a warp is resident, so that time × occupancy is their number by definition. Ours are counted in runs without a clock. How well times follow from counters over all tables says the report's section on the model.`,
};

const byTableSize: Pick<Experiment, "axes" | "software" | "setting"> = {
  axes: { ...HALF_PRESENT, loadFactor: { bytes: SIZES } },
  software: { ...HALF_PRESENT_SMALL, loadFactor: [0.4, 0.55] },
  setting: "100 M random pairs in 1.25 to 2 GB, 200 M lookups, half of them of present keys",
};
const byPositiveRatio: Pick<Experiment, "axes" | "software" | "setting"> = {
  axes: { ...HALF_PRESENT, positiveRatio: [0, 0.25, 0.5, 0.75, 1] },
  software: { ...HALF_PRESENT_SMALL, positiveRatio: [0, 0.5, 0.75, 1] },
  setting: "1.5 GB table, 100 M random pairs, 200 M lookups",
};

const occupancy = { metric: "balance", y: { title: "Balance (%), a stand-in for AO", factor: 100 } } as const;
const ofGph = { label: "almost 100 %", table: "gph", variant: "paper", value: 1 } as const;
const cycles = { metric: "transactions", y: { title: "Transactions per lookup, a stand-in for EI · CPI" } } as const;
const figure11 = { ...shared, source: { section: "7.2" }, notes: STAND_INS } as const;

export const fig11a: Experiment = {
  ...figure11,
  ...byTableSize,
  id: "gph/fig11a",
  title: "Balance of the warps by table size, a stand-in for achieved occupancy",
  figure: {
    kind: "line",
    x: TABLE_SIZE,
    ...occupancy,
    paper: [ofGph, { label: "around 86 %", table: "dycuckoo", value: 0.86 }],
  },
};

export const fig11b: Experiment = {
  ...figure11,
  ...byPositiveRatio,
  id: "gph/fig11b",
  title: "Balance of the warps by positive ratio, a stand-in for achieved occupancy",
  figure: { kind: "line", x: POSITIVE_LOOKUPS, ...occupancy, paper: [ofGph] },
};

export const fig11c: Experiment = {
  ...figure11,
  ...byTableSize,
  id: "gph/fig11c",
  title: "Transactions by table size, a stand-in for executed cycles",
  figure: { kind: "line", x: TABLE_SIZE, ...cycles },
};

export const fig11d: Experiment = {
  ...figure11,
  ...byPositiveRatio,
  id: "gph/fig11d",
  title: "Transactions by positive ratio, a stand-in for executed cycles",
  figure: { kind: "line", x: POSITIVE_LOOKUPS, ...cycles },
};
