/** The slab hash: of pairs, and of keys alone. See README.md. */
import { Status } from "../common/bulk.js";
import type { Owner } from "../device/owned.js";
import type { GpuTable, TableOptions, TableType } from "../table.js";
import { Kernels } from "./kernels.js";
import { hashParameters, setParameters, sizesFor, tileOf } from "./parameters.js";
import { MOST_BLOCKS, marksOf, poolBytes, SlabPool } from "./pool.js";
import { SlabHash } from "./table.js";

const PAIR_BYTES = 8;
const KEY_BYTES = 4;

function tableOf(
  pairBytes: number,
  own: Pick<TableType, "id" | "title" | "parameters"> & Partial<TableType>,
): TableType {
  return {
    source: "Ashkiani et al., A Dynamic Hash Table for the GPU, IPDPS 2018",
    ops: ["insert", "find", "erase", "mixed"],
    // 15/16 is reached as the number of buckets becomes 1; here a list has 58 slabs.
    maxLoadFactor: 0.93,
    duplicates: true,
    wantsNewKeys: (params) => !hashParameters.of(params).unique,
    incremental: true,
    flushes: true,
    tile: (params) => tileOf(hashParameters.of(params).tile, "find"),
    access: (op) =>
      op === "find"
        ? // Of all ways to read a slab the fastest on an H200, in its cache and beyond it.
          { pattern: "lookup128x4", why: "one 128-byte slab, the key, the result" }
        : { pattern: "cas", why: "one random 32-bit CAS" },
    bytes(n, loadFactor, params) {
      const { buckets, blocks } = sizesFor(n, loadFactor, params, pairBytes);
      return poolBytes(buckets, blocks);
    },
    create: (gpu, options) => create(gpu, options, pairBytes),
    ...own,
  };
}

export const slabHash = tableOf(PAIR_BYTES, {
  id: "slab-hash",
  title: "Slab hash",
  multimapParams: { unique: false },
  parameters: hashParameters.list,
});

/** 30 keys a slab. */
export const slabSet = tableOf(KEY_BYTES, {
  id: "slab-set",
  title: "Slab set",
  answers: "member",
  parameters: setParameters.list,
});

async function create(gpu: Owner, options: TableOptions, pairBytes: number): Promise<GpuTable> {
  const params = hashParameters.of(options.params);
  const sizes = sizesFor(options.n, options.loadFactor, options.params, pairBytes);
  const { buckets, blocks, expected } = sizes;
  const pool = await SlabPool.make(gpu, params.allocator, buckets, blocks, Math.ceil(expected) - buckets);
  const status = await Status.make(gpu, { own: marksOf(MOST_BLOCKS) });
  const keyOnly = pairBytes === KEY_BYTES;
  const kernels = new Kernels(gpu, { ...options, params, keyOnly }, pool, status.buffer);
  const table = new SlabHash(gpu, sizes, pairBytes, pool, kernels, status);
  await table.clear();
  return table;
}
