import { type Axes, type Experiment, WARPS_ON_SWIFTSHADER } from "../../base/experiment.js";

const axes: Axes = { n: [2 ** 24], op: ["join"], dataset: ["random"], loadFactor: [0.5] };
const software = { n: [2 ** 16], swiftshader: WARPS_ON_SWIFTSHADER };
const gph = { table: "gph", variant: "cache", label: "GPH", bench: "join" };

const shared = {
  source: { section: "7.3" },
  setting: "|R| = 2^24 rows of 8 bytes, each row of S has one partner; hash tables half full",
  // Rows of S count too, and are most of them.
  cost: 32,
} as const;
const x = { field: "params.probeRatio", title: "|S| / |R|", scale: "log2" } as const;
const notes =
  "SELECT COUNT(*), SUM(R.value + S.payload), made of two kernels a part of S: the table's search, and the aggregation of what it " +
  "found; Crystal's probe does both at once. S is made part by part, of |R| rows each, which is not timed. Crystal's table is our " +
  "linear probing; both tables mix the keys, which Crystal's own does not. GPH's cell index, in memory of workgroups in the paper, is read through " +
  "the cache: a join would have to route its probes within its time.";

export const fig12a: Experiment = {
  ...shared,
  id: "gph/fig12a",
  title: "Hash join: linear probing against GPH",
  series: [{ table: "crystal", label: "Linear probing (Crystal)", bench: "join" }, gph],
  axes: { ...axes, params: { probeRatio: [4, 8, 16, 32, 64] } },
  quick: { params: { probeRatio: [4, 16, 64] } },
  software: { ...software, params: { probeRatio: [4, 16] } },
  figure: {
    kind: "line",
    x,
    metric: "time",
    y: { title: "Time of the join", scale: "log10" },
    paper: [{ label: "8, GPH overtakes", at: 8 }],
  },
  notes,
};

export const fig12b: Experiment = {
  ...shared,
  id: "gph/fig12b",
  title: "Share of building in the hash join with GPH",
  series: [gph],
  axes: { ...axes, params: { probeRatio: [1, 2, 4, 8, 16, 32, 64] } },
  quick: { params: { probeRatio: [1, 8, 64] } },
  software: { ...software, params: { probeRatio: [1, 4, 16] } },
  figure: {
    kind: "bar",
    x,
    metric: "build_share",
    y: { title: "Share of building (%)", factor: 100 },
    paper: [
      { table: "gph", variant: "cache", x: 1, value: 0.94 },
      { table: "gph", variant: "cache", x: 64, value: 0.2 },
    ],
  },
  notes,
};
