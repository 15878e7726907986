import type { Experiment } from "../../base/experiment.js";
import { each, powers, withSlots } from "../helpers.js";
import { librarySeries } from "../originals.js";
import { CPU_LIBRARIES, LOG_RATES, PAIRS } from "../shared.js";
import { TWO_LEVEL } from "./settings.js";

const sizes = powers(14, 12);

const at = { loadFactor: 0.8 };
const onCpu = { bench: "cpu", at: { ...at, maxN: 2 ** 20 } };
const tables = [
  ...withSlots({ table: "cuckoo", variant: "1.25n", label: "Cuckoo, 1.25n" }, 1.25),
  ...withSlots({ table: "cuckoo", variant: "1.42n", label: "Cuckoo, 1.42n" }, 1.42),
  { table: "two-level", label: "Two-level, 1.42n", at: TWO_LEVEL },
];
const others = [
  ...each(CPU_LIBRARIES, { at }),
  { table: "js-map", label: "CPU: JavaScript Map", ...onCpu },
  { table: "typed-array", label: "CPU: typed array", ...onCpu },
  ...librarySeries(["cudpp"], { at }),
];

const figure = { ...LOG_RATES, x: PAIRS, beside: { limit: "cuckoo" } };

/** On the chapter's GTX 470, and its sort on a GTX 480. */
const PAPERS = {
  insert: [
    { label: "250 M/s (GTX 470)", table: "cuckoo", variant: "1.25n", value: 250 },
    { label: "775 M/s (GTX 480)", table: "radix-sort", value: 775 },
  ],
  find: [{ label: "32 M pairs in 66.8 ms (GTX 470)", table: "cuckoo", variant: "1.25n", value: 479 }],
};

const shared = {
  source: { section: "4.5.1" },
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
    ...tables,
    // As the chapter's: least significant digit first, stable.
    { table: "radix-sort", label: "Radix sort", params: { sort: "lsd" } },
    ...others,
    { table: "radix-sort", variant: "hybrid", label: "Radix sort, hybrid" },
    { table: "cuckoo-compacting", label: "Cuckoo, compacting", bench: "repeated", at, params: { multiplicity: 1 } },
  ],
  title: "Building: cuckoo, two-level and radix sort by pairs",
  setting: "Unique random keys, 4 hash functions, chain limit 7 lg n",
  axes: { n: sizes, op: ["insert"], dataset: ["random"] },
  cost: 3,
};

export const fig44Retrieve: Experiment = {
  ...shared,
  id: "cuckoo/fig4.4-retrieve",
  figure: { ...figure, paper: PAPERS.find },
  series: [...tables, { table: "radix-sort", label: "Binary search" }, ...others],
  title: "Retrieving every pair: cuckoo, two-level and binary search",
  setting: "Every key is queried once, in random order",
  axes: { n: sizes, op: ["find"], dataset: ["random"], positiveRatio: [1], lookups: "n" },
  software: { n: [2 ** 16, 2 ** 19] },
  cost: 3,
};
