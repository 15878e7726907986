import type { Experiment } from "../../base/experiment.js";
import { each } from "../helpers.js";
import { ROW_RATES, TABLES } from "../shared.js";

const probing = { table: "linear-probing", label: "Linear probing" };
const combined = { variant: "combined", params: { combine: true } };

/** Tables that rows may come to, those with one key of a workgroup one by one or as one. */
export const OF_ROWS = each(
  [
    TABLES.quotient,
    TABLES.bucketed,
    probing,
    { ...TABLES.bucketed, ...combined, label: "Bucketed, combined" },
    { ...probing, ...combined, label: "Linear probing, combined" },
  ],
  { bench: "rows" },
);

export const ids: Experiment = {
  id: "work/ids",
  title: "Ids of keys",
  setting:
    "100 M rows of a 4-byte key; keys equally frequent, load factor 0.5; a number for each different key, told to each row",
  series: [
    ...OF_ROWS,
    {
      bench: "group-by",
      table: "sorted-rows",
      label: "Sort",
      only: { params: { present: [0] } },
      at: { loadFactor: 1 },
    },
  ],
  axes: {
    n: [100_000_000],
    op: ["ids"],
    loadFactor: [0.5],
    params: { groups: [64, 4096, 131072, 1048576, 10_000_000], present: [0, 1] },
  },
  quick: { params: { groups: [64, 131072, 10_000_000], present: [0, 1] } },
  software: { n: [2 ** 15], params: { groups: [64, 4096], present: [0, 1] } },
  cost: 2,
  figure: {
    ...ROW_RATES,
    x: { field: "params.groups", title: "Different keys", scale: "log2" },
    facet: { field: "params.present", title: "Share of keys present before" },
  },
  notes:
    "An upsert by the rule `id`. Rows that come while their key has no number yet are told it in a second dispatch, which is part of the time. Sorted rows are numbered by a prefix " +
    "sum over the runs of their keys, and each row is told the number: there the keys are all new. " +
    "The limit is of bytes, and of a random access for each row, but where rows are combined first.",
};
