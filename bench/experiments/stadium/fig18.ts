import type { Axes, Experiment, Series } from "../../base/experiment.js";
import { each } from "../helpers.js";
import { hybridOf } from "../hybrid.js";
import { RATE_BARS } from "../shared.js";
import { BY, HOST_MEMORY, HOST_PANELS, KERNELS, ROUNDS, TICKETS } from "./settings.js";

/** Without ticket-board only retrieval differs: insertion cannot do without it. */
const parts: readonly Series[] = [
  {
    table: "stash",
    variant: "no-ticket-board",
    label: "Stash, retrieving without ticket-board",
    params: { board: false },
    only: { op: ["find"] },
  },
  { table: "stash", variant: "ticket-board", label: "Stash", params: { board: true } },
  { table: "stash-hybrid", label: "Stash + collaborative lanes (hybrid)" },
];

const WIDE = { keyBytes: [8], valueBytes: [8] };
const PAIR_BYTES = 16;
const axes: Omit<Axes, "n"> = {
  op: ["insert", "find"],
  dataset: ["random"],
  loadFactor: [0.85],
  positiveRatio: [1, 0.5],
  lookups: "n",
  params: { ticket: TICKETS, ...WIDE },
};

const names = { insert: "insertion", find: "retrieval" };
const breakdown = {
  source: { section: "IV.B" },
  setting: "8-byte keys and values, load factor 0.85",
  figure: {
    ...RATE_BARS,
    x: { field: "params.ticket", title: "Ticket size (bits)" },
    facet: { field: "op+positive_ratio", title: "Operation", names },
  },
} satisfies Partial<Experiment>;

export const fig18a: Experiment = {
  ...breakdown,
  id: "stadium/fig18a",
  title: "What ticket-board and collaborative lanes bring, table in host memory",
  series: [...each(parts, ROUNDS), ...each(parts, KERNELS)],
  axes: { n: [2 ** 18, 2 ** 24], ...axes },
  quick: { n: [2 ** 18] },
  figure: {
    ...breakdown.figure,
    ...HOST_PANELS,
    facet: { ...breakdown.figure.facet, field: "op+positive_ratio+bench", names: { ...names, ...BY } },
  },
  notes:
    `${HOST_MEMORY}. Fewer pairs than the paper's 320 million, of which the bus, and one JavaScript thread, serve too few a second. ` +
    `${hybridOf(PAIR_BYTES)}.`,
};

export const fig18b: Experiment = {
  ...breakdown,
  id: "stadium/fig18b",
  title: "What ticket-board and collaborative lanes bring, table in GPU memory",
  series: parts,
  axes: { n: [160_000_000], ...axes },
  notes:
    "160 million pairs of 16 bytes at load factor 0.85 take 3.01 GB, as much as the paper's GPU has, to which come ticket-board " +
    `and input: it cannot have held them all as the text says. ${hybridOf(PAIR_BYTES)}.`,
};
