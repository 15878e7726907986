import { type Experiment, HELD_FIELD, type Series } from "../../base/experiment.js";
import { each } from "../helpers.js";
import { COMPARED, defaults, librarySeries, PORTS } from "../originals.js";
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
const SLOTS: readonly Series[] = [cuckoo, cuckooProgram, doubleHashing, stash, stashPassed];

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
const VARIANTS: readonly Series[] = [ordered, dycuckooPairs, gph, largerCells, smallBuckets];
const GROUPS: readonly Series[] = [dycuckoo, ordered, dycuckooPairs, warpcore, gph, largerCells, smallBuckets];

export const CPU_NATIVE = each(CPU_LIBRARIES, { label: "{}, n ≤ 16 M", only: NATIVE, at: { maxN: 2 ** 24 } });
export const LIBRARIES = librarySeries(undefined, { only: NATIVE });

const quotientBytes = { ...quotient, label: "Quotient, by bytes" };
const slabUtilisation = { ...slabHash, label: "Slab hash, by memory utilisation" };
/** All GPU tables, as figures along the load factor call them. */
export const GPU_TABLES = [bucketed, quotientBytes, ...SLOTS, slabUtilisation, ...GROUPS];

const BY_LOAD_FACTOR = { ...RATES, x: LOAD_FACTOR, facet: OPERATION_AND_RATIO } as const;

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
  figure: { ...BY_LOAD_FACTOR, apart: "panels", beside: { limit: "quotient", references: true } },
  notes:
    "The load factor of Quotient, a compact table, is 8 bytes per pair / bytes of the table: at equal load factors it takes the space " +
    "of tables with slots of 8 bytes. Variants of the tables, and GPH, are in tables/variants; CUDA's libraries in tables/ports and tables/libraries.",
};

/** Of the same rows, of the series that the figure declares. */
const drawn = { ...loadFactor, from: [loadFactor.id], figure: { ...loadFactor.figure, only: "declared" } } as const;

export const variants: Experiment = {
  ...drawn,
  id: "tables/variants",
  title: "Variants of tables, and GPH, by load factor",
  series: [cuckooProgram, stashPassed, ...VARIANTS],
};

export const libraries: Experiment = {
  ...drawn,
  id: "tables/libraries",
  title: "CUDA libraries without a port here, beside our fastest tables",
  series: [quotient, bucketed, ...librarySeries(["cuco", "bcht", "p2bht"])],
  notes: "With the libraries' defaults, and with the settings that find fastest at load factor 0.8.",
};

export const ports: Experiment = {
  ...drawn,
  id: "tables/ports",
  title: "Ports and their originals in CUDA, by load factor",
  setting:
    "100 M unique random pairs, 200 M lookups; DyCuckoo with the buckets of its program, programs with their defaults; in one run",
  series: [
    cuckoo,
    slabHash,
    dycuckooPairs,
    warpcore,
    ...defaults(librarySeries(["cudpp", "slabHash", "dycuckoo", "warpcore"])),
  ],
  notes: "An original has its port's colour, and is hollow. tables/originals has the ratios.",
};

export const originals: Experiment = {
  ...drawn,
  id: "tables/originals",
  title: "Ports over their originals in CUDA",
  setting:
    "100 M unique random pairs, 200 M lookups; originals with their defaults, ports too but for DyCuckoo's buckets of 16 pairs and, in one of two series, CUDPP's prime; in one run",
  series: PORTS,
  figure: {
    ...BY_LOAD_FACTOR,
    y: { title: "Rate of the port / rate of the original", factor: 1 },
    against: { table: COMPARED, as: "ratio" },
  },
  notes: "The report has the same ratios as a table, also over the originals' fastest settings.",
};

export const spaceTime: Experiment = {
  ...drawn,
  id: "tables/space-time",
  title: "Throughput by bytes per pair: what memory buys",
  setting: "100 M unique random pairs, 200 M lookups; one curve per table, one point per load factor",
  series: [bucketed, quotient, ...SLOTS, slabHash, ...GROUPS, ...CPU_NATIVE, ...LIBRARIES],
  figure: {
    ...BY_LOAD_FACTOR,
    x: { field: HELD_FIELD, title: "Bytes per pair" },
    beside: { trend: "front", references: true },
  },
  notes:
    "Which table to take where memory is short. The bytes are those that a table keeps, with locks, tickets, stashes and indexes, over " +
    "the pairs that it holds; by the declaration of its type, and without what operations take for themselves, such as cuckoo's pairs " +
    "in order while it is built. CPU tables in JavaScript are left out.",
};
