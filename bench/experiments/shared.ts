/** What several papers' experiments declare in the same way: tables, sizes, figures of rates, and channels. */

import type { Channel, FigureSpec, Series } from "../base/experiment.js";

export const RATES = {
  kind: "line",
  metric: "mops",
  y: { title: "Throughput" },
} as const satisfies Partial<FigureSpec>;
export const LOG_RATES = { ...RATES, y: { title: "Throughput", scale: "log10" } } as const;
/** Of rows of a whole problem, beside the limit that their bytes set. */
export const ROW_RATES = { ...LOG_RATES, y: { title: "Rows", scale: "log10" }, beside: { limit: true } } as const;
export const RATE_BARS = { ...RATES, kind: "bar" } as const;

export const PAIRS: Channel = { field: "n", title: "Pairs", scale: "log2" };
export const LOAD_FACTOR: Channel = { field: "load_factor", title: "Load factor" };
export const POSITIVE_LOOKUPS: Channel = { field: "positive_ratio", title: "Positive lookups (%)", factor: 100 };
export const BUCKETS: Channel = { field: "params.buckets", title: "Buckets", scale: "log2" };

export const OPERATION: Channel = { field: "op", title: "Operation" };
/** With each share of present keys apart. */
export const OPERATION_AND_RATIO: Channel = { field: "op+positive_ratio", title: "Operation" };
export const DATA_SET: Channel = { field: "dataset", title: "Data set" };
export const UPDATES: Channel = { field: "params.updates", title: "Share of updates (%)", factor: 100 };

/** Tables as they are called in the legends of several figures. */
export const TABLES = {
  bucketed: { table: "bucketed", label: "Bucketed (4 pairs)" },
  bucketedKeyed: { table: "bucketed", label: "Bucketed, keyed hash", variant: "keyed", params: { keyed: true } },
  cuckoo: { table: "cuckoo", label: "Cuckoo" },
  cuckooProgram: {
    table: "cuckoo",
    label: "Cuckoo, CUDPP's prime",
    variant: "CUDPP's prime",
    params: { largePrime: true },
  },
  doubleHashing: { table: "double-hashing", label: "Double hashing" },
  dycuckoo: { table: "dycuckoo", label: "DyCuckoo" },
  dycuckooPairs: {
    table: "dycuckoo",
    label: "DyCuckoo, as the program for 64-bit pairs",
    variant: "64-bit pairs",
    params: { bucketSlots: 16, pairs: "beside" },
  },
  fingerprints: { table: "fingerprints", label: "Fingerprints" },
  quotient: { table: "quotient", label: "Quotient" },
  quotientKeyed: { table: "quotient", label: "Quotient, keyed hash", variant: "keyed", params: { keyed: true } },
  slabHash: { table: "slab-hash", label: "Slab hash" },
  stash: { table: "stash", label: "Stash, 8-bit tickets" },
  stashPassed: { table: "stash", label: "Stash, passed bit", variant: "passed", params: { passed: true } },
  warpcore: { table: "warpcore", label: "WarpCore" },
} as const satisfies Record<string, Series>;
/** A table of each kind, with its default parameters. */
export const EACH_TABLE: readonly Series[] = [
  TABLES.quotient,
  TABLES.bucketed,
  { table: "crystal", label: "Crystal" },
  TABLES.doubleHashing,
  TABLES.warpcore,
  TABLES.dycuckoo,
  TABLES.slabHash,
  { table: "gph", label: "GPH, load factor 0.5", at: { loadFactor: 0.5 } },
  TABLES.cuckoo,
  TABLES.stash,
];
/** Concurrent tables of C++ libraries on all cores: `kernels/native/cpu`. */
export const CPU_LIBRARIES: readonly Series[] = [
  { table: "libcuckoo", label: "libcuckoo", only: { loaded: true } },
  { table: "onetbb", label: "oneTBB", only: { loaded: true } },
  { table: "boost-concurrent", label: "Boost", only: { loaded: true } },
];
export const CPU_TABLES: readonly Series[] = [
  { table: "typed-array", label: "CPU: typed array, n ≤ 1 M", bench: "cpu", at: { maxN: 2 ** 20 } },
  { table: "js-map", label: "CPU: JavaScript Map, n ≤ 1 M", bench: "cpu", at: { maxN: 2 ** 20 } },
];
