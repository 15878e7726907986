import type { Experiment, Series } from "../../base/experiment.js";
import { each } from "../helpers.js";
import { librarySeries } from "../originals.js";
import { CPU_LIBRARIES, CPU_TABLES, LOAD_FACTOR, OPERATION_AND_RATIO, RATES, TABLES } from "../shared.js";

const {
  bucketed,
  cuckoo,
  cuckooProgram,
  doubleHashing,
  dycuckoo,
  dycuckooPairs,
  quotient,
  slabHash,
  stash,
  stashPassed,
  warpcore,
} = TABLES;

/** Of native tables, whose cells take seconds: pairs, queries and answers go to another process and back. */
const NATIVE = { loadFactor: [0.5, 0.8, 0.9, 0.95] };

/** With slots of 8 bytes for each pair. */
export const SLOTS: readonly Series[] = [cuckoo, cuckooProgram, doubleHashing, stash, stashPassed];

const ordered = {
  table: "dycuckoo",
  label: "DyCuckoo, batches ordered",
  variant: "ordered",
  params: { regionKiB: 2 ** 15 },
  only: { op: ["insert"] },
};
/**
 * Twice as many buckets a cell as in the paper, and as many virtual buckets more: the cell index is half as large. Of smaller
 * buckets a find reads less; with three times as many a cell the index is two thirds of the paper's.
 */
const largerCells = {
  table: "gph",
  label: "GPH, larger cells",
  variant: "larger cells",
  params: { bucketsPerCell: 3.2, R: 16, refusals: true },
  at: { loadFactor: 0.5 },
};
const smallBuckets = {
  ...largerCells,
  label: "GPH, larger cells, 64-byte buckets",
  variant: "larger cells, 64 bytes",
  params: { bucketsPerCell: 4.8, R: 16, M: 8, refusals: true },
};
const gph = { table: "gph", label: "GPH" };
export const VARIANTS: readonly Series[] = [ordered, dycuckooPairs, gph, largerCells, smallBuckets];
export const GROUPS: readonly Series[] = [dycuckoo, ordered, dycuckooPairs, warpcore, gph, largerCells, smallBuckets];

export const CPU_NATIVE = each(CPU_LIBRARIES, { label: "{}, n ≤ 16 M", only: NATIVE, at: { maxN: 2 ** 24 } });
export const LIBRARIES = librarySeries(undefined, { only: NATIVE });

const quotientBytes = { ...quotient, label: "Quotient, by bytes" };
const slabUtilisation = { ...slabHash, label: "Slab hash, by memory utilisation" };
/** All GPU tables, as figures along the load factor call them. */
export const GPU_TABLES = [bucketed, quotientBytes, ...SLOTS, slabUtilisation, ...GROUPS];

export const loadFactor: Experiment = {
  id: "tables/load-factor",
  title: "Which table is fastest at which load factor",
  setting: "100 M unique random pairs, 200 M lookups",
  series: [...GPU_TABLES, ...CPU_NATIVE, ...CPU_TABLES, ...LIBRARIES],
  axes: {
    n: [100_000_000],
    op: ["insert", "find"],
    dataset: ["random"],
    loadFactor: [0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95],
    positiveRatio: [1, 0.5, 0],
    lookups: 200_000_000,
  },
  quick: { loadFactor: [0.5, 0.8, 0.9] },
  software: { n: [2 ** 16], loadFactor: [0.5, 0.9], positiveRatio: [1, 0], lookups: 2 ** 16 },
  figure: {
    ...RATES,
    x: LOAD_FACTOR,
    facet: OPERATION_AND_RATIO,
    apart: "panels",
    beside: { limit: "quotient", references: true },
  },
  notes:
    "The load factor of Quotient, a compact table, is 8 bytes per pair / bytes of the table: at equal load factors it takes the space " +
    "of tables with slots of 8 bytes. Variants of the tables, and GPH, are in tables/variants; CUDA's libraries in tables/ports and tables/libraries.",
};
