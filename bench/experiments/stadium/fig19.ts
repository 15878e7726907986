import type { Axes, Experiment, Series } from "../../base/experiment.js";
import { RATE_BARS } from "../shared.js";
import { HOST_PANELS, HOST_ROUNDS, HYBRID_BY_SIZE, TICKETS } from "./settings.js";

const WIDER = [8, 16, 32, 64];
const pair = (keyBytes: number, valueBytes: number) => ({ keyBytes, valueBytes });
const sizes = [pair(4, 4), ...WIDER.map((bytes) => pair(bytes, 4)), ...WIDER.map((bytes) => pair(4, bytes))];
/** Sizes of pairs in bytes. */
export const PAIR_SIZES = sizes.map(({ keyBytes, valueBytes }) => keyBytes + valueBytes);
const fewer = [pair(4, 4), pair(16, 4), pair(64, 4), pair(4, 16), pair(4, 64)];

/** The ticket sizes of a table, under the same names for each table. */
const tickets = (table: string, bench: string): Series[] =>
  TICKETS.map((ticket) => ({ table, bench, label: `Ticket size ${ticket}`, params: { ticket } }));
const inserting = (bench: string) => ["stash", "clstash", "stash-hybrid"].flatMap((table) => tickets(table, bench));

const insert: Omit<Axes, "n"> = { op: ["insert"], dataset: ["random"], loadFactor: [0.85], cases: sizes };
const findAndErase: Omit<Axes, "n"> = { ...insert, op: ["find", "erase"], positiveRatio: [1], lookups: "n" };
const IN_CORE = [2 ** 25];
/** In place of the paper's 2^25. */
const OUT_OF_CORE = [2 ** 17];

const sensitivity = {
  section: "IV.C",
  setting: "One of key and value is 4 bytes wide, the other 4 to 64; load factor 0.85",
  quick: { cases: fewer },
  figure: {
    ...RATE_BARS,
    x: { field: "params.keyBytes+params.valueBytes", title: "Key + value (bytes)" },
    facet: { field: "table", title: "Table", names: { stash: "Stash", clstash: "clStash", "stash-hybrid": "hybrid" } },
  },
} satisfies Partial<Experiment>;

const names = { find: "retrieval", erase: "deletion" };
const byOperation = { ...sensitivity.figure, facet: { field: "op", title: "Operation", names } } as const;
const SIZES = "The key and value sizes are ours; the text names none.";
const HOST = `${HOST_ROUNDS}. Claims are judged on the counted transactions. Fewer pairs than the paper's 2^25. ${SIZES}`;

export const fig19a: Experiment = {
  ...sensitivity,
  id: "stadium/fig19a",
  title: "Insertion by key and value size, table in GPU memory",
  series: inserting("table"),
  axes: { n: IN_CORE, ...insert },
  notes: `${SIZES} ${HYBRID_BY_SIZE}.`,
};

export const fig19b: Experiment = {
  ...sensitivity,
  id: "stadium/fig19b",
  title: "Insertion by key and value size, table in host memory",
  series: inserting("host"),
  figure: { ...sensitivity.figure, ...HOST_PANELS },
  axes: { n: OUT_OF_CORE, ...insert },
  notes: `${HOST} ${HYBRID_BY_SIZE}.`,
};

export const fig19c: Experiment = {
  ...sensitivity,
  id: "stadium/fig19c",
  title: "Retrieval and deletion by key and value size, table in GPU memory",
  series: tickets("stash", "table"),
  axes: { n: IN_CORE, ...findAndErase },
  figure: byOperation,
  notes: SIZES,
};

export const fig19d: Experiment = {
  ...sensitivity,
  id: "stadium/fig19d",
  title: "Retrieval and deletion by key and value size, table in host memory",
  series: tickets("stash", "host"),
  axes: { n: OUT_OF_CORE, ...findAndErase },
  figure: { ...byOperation, ...HOST_PANELS },
  notes: HOST,
};
