/** The lookup kernels' profile by stand-ins: Table 2, the performance model of Figure 3, and both along two axes in Figure 11. */
import { type Channel, type Experiment, type Series, WARPS_ON_SWIFTSHADER } from "../../base/experiment.js";
import { paperNumber } from "../claims.js";
import { POSITIVE_LOOKUPS } from "../shared.js";
import { gph, HALF_PRESENT, HALF_PRESENT_SMALL, SIZES, TABLE_SIZE, TABLES } from "./settings.js";

/** GPH last, as in the paper's table. */
const series: readonly Series[] = [...TABLES.filter(({ table }) => table !== "gph"), gph];

const COLUMNS = [
  { metric: "balance", title: "Balance, a stand-in for AO", claim: "occupancy" },
  { metric: "warp_operations", title: "Warp operations, a stand-in for EI", claim: "instructions" },
  { metric: "warp_operation_sectors", title: "Sectors a warp operation, a stand-in for CPI", claim: "cycles" },
  { metric: "time", title: "Time", claim: "time" },
] as const;

/** What the paper has of a table over what it has of GPH. */
function overGph(table: string, claim: (typeof COLUMNS)[number]["claim"]): number {
  if (table === "gph") return 1;
  const [own, gph] = [table, "gph"].map((one) => paperNumber(`gph/table2:${one}-${claim}`));
  // The claims of these two are quotients by GPH's themselves.
  if (claim === "instructions" || claim === "cycles") return own ?? Number.NaN;
  return (own ?? Number.NaN) / (gph ?? Number.NaN);
}

const STAND_INS =
  "WebGPU has no hardware counters. Stand-ins, of counting variants of the kernels, for warps of 32 lanes: balance (warp steps " +
  "over those of the longest warp of a workgroup) for achieved occupancy AO, operations of the source that warps execute for " +
  "executed instructions EI, 32-byte sectors of the table for EI · CPI, and hence sectors a warp operation for CPI. WarpCore's 8 slots are " +
  "read by 8 lanes and DyCuckoo's 16 by 16, a word each, as in the paper; GPH's cell index lies in the memory of workgroups, to which queries are " +
  "brought before, untimed; answers stand in that order. ";

const setting = "1.5 GB table, 100 M random pairs, 200 M lookups, half of them of present keys";
const shared = {
  series,
  setting,
  axes: HALF_PRESENT,
  software: HALF_PRESENT_SMALL,
  swiftshader: WARPS_ON_SWIFTSHADER,
} as const;

export const table2: Experiment = {
  ...shared,
  id: "gph/table2",
  section: "3.2",
  title: "Profile of lookups by stand-ins, over that of GPH",
  figure: {
    kind: "bar",
    x: POSITIVE_LOOKUPS,
    y: { title: "Value / GPH's", scale: "log10" },
    metric: COLUMNS.map(({ metric, title }) => ({ metric, title })),
    apart: true,
    against: { table: "gph", as: "ratio" },
    paper: series.flatMap(({ table }) =>
      COLUMNS.map(({ metric, claim }) => ({ table, metric, x: 0.5, value: overGph(table, claim) })),
    ),
  },
  notes: `${STAND_INS}The paper's values are a profiler's on a Tesla V100S, each over that of GPH.`,
};

export const fig3: Experiment = {
  ...shared,
  id: "gph/fig3",
  section: "3.4",
  title: "Time × balance by transactions: stand-ins for time × occupancy and executed cycles",
  setting: `${setting}; the paper's points have Pearson's r 0.9993`,
  figure: {
    kind: "line",
    x: { field: "metric.transactions", title: "Transactions a lookup, a stand-in for EI · CPI" },
    metric: "time_balance",
    y: { title: "Time × balance, a stand-in for time · AO" },
    beside: { trend: "line" },
  },
  notes: `${STAND_INS}The paper's points lie on a line, Pearson's r 0.9993: its cycles are those in which a warp is resident, so that time × occupancy is their number by definition. Ours are counted in runs without a clock. How well times follow from counters over all tables says the report's section on the model.`,
};

const byTableSize: Pick<Experiment, "axes" | "software" | "setting"> = {
  axes: { ...HALF_PRESENT, tableBytes: SIZES },
  software: { ...HALF_PRESENT_SMALL, loadFactor: [0.4, 0.55] },
  setting: "100 M random pairs in 1.25 to 2 GB, 200 M lookups, half of them of present keys",
};
const byPositiveRatio: Pick<Experiment, "axes" | "software" | "setting"> = {
  axes: { ...HALF_PRESENT, positiveRatio: [0, 0.25, 0.5, 0.75, 1] },
  software: { ...HALF_PRESENT_SMALL, positiveRatio: [0, 0.5, 0.75, 1] },
  setting: "1.5 GB table, 100 M random pairs, 200 M lookups",
};

const x = {
  size: TABLE_SIZE,
  ratio: POSITIVE_LOOKUPS,
} satisfies Record<string, Channel>;
const occupancy = { metric: "balance", y: { title: "Balance (%), a stand-in for AO", factor: 100 } } as const;
const ofGph = { label: "almost 100 %", table: "gph", variant: "paper", value: 1 } as const;
const cycles = { metric: "transactions", y: { title: "Transactions a lookup, a stand-in for EI · CPI" } } as const;
const figure11 = { ...shared, section: "7.2", notes: STAND_INS.trim() } as const;

export const fig11a: Experiment = {
  ...figure11,
  ...byTableSize,
  id: "gph/fig11a",
  title: "Balance of the warps by table size, a stand-in for achieved occupancy",
  figure: {
    kind: "line",
    x: x.size,
    ...occupancy,
    paper: [ofGph, { label: "around 86 %", table: "dycuckoo", value: 0.86 }],
  },
};

export const fig11b: Experiment = {
  ...figure11,
  ...byPositiveRatio,
  id: "gph/fig11b",
  title: "Balance of the warps by positive ratio, a stand-in for achieved occupancy",
  figure: { kind: "line", x: x.ratio, ...occupancy, paper: [ofGph] },
};

export const fig11c: Experiment = {
  ...figure11,
  ...byTableSize,
  id: "gph/fig11c",
  title: "Transactions by table size, a stand-in for executed cycles",
  figure: { kind: "line", x: x.size, ...cycles },
};

export const fig11d: Experiment = {
  ...figure11,
  ...byPositiveRatio,
  id: "gph/fig11d",
  title: "Transactions by positive ratio, a stand-in for executed cycles",
  figure: { kind: "line", x: x.ratio, ...cycles },
};
