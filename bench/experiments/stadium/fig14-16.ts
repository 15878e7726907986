import type { Experiment, FigureSpec } from "../../experiment.js";
import { alongPairs, compared, cuckoo, ends, HOST_ROUNDS, hybrids, powers, SLICE } from "./settings.js";

const figure: FigureSpec = {
  kind: "line",
  x: alongPairs,
  metric: "mops",
  y: { title: "Speed-up over cuckoo" },
  against: { table: "cuckoo", as: "ratio" },
};

/** Over the four ticket sizes, each of them an average. */
const speedUp = (from: number, to: number): FigureSpec => ({
  ...figure,
  paper: [{ label: `${from}–${to}×`, from, to }],
});

const mixed = { paper: "stadium", section: "IV.A" } as const;
const measuredBy = (bench: string) => [...hybrids, cuckoo].map((one) => ({ ...one, bench }));

const slices = { ...compared, op: ["mixed"], params: { slice: [SLICE] } } as const;
const MIXED =
  "Slices of 100,000 interleaved insertions and retrievals, which ask for keys of the slice before; load factor 0.8";
const CUCKOO_TWICE = "Cuckoo runs a slice in two dispatches, insertions first, as in the paper.";
const IN_CORE = `The paper says \`a range of inputs\` only; the sizes are ours. ${CUCKOO_TWICE}`;
const OUT_OF_CORE = `${HOST_ROUNDS}; cuckoo takes a round for every probe. Sizes are ours. ${CUCKOO_TWICE}`;

const inCore = { n: powers(20, 6), ...slices };
const outOfCore = { n: powers(18, 4), ...slices };

export const fig14a: Experiment = {
  ...mixed,
  id: "stadium/fig14a",
  figureName: "Fig. 14a",
  figure: speedUp(1.04, 1.19),
  title: "Mixed operations in GPU memory, all queries present",
  setting: MIXED,
  series: measuredBy("mixed"),
  axes: { ...inCore, positiveRatio: [1] },
  quick: { n: ends(inCore.n) },
  notes: IN_CORE,
};

export const fig14b: Experiment = {
  ...mixed,
  id: "stadium/fig14b",
  figureName: "Fig. 14b",
  figure: speedUp(1.55, 1.65),
  title: "Mixed operations in GPU memory, half of the queries present",
  setting: MIXED,
  series: measuredBy("mixed"),
  axes: { ...inCore, positiveRatio: [0.5] },
  quick: { n: ends(inCore.n) },
  notes: IN_CORE,
};

/** In the text, efficiency is against bulk operations, in slices of that size. */
const PAPERS_PANEL = { metric: "mixing_efficiency", where: { "params.slice": SLICE } };

export const fig15: Experiment = {
  paper: "stadium",
  id: "stadium/fig15",
  figureName: "Fig. 15",
  section: "IV.A",
  title: "What mixing insertions and retrievals costs",
  setting: "(Time of all insertions + time of all retrievals) / time of both mixed, in slices; load factor 0.8",
  series: [
    { table: "stash-hybrid", label: "Stash, ticket size 4", bench: "mixed", params: { ticket: 4 } },
    { ...cuckoo, bench: "mixed" },
  ],
  axes: { ...inCore, positiveRatio: [1], params: { slice: [SLICE, 11 * SLICE], apart: [true] } },
  quick: { n: ends(inCore.n) },
  figure: {
    kind: "line",
    x: alongPairs,
    metric: "mixing_efficiency",
    y: { title: "Efficiency of mixing (%)", factor: 100 },
    panels: [
      { metric: "mixing_efficiency", title: "Bulk / mixed" },
      { metric: "mixing_efficiency_sliced", title: "Sliced / mixed" },
    ],
    facet: { field: "params.slice", title: "slices of (operations)" },
    paper: [
      { label: "Stash 96.8 %", table: "stash-hybrid", value: 0.968, ...PAPERS_PANEL },
      { label: "cuckoo 61.3 %", table: "cuckoo", value: 0.613, ...PAPERS_PANEL },
    ],
  },
  notes:
    "The paper's slices have about 100,000 operations on a GPU that holds 24,576 threads (GTX 780); an H200 holds " +
    "270,336, 11 times as many, and the larger slices are in that proportion. Bulk: all insertions in one " +
    "dispatch, then all retrievals in one; sliced: as many dispatches as the mix has, so that only mixing " +
    "differs. The claims are about the paper's slices and bulk. " +
    "Ticket size, sizes and that all queries are present are ours; the text says nothing of them.",
};

export const fig16a: Experiment = {
  ...mixed,
  id: "stadium/fig16a",
  figureName: "Fig. 16a",
  figure: speedUp(1.25, 1.75),
  title: "Mixed operations in host memory, all queries present",
  setting: MIXED,
  series: measuredBy("host-mixed"),
  axes: { ...outOfCore, positiveRatio: [1] },
  quick: { n: ends(outOfCore.n) },
  notes: OUT_OF_CORE,
};

export const fig16b: Experiment = {
  ...mixed,
  id: "stadium/fig16b",
  figureName: "Fig. 16b",
  figure: speedUp(1.23, 2.47),
  title: "Mixed operations in host memory, half of the queries present",
  setting: MIXED,
  series: measuredBy("host-mixed"),
  axes: { ...outOfCore, positiveRatio: [0.5] },
  quick: { n: ends(outOfCore.n) },
  notes: OUT_OF_CORE,
};
