import type { Experiment } from "../../base/experiment.js";
import { each, powers } from "../helpers.js";
import {
  compared,
  cuckoo,
  cuckooEarlyExit,
  HOST_MEMORY,
  HOST_SPEED_UP,
  HYBRID_MIXED,
  hybrids,
  KERNELS,
  ROUNDS,
  SLICE,
  SLICES,
  SPEED_UP,
} from "./settings.js";

const alongSlices = { field: "params.slice", title: "Operations of a slice", scale: "log10" } as const;
const bySize = { field: "n", title: "Pairs" } as const;

/** The paper's numbers are over the four ticket sizes, each of them an average. */
const inCoreFigure = { ...SPEED_UP, x: alongSlices, facet: bySize };

const present = [...hybrids, cuckoo];
const half = [...hybrids, cuckoo, cuckooEarlyExit];

const SETTING =
  "interleaved insertions and retrievals, which ask for keys of the slice before, in groups of 32; load factor 0.8";
const CUCKOO_TWICE = `Cuckoo runs a slice in two dispatches, insertions first, as in the paper. ${HYBRID_MIXED}.`;
const JUDGED =
  "The paper's slices have about 100,000 operations on a GPU that holds 24,576 threads (GTX 780), and its inputs are `a range`. " +
  "Claims are judged in slices of the paper's size; larger ones, which are less of fixed cost, stand beside them.";
const IN_CORE = `${JUDGED} ${CUCKOO_TWICE}`;
const OUT_OF_CORE =
  `${HOST_MEMORY}. Cuckoo takes a round for every probe; in the kernels' slices an eviction makes three requests, as WGSL has no 64-bit ` +
  `exchange. Sizes are ours. ${CUCKOO_TWICE}`;
const BY_ROUNDS = { ...ROUNDS, bench: "host-mixed" };
const BY_KERNELS = { ...KERNELS, bench: "mixed" };

const inCore = { ...compared, n: [2 ** 23, 2 ** 25], op: ["mixed"], params: { slice: SLICES } } as const;
const outOfCore = {
  ...compared,
  n: [...powers(17, 4), 2 ** 23, 2 ** 24],
  op: ["mixed"],
  params: { slice: [SLICE] },
} as const;
const mixedInCore = {
  source: { section: "IV.A" },
  setting: `Slices of ${SETTING}`,
  quick: { params: { slice: [SLICE, 10 * SLICE] } },
  notes: IN_CORE,
} as const;
const mixedOutOfCore = {
  source: { section: "IV.A" },
  setting: `Slices of 100,000 ${SETTING}`,
  quick: { n: [2 ** 17, 2 ** 20, 2 ** 23] },
  software: { n: [2 ** 17, 2 ** 20] },
  notes: OUT_OF_CORE,
} as const;

export const fig14a: Experiment = {
  ...mixedInCore,
  id: "stadium/fig14a",
  figure: { ...inCoreFigure, paper: [{ label: "1.04–1.19×", from: 1.04, to: 1.19 }] },
  title: "Mixed operations in GPU memory, all queries present",
  series: each(present, { bench: "mixed" }),
  axes: { ...inCore, positiveRatio: [1] },
};

export const fig14b: Experiment = {
  ...mixedInCore,
  id: "stadium/fig14b",
  figure: { ...inCoreFigure, paper: [{ label: "1.55–1.65×", from: 1.55, to: 1.65 }] },
  title: "Mixed operations in GPU memory, half of the queries present",
  series: each(half, { bench: "mixed" }),
  axes: { ...inCore, positiveRatio: [0.5] },
};

/** In the text, efficiency is against bulk operations. */
const PAPERS_PANEL = { metric: "mixing_efficiency" };

export const fig15: Experiment = {
  id: "stadium/fig15",
  source: { section: "IV.A" },
  title: "What mixing insertions and retrievals costs",
  setting: "(Time of all insertions + time of all retrievals) / time of both mixed, in slices; load factor 0.8",
  series: [
    { table: "stash-hybrid", label: "Stash, ticket size 4", bench: "mixed", params: { ticket: 4 } },
    { ...cuckoo, bench: "mixed" },
  ],
  axes: { ...inCore, positiveRatio: [1], params: { slice: SLICES, apart: [true] } },
  quick: { params: { slice: [SLICE, 10 * SLICE], apart: [true] } },
  figure: {
    kind: "line",
    x: alongSlices,
    y: { title: "Efficiency of mixing (%)", factor: 100 },
    metric: [
      { metric: "mixing_efficiency", title: "Bulk / mixed" },
      { metric: "mixing_efficiency_sliced", title: "Sliced / mixed" },
    ],
    facet: bySize,
    paper: [
      { label: "Stash 96.8 %", table: "stash-hybrid", value: 0.968, ...PAPERS_PANEL },
      { label: "cuckoo 61.3 %", table: "cuckoo", value: 0.613, ...PAPERS_PANEL },
    ],
  },
  notes:
    `${JUDGED} Apart, insertions and retrievals run by the kernels of the mix. Bulk: all insertions in one slice, then all ` +
    "retrievals in one; sliced: in as many slices as the mix has, so that only mixing differs. " +
    `Ticket size and that all queries are present are ours; the text says nothing of them. ${HYBRID_MIXED}.`,
};

export const fig16a: Experiment = {
  ...mixedOutOfCore,
  id: "stadium/fig16a",
  figure: { ...HOST_SPEED_UP, paper: [{ label: "1.25–1.75×", from: 1.25, to: 1.75 }] },
  title: "Mixed operations in host memory, all queries present",
  series: [...each(present, BY_ROUNDS), ...each(present, BY_KERNELS)],
  axes: { ...outOfCore, positiveRatio: [1] },
};

export const fig16b: Experiment = {
  ...mixedOutOfCore,
  id: "stadium/fig16b",
  figure: { ...HOST_SPEED_UP, paper: [{ label: "1.23–2.47×", from: 1.23, to: 2.47 }] },
  title: "Mixed operations in host memory, half of the queries present",
  series: [...each(half, BY_ROUNDS), ...each(half, BY_KERNELS)],
  axes: { ...outOfCore, positiveRatio: [0.5] },
};
