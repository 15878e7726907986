import type { Experiment } from "../../base/experiment.js";
import { powers } from "../helpers.js";
import { TWO_LEVEL } from "./settings.js";

const bench = "repeated";
const compactingTables = [
  { table: "cuckoo-compacting", label: "Cuckoo", bench, at: { loadFactor: 0.8 } },
  { table: "two-level-compacting", label: "Two-level", bench, at: TWO_LEVEL },
];
const multivalueTables = [
  { table: "cuckoo-multivalue", label: "Cuckoo", bench, at: { loadFactor: 0.8 } },
  { table: "two-level-multivalue", label: "Two-level", bench, at: TWO_LEVEL },
];
/** The sorted structure is named after what is measured. */
const sortedCompacting = { table: "sorted-compacting", bench };
const sortedMultivalue = { table: "sorted-multivalue", bench };

const shared = {
  source: { section: "4.5.2" },
  figure: {
    kind: "line" as const,
    x: { field: "params.multiplicity", title: "Mean number of times a key occurs", scale: "log2" as const },
    metric: "time",
    y: { title: "Time (ms)", factor: 1e-6, scale: "log10" as const },
  },
};

const axes = {
  n: [10_000_000],
  dataset: ["random"],
  params: { multiplicity: powers(0, 11) },
};

/** A build is many passes, more where it sorts; retrievals are measured and checked after several builds. */
const [cost, sortCost] = [16, 32];
const build = { ...shared, axes: { ...axes, op: ["insert"] } };
/** Retrieval alone, and with the build before it. */
const withBuild = {
  ...shared.figure,
  metric: [
    { metric: "time", title: "Retrieval" },
    { metric: "build_find_time", title: "Build + retrieval" },
  ],
};
const retrieve = { ...shared, figure: withBuild, axes: { ...axes, op: ["find"], positiveRatio: [1] } };

const input = "Keys occur equally often, some once more; their copies stand in random order. ";

const compacting = {
  cost,
  quick: { params: { multiplicity: [1, 4, 16, 64, 256, 1024] } },
  notes: `${input}The tables have 1.25 (two-level: 1.42) slots for each of all keys, as the chapter's basic ones.`,
};
const multivalue = {
  cost: sortCost,
  // Every number of different keys needs kernels of its own, which software adapters compile slowly.
  quick: { params: { multiplicity: [1, 8, 64, 512] } },
  notes: `${input}Cuckoo has 1.25 slots for each of the different keys, two-level 1.42 for each of all pairs.`,
};

export const fig45Build: Experiment = {
  ...build,
  ...compacting,
  id: "cuckoo/fig4.5-build",
  series: [...compactingTables, { ...sortedCompacting, label: "Sorted, compacted list" }],
  title: "Building a compacting table: cuckoo, two-level and sorting",
  setting: "Random keys that repeat, in random order",
};

export const fig45Retrieve: Experiment = {
  ...retrieve,
  ...compacting,
  id: "cuckoo/fig4.5-retrieve",
  figure: { ...withBuild, paper: [{ label: "512, tables and lists cross", metric: "build_find_time", at: 512 }] },
  series: [...compactingTables, { ...sortedCompacting, label: "Binary search" }],
  title: "Retrieving from a compacting table: cuckoo, two-level and sorting",
  setting: "Every key is queried once for every time it occurs, in random order",
};

export const fig46Build: Experiment = {
  ...build,
  ...multivalue,
  id: "cuckoo/fig4.6-build",
  series: [...multivalueTables, { ...sortedMultivalue, label: "Sorted lists" }],
  title: "Building a multivalue table: cuckoo, two-level and sorting",
  setting: "Random keys that repeat, in random order, each time with another value",
};

export const fig46Retrieve: Experiment = {
  ...retrieve,
  ...multivalue,
  id: "cuckoo/fig4.6-retrieve",
  series: [...multivalueTables, { ...sortedMultivalue, label: "Binary search" }],
  title: "Retrieving from a multivalue table: cuckoo, two-level and sorting",
  setting: "Every key is queried once for every time it occurs, in random order",
};
