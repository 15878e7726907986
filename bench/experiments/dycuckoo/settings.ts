/** What the experiments of DyCuckoo share. */
import type { Channel, Series } from "../../base/experiment.js";
import { each } from "../helpers.js";
import { librarySeries } from "../originals.js";
import { CPU_LIBRARIES } from "../shared.js";

/** Pairs of the paper's data sets, of which ours but RAND are stand-ins. */
export const PAIRS: Readonly<Record<string, number>> = {
  tw: 50_876_784,
  re: 48_104_875,
  line: 50_000_000,
  com: 10_000_000,
  normal: 100_000_000,
};
export const DATASETS = ["tw", "re", "line", "com", "normal"];
/** What the paper calls its data sets. */
const NAMES = {
  tw: "TW (stand-in)",
  re: "RE (stand-in)",
  line: "LINE (stand-in)",
  com: "COM (stand-in)",
  normal: "RAND",
};
export const DATA_SET: Channel = { field: "dataset", title: "Data set", names: NAMES };
/** With each operation apart. */
export const OPERATION_AND_DATA_SET: Channel = { field: "op+dataset", title: "Operation and data set", names: NAMES };
/** Random search queries of the static comparison. */
export const QUERIES = 1_000_000;
/** The paper's filled factor, and bound of dynamic tables. */
export const FILLED = 0.85;

/**
 * A warp reads a bucket or a slab, a word a lane; it locks a bucket for an insertion, and a pair swaps in the first one that is full: the
 * claims are about these.
 */
export const dycuckoo: Series = {
  table: "dycuckoo",
  variant: "paper",
  label: "DyCuckoo",
  params: { tile: 32, swap: true, locks: true },
};
export const megakv: Series = { table: "megakv", variant: "paper", label: "MegaKV (stand-in)", params: { tile: 32 } };
export const slab: Series = { table: "slab-hash", variant: "paper", label: "Slab", params: { tile: 32 } };
export const cudpp: Series = { table: "cuckoo", label: "Cuckoo (CUDPP's)" };
export const warp: Series = {
  table: "warpdrive",
  variant: "paper",
  label: "WarpDrive (Warp)",
  params: { pairs: "beside" },
};

/** Fewer lanes a bucket or slab, no locks but in evictions, and the second bucket before one. */
export const OURS: readonly Series[] = [
  { table: "dycuckoo", variant: "ours", label: "DyCuckoo, 8 or 4 lanes" },
  { table: "slab-hash", variant: "ours", label: "Slab, 8 or 4 lanes" },
];
export const SETTINGS =
  "As in the papers, DyCuckoo, MegaKV and Slab read 32 words by 32 lanes, DyCuckoo and MegaKV look for no room in a pair's second " +
  "bucket before they evict and lock buckets, and Warp's lanes read a key each, beside its value; the claims are about these.";

/** Of data sets that repeat keys, whose later pairs replace the value. */
export const cpuLibraries: readonly Series[] = each(CPU_LIBRARIES, { params: { upsert: true } });

/** Those that the paper compares and that are in CUDA; none takes keys that repeat. */
export const LIBRARIES = librarySeries(["cudpp", "slabHash", "dycuckoo", "warpdrive"]);

/** In dynamic workloads: tables that resize themselves, within the bounds that follow. */
export const resizing = each([megakv, dycuckoo], { bench: "dynamic", params: { resize: true } });
export const dycuckooResizing = each([dycuckoo], { bench: "dynamic", params: { resize: true } });
/** "Inserted KV pairs can overwrite symbolically deleted ones" (6.4). */
export const dynamicSlab: Series = { ...slab, bench: "dynamic", params: { ...slab.params, overwrite: true } };

export const STAND_INS =
  "TW, RE, LINE and COM are stand-ins with the paper's numbers of pairs and of different keys; RAND is normally distributed as in the paper. ";
export const REPEATS = "Tables that take every key once, cuckoo for one, are skipped where keys repeat. ";
