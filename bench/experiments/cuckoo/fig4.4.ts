import type { Experiment, Series } from "../../base/experiment.js";
import { rounded } from "../../base/format.js";
import { librarySeries } from "../originals.js";
import { CPU_LIBRARIES, PAIRS, powers, RATES } from "../shared.js";

const sizes = powers(14, 12);

/** The sorted array's series is named after what is measured. */
const seriesWith = (sorted: Pick<Series, "label" | "params">): readonly Series[] => [
  { table: "cuckoo", variant: "1.25n", label: "Cuckoo, 1.25n", loadFactor: 0.8 },
  { table: "cuckoo", variant: "1.42n", label: "Cuckoo, 1.42n", loadFactor: rounded(1 / 1.42, 6) },
  { table: "two-level", label: "Two-level, 1.42n", loadFactor: rounded(409 / 576, 6) },
  { table: "radix-sort", ...sorted },
  ...CPU_LIBRARIES.map((one) => ({ ...one, loadFactor: 0.8 })),
  { table: "js-map", label: "CPU: JavaScript Map", bench: "cpu", maxN: 2 ** 20, loadFactor: 0.8 },
  { table: "typed-array", label: "CPU: typed array", bench: "cpu", maxN: 2 ** 20, loadFactor: 0.8 },
  ...librarySeries(["cudpp"], { loadFactor: 0.8 }),
];

const figure = { ...RATES, x: PAIRS, beside: { limit: "cuckoo" } };

/** On the chapter's GTX 470, and its sort on a GTX 480. */
const PAPERS = {
  insert: [
    { label: "250 M/s (GTX 470)", table: "cuckoo", variant: "1.25n", value: 250 },
    { label: "775 M/s (GTX 480)", table: "radix-sort", value: 775 },
  ],
  find: [{ label: "32 M pairs in 66.8 ms (GTX 470)", table: "cuckoo", variant: "1.25n", value: 479 }],
};

const shared = {
  section: "4.5.1",
  figure,
  notes:
    "The radix sort is ours, in 4 passes by 8 bits; the chapter's, Merrill's, takes 8 by 4 bits. The hybrid one begins with the most " +
    "significant digits and is not stable: no claim is about it. CPU tables in JavaScript have at most 2^20 pairs. The two-level table's 1.42n is 576 slots for 409 keys.",
};

export const fig44Insert: Experiment = {
  ...shared,
  id: "cuckoo/fig4.4-insert",
  figure: { ...figure, paper: PAPERS.insert },
  series: [
    // As the chapter's: least significant digit first, stable.
    ...seriesWith({ label: "Radix sort", params: { sort: "lsd" } }),
    { table: "radix-sort", variant: "hybrid", label: "Radix sort, hybrid" },
    {
      table: "cuckoo-compacting",
      label: "Cuckoo, compacting",
      bench: "repeated",
      loadFactor: 0.8,
      params: { multiplicity: 1 },
    },
  ],
  title: "Building the table",
  setting: "Unique random keys, 4 hash functions, chain limit 7 lg n",
  axes: { n: sizes, op: ["insert"], dataset: ["random"] },
  cost: 3,
};

export const fig44Retrieve: Experiment = {
  ...shared,
  id: "cuckoo/fig4.4-retrieve",
  figure: { ...figure, paper: PAPERS.find },
  series: seriesWith({ label: "Binary search" }),
  title: "Retrieving every pair",
  setting: "Every key is queried once, in random order",
  axes: { n: sizes, op: ["find"], dataset: ["random"], positiveRatio: [1], lookups: "n" },
  software: { n: [2 ** 16, 2 ** 19] },
  cost: 3,
};
