import type { Experiment } from "../../base/experiment.js";
import { powers } from "../helpers.js";
import { PAIRS, RATES } from "../shared.js";

const partitioned = { variant: "partitioned", params: { partitioned: true } };

export const build: Experiment = {
  id: "limit/build",
  title: "Building partitioned, one by one, or by sorting, by pairs",
  setting: "Unique random pairs into cleared tables, 10 bytes per pair",
  series: [
    { table: "quotient", label: "Quotient, partitioned", ...partitioned },
    { table: "quotient", label: "Quotient" },
    { table: "bucketed", label: "Bucketed, partitioned", ...partitioned },
    { table: "bucketed", label: "Bucketed" },
    { table: "radix-sort", label: "Sorted array" },
    { table: "radix-sort", label: "Sorted array, stable", variant: "stable", params: { sort: "stable" } },
    { table: "radix-sort", label: "Sorted array, LSD", variant: "lsd", params: { sort: "lsd" } },
  ],
  axes: {
    n: [...powers(20, 7), 100_000_000, 2 ** 27],
    op: ["insert"],
    dataset: ["random"],
    loadFactor: [0.8],
  },
  quick: { n: [2 ** 20, 2 ** 22, 2 ** 24, 2 ** 26] },
  software: { n: [2 ** 15, 2 ** 18] },
  figure: {
    ...RATES,
    x: PAIRS,
    y: { title: "Build rate", scale: "log10" },
    beside: { limit: true, references: true },
  },
  notes:
    "Ours. A partitioned build writes the whole table, and needs no cleared one; those one by one are timed without the clearing. " +
    "The line is " +
    "the largest of the limits of the tables here: a copy of the 48 bytes that the hybrid sort moves with two passes; a partitioned " +
    "build, with the two that are for more than 8 MiB, moves 50, the stable hybrid sort 64, the sort of the least significant digit first 68. One by one, a pair cannot avoid a random CAS.",
};
