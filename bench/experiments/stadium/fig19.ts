import type { Axes, Experiment } from "../../base/experiment.js";
import { along, combine, each } from "../helpers.js";
import { HYBRID_BY_SIZE } from "../hybrid.js";
import { RATE_BARS } from "../shared.js";
import { BY, HOST_MEMORY, HOST_PANELS, KERNELS, ROUNDS, TICKETS } from "./settings.js";

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
/** In place of the paper's 2^25: by rounds, and by kernels, which have fewer widths. */
const OUT_OF_CORE = [2 ** 17, 2 ** 23];
const NARROW_AND_WIDE = { only: { params: { keyBytes: [4, 64], valueBytes: [4, 64] } } } as const;
const THREE_WIDTHS = { only: { params: { keyBytes: [4, 16, 64], valueBytes: [4, 16, 64] } } } as const;

const TABLES = { stash: "Stash", clstash: "clStash", "stash-hybrid": "hybrid" };
const sensitivity = {
  source: { section: "IV.C" },
  setting: "One of key and value is 4 bytes wide, the other 4 to 64; load factor 0.85",
  quick: { params: fewer },
  figure: {
    ...RATE_BARS,
    x: { field: "params.keyBytes+params.valueBytes", title: "Key + value (bytes)" },
    facet: { field: "table", title: "Table", names: TABLES },
  },
} satisfies Partial<Experiment>;

const names = { find: "retrieval", erase: "deletion" };
const byOperation = { ...sensitivity.figure, facet: { field: "op", title: "Operation", names } } as const;
const SIZES = "The key and value sizes are ours; the text names none.";
const HOST = `${HOST_MEMORY}. Fewer pairs than the paper's 2^25, and fewer widths by kernels. ${SIZES}`;

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
  series: [...each(inserting, ROUNDS), ...each(each(inserting, KERNELS), NARROW_AND_WIDE)],
  quick: { n: [2 ** 17], params: fewer },
  figure: {
    ...sensitivity.figure,
    ...HOST_PANELS,
    facet: { field: "table+bench", title: "Table", names: { ...TABLES, ...BY } },
  },
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
  series: [...each(stash, ROUNDS), ...each(each(stash, KERNELS), THREE_WIDTHS)],
  axes: { n: OUT_OF_CORE, ...findAndErase },
  quick: { n: [2 ** 17], params: fewer },
  figure: {
    ...byOperation,
    ...HOST_PANELS,
    facet: { field: "op+bench", title: "Operation", names: { ...names, ...BY } },
  },
  notes: HOST,
};
