import type { Axes, Experiment, Series } from "../../experiment.js";
import { HOST_ROUNDS, TICKETS } from "./settings.js";

/** Without ticket-board only retrieval differs: insertion cannot do without it. */
const parts: readonly Series[] = [
  {
    table: "stash",
    variant: "no-ticket-board",
    label: "Stash, retrieving without ticket-board",
    params: { board: false },
    ops: ["find"],
  },
  { table: "stash", variant: "ticket-board", label: "Stash", params: { board: true } },
  { table: "stash-hybrid", label: "Stash + collaborative lanes (hybrid)" },
];

const axes: Omit<Axes, "n"> = {
  op: ["insert", "find"],
  dataset: ["random"],
  loadFactor: [0.85],
  positiveRatio: [1, 0.5],
  lookups: "n",
  params: { ticket: TICKETS, keyBytes: [8], valueBytes: [8] },
};

const breakdown = {
  paper: "stadium",
  section: "IV.B",
  setting: "8-byte keys and values, load factor 0.85",
  figure: {
    kind: "bar",
    x: { field: "params.ticket", title: "Ticket size (bits)" },
    metric: "mops",
    y: { title: "Throughput" },
    facet: { field: "op+positive_ratio", title: "Operation" },
  },
} satisfies Partial<Experiment>;

export const fig18a: Experiment = {
  ...breakdown,
  id: "stadium/fig18a",
  figureName: "Fig. 18a",
  title: "What ticket-board and collaborative lanes bring, table in host memory",
  series: parts.map((series) => ({ ...series, bench: "host" })),
  axes: { n: [2 ** 20], ...axes },
  notes: `${HOST_ROUNDS}. 2^20 pairs in place of the paper's 320 million.`,
};

export const fig18b: Experiment = {
  ...breakdown,
  id: "stadium/fig18b",
  figureName: "Fig. 18b",
  title: "What ticket-board and collaborative lanes bring, table in GPU memory",
  series: parts,
  axes: { n: [160_000_000], ...axes },
};
