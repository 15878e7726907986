import type { Axes, Experiment } from "../../base/experiment.js";
import { along, combine, each } from "../helpers.js";
import { HYBRID_BY_SIZE } from "../hybrid.js";
import { RATE_BARS } from "../shared.js";
import { HOST_PANELS, HOST_ROUNDS, TICKETS } from "./settings.js";

const wideKeys = combine({ keyBytes: [4, 8, 16, 32, 64], valueBytes: [4] });
const wideValues = combine({ keyBytes: [4], valueBytes: [8, 16, 32, 64] });
const fewer = [
  ...combine({ keyBytes: [4, 16, 64], valueBytes: [4] }),
  ...combine({ keyBytes: [4], valueBytes: [16, 64] }),
];

/** The ticket sizes of a table, under the same names for each table. */
const stash = along([{ table: "stash", label: "Ticket size {}" }], "ticket", TICKETS);
const clstash = along([{ table: "clstash", label: "Ticket size {}" }], "ticket", TICKETS);
const hybrid = along([{ table: "stash-hybrid", label: "Ticket size {}" }], "ticket", TICKETS);
const inserting = [...stash, ...clstash, ...hybrid];

const insert: Omit<Axes, "n"> = {
  op: ["insert"],
  dataset: ["random"],
  loadFactor: [0.85],
  params: [...wideKeys, ...wideValues],
};
const findAndErase: Omit<Axes, "n"> = { ...insert, op: ["find", "erase"], positiveRatio: [1], lookups: "n" };
const IN_CORE = [2 ** 25];
/** In place of the paper's 2^25. */
const OUT_OF_CORE = [2 ** 17];

const sensitivity = {
  source: { section: "IV.C" },
  setting: "One of key and value is 4 bytes wide, the other 4 to 64; load factor 0.85",
  quick: { params: fewer },
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
  series: each(inserting, { bench: "table" }),
  axes: { n: IN_CORE, ...insert },
  notes: `${SIZES} ${HYBRID_BY_SIZE}.`,
};

export const fig19b: Experiment = {
  ...sensitivity,
  id: "stadium/fig19b",
  title: "Insertion by key and value size, table in host memory",
  series: each(inserting, { bench: "host" }),
  figure: { ...sensitivity.figure, ...HOST_PANELS },
  axes: { n: OUT_OF_CORE, ...insert },
  notes: `${HOST} ${HYBRID_BY_SIZE}.`,
};

export const fig19c: Experiment = {
  ...sensitivity,
  id: "stadium/fig19c",
  title: "Retrieval and deletion by key and value size, table in GPU memory",
  series: each(stash, { bench: "table" }),
  axes: { n: IN_CORE, ...findAndErase },
  figure: byOperation,
  notes: SIZES,
};

export const fig19d: Experiment = {
  ...sensitivity,
  id: "stadium/fig19d",
  title: "Retrieval and deletion by key and value size, table in host memory",
  series: each(stash, { bench: "host" }),
  axes: { n: OUT_OF_CORE, ...findAndErase },
  figure: { ...byOperation, ...HOST_PANELS },
  notes: HOST,
};
