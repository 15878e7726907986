/** DyCuckoo. See README.md. */
import { Status } from "../common/bulk.js";
import { WARP_KINDS } from "../common/warp.js";
import { type Owner, owned } from "../device/owned.js";
import { defaultsOf } from "../parameters.js";
import type { GpuTable, Params, TableOptions, TableType } from "../table.js";
import { fixedBuckets, resizableBuckets } from "./filling.js";
import { Kernels, TILES, USUAL } from "./kernels.js";
import { Ordering, orderedAccess, orderingBytes } from "./order.js";
import { bytesOf, MAX_SEVERAL, SubTables } from "./sub-tables.js";
import { CuckooTable } from "./table.js";

const MAX_LOAD_FACTOR = 0.95;

/** Parameters of all tables of the folder. */
const COMMON: TableType["parameters"] = [
  {
    ...{ name: "resize", default: false, values: [true, false], task: true },
    meaning: "hold the filled factor in [alpha, beta]",
  },
  { ...{ name: "alpha", default: 0.3, from: 0, to: 1, integer: false, task: true }, meaning: "least filled factor" },
  {
    ...{ name: "beta", default: 0.85, from: 0.05, to: 1, integer: false, task: true },
    meaning: "largest filled factor",
  },
  {
    ...{ name: "unique", default: true, values: [true, false], task: true },
    meaning: "insertions are REPLACE; false: the paper's, for keys that are new and different",
  },
  {
    ...{ name: "locks", default: true, values: [true, false] },
    meaning: "insertions lock buckets, as the paper's; false: only evictions do",
  },
  {
    ...{ name: "tile", default: "auto", values: TILES },
    meaning: "lanes that read a bucket together: 32 as in the paper; auto: 4 in searches, 8 elsewhere",
  },
  {
    ...{ name: "regionKiB", default: 0, values: [0, 4, 2 ** 12, 2 ** 13, 2 ** 14, 2 ** 15, 2 ** 16] },
    meaning: "large batches are ordered first, by regions of the table of so many KiB; 0: not",
  },
  { name: "warp", default: "auto", values: WARP_KINDS, meaning: "what a warp is made of" },
];
const SUB_TABLES: TableType["parameters"] = [
  { ...{ name: "subTables", default: 4, from: 2, to: 8, integer: true }, meaning: "sub-tables (d)" },
  {
    ...{ name: "alike", default: false, values: [true, false] },
    meaning:
      "with resize: sub-tables begin alike; else some twice as large, for a filled factor nearer to the load factor",
  },
];

/** Buckets of the sub-tables for n pairs. */
function bucketsFor(n: number, loadFactor: number, params: Params, whole: boolean): number[] {
  const { subTables = 2, resize, alike = whole } = params;
  const d = Number(subTables);
  return resize === true ? resizableBuckets(n, loadFactor, d, alike === true) : fixedBuckets(n, loadFactor, d);
}

function conflict({ subTables = 2, resize, alpha, beta, regionKiB = 0 }: Params, whole: boolean): string {
  if (resize !== true) return "";
  if (Number(regionKiB) > 0) return "regionKiB is for tables that keep their size, resize for others";
  const d = Number(subTables);
  if (d > MAX_SEVERAL) return `subTables is ${d}; resize takes at most ${MAX_SEVERAL}`;
  // An upsize at beta must not leave less than alpha, nor a downsize at alpha more than beta, or than pairs find room in.
  const fullest = Math.min(Number(beta), MAX_LOAD_FACTOR);
  const most = whole ? fullest / 2 : (fullest * d) / (d + 1);
  if (Number(alpha) < most) return "";
  const tables = whole ? "tables resized as a whole" : `${d} sub-tables`;
  return `alpha is ${alpha}; with ${tables} and beta ${beta} it has to be below ${most.toFixed(3)}`;
}

/** @param whole All sub-tables are resized at once, by rehashing. */
export function cuckooTables(
  whole: boolean,
  own: Pick<TableType, "id" | "title" | "source"> & { readonly parameters?: TableType["parameters"] },
): TableType {
  const parameters = [...(own.parameters ?? []), ...COMMON];
  const held = (n: number, loadFactor: number, params: Params = {}) => {
    const all = { ...defaultsOf(parameters), ...params };
    return bytesOf(bucketsFor(n, loadFactor, all, whole), all.resize === true);
  };
  return {
    ops: ["insert", "find", "erase"],
    maxLoadFactor: MAX_LOAD_FACTOR,
    duplicates: true,
    wantsNewKeys: ({ unique }) => unique === false,
    incremental: true,
    reusesSlots: true,
    conflict: (params) => conflict(params, whole),
    tile: ({ tile }) => (typeof tile === "number" ? tile : USUAL.find),
    access(op, params = {}) {
      if (op === "find") return { pattern: "lookup128x4", why: "the keys of one 128-byte bucket, the key, the result" };
      if (op === "insert" && Number(params.regionKiB ?? 0) > 0) return orderedAccess;
      if (op === "insert")
        return { pattern: "cas-write", why: "one random 32-bit CAS, and the value, in another array" };
      return { pattern: "cas", why: "one random 32-bit CAS" };
    },
    bytes(n, loadFactor, params = {}) {
      return held(n, loadFactor, params) + (Number(params.regionKiB ?? 0) > 0 ? orderingBytes(n) : 0);
    },
    held,
    create: (gpu, options) => create(gpu, options, whole),
    ...own,
    parameters,
  };
}

export const dycuckoo = cuckooTables(false, {
  id: "dycuckoo",
  title: "DyCuckoo",
  source: "Li et al., Dynamic Hash Tables on GPUs, ICDE 2021",
  parameters: SUB_TABLES,
});

async function create(gpu: Owner, options: TableOptions, whole: boolean): Promise<GpuTable> {
  const { n, loadFactor, params, seed } = options;
  const resizes = params.resize === true;
  const buckets = bucketsFor(n, loadFactor, params, whole);
  const memory = await owned(gpu, (own) => SubTables.make(own, buckets, resizes, seed));
  const kernels = new Kernels(gpu, options, buckets.length, resizes, memory.bytes);
  const policy = resizes ? { alpha: Number(params.alpha), beta: Number(params.beta), whole } : null;
  const regionBytes = Number(params.regionKiB) * 1024;
  const ordering = regionBytes > 0 ? await Ordering.make(gpu, kernels, memory, regionBytes) : null;
  const table = new CuckooTable(gpu, seed, memory, kernels, await Status.make(gpu, { ahead: true }), policy, ordering);
  await table.clear();
  return table;
}
