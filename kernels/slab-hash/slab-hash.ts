/** The slab hash: of pairs, and of keys alone. See README.md. */

import { Status } from "../common/bulk.js";
import { PAIR_BYTES } from "../common/steps.js";
import { fixed } from "../declare.js";
import { defineTable } from "../define.js";
import type { Owner } from "../device/owned.js";
import type { Description, GpuTable, Making, TableType } from "../table.js";
import { marksOf, poolBytes } from "./blocks.js";
import { makeFindAll } from "./find-all.js";
import { boundBeside, Kernels } from "./kernels.js";
import { parameters, type SlabParams, sizesFor, tileOf } from "./parameters.js";
import { SlabPool } from "./pool.js";
import { SuperBlocks } from "./super-blocks.js";
import { slabHashOf } from "./table.js";

const KEY_BYTES = 4;

/** What only some tables have: the allocator `slab-alloc`, and searches for all values of a key. */
interface Beside extends Pick<Parameters<typeof slabHashOf>[1], "makeFindAll"> {
  readonly SuperBlocks?: typeof SuperBlocks;
}

function slabTable(
  about: Pick<Description, "id" | "title" | "multimapParams"> & { readonly parameters: typeof parameters },
  pairBytes: number,
  beside: Beside,
): TableType {
  return defineTable({
    ...about,
    flushes: true,
    source: "Ashkiani et al., A Dynamic Hash Table for the GPU, IPDPS 2018",
    configure: (params) => ({
      ops: ["insert", "find", "erase", "mixed"],
      ...(pairBytes === KEY_BYTES && { answers: "member" }),
      // 15/16 is reached as the number of buckets becomes 1; here a list has 58 slabs.
      maxLoadFactor: 0.93,
      duplicates: params.unique,
      incremental: true,
      access: (op) =>
        op === "find"
          ? // Of all ways to read a slab the fastest on an H200, in its cache and beyond it.
            {
              pattern: "lookup128x4",
              lanes: tileOf(params.tile, "find"),
              why: "one 128-byte slab, the key, the result",
            }
          : { pattern: "cas", why: "one random 32-bit CAS" },
      bytes(n, loadFactor) {
        const { buckets, blocks } = sizesFor(n, loadFactor, params, pairBytes);
        return poolBytes(buckets, blocks);
      },
      create: (gpu, making) => create(gpu, making, { params, pairBytes, ...beside }),
    }),
  });
}

export const slabHashWith = (beside: Beside) =>
  slabTable({ id: "slab-hash", title: "Slab hash", multimapParams: { unique: false }, parameters }, PAIR_BYTES, beside);
export const slabHash = /* @__PURE__ */ slabHashWith({ SuperBlocks, makeFindAll });

const ofKeys = /* @__PURE__ */ fixed(parameters, { unique: true, overwrite: false });
/** 30 keys a slab. */
export const slabSet = /* @__PURE__ */ slabTable({ id: "slab-set", title: "Slab set", parameters: ofKeys }, KEY_BYTES, {
  SuperBlocks,
});

async function create(
  gpu: Owner,
  { n, loadFactor, seed, counting }: Making,
  { params, pairBytes, SuperBlocks, makeFindAll }: Beside & { readonly params: SlabParams; readonly pairBytes: number },
): Promise<GpuTable> {
  const sizes = sizesFor(n, loadFactor, params, pairBytes);
  const { buckets, blocks, expected } = sizes;
  const keyOnly = pairBytes === KEY_BYTES;
  const needed = Math.ceil(expected) - buckets;
  const others = boundBeside({ keyOnly, counting });
  const pool = await SlabPool.make(gpu, params.allocator, { base: buckets, blocks, needed, others }, SuperBlocks);
  // For all blocks that there may be: 24 KiB where 12 banks of 2 GiB can be bound. They are zeroed before each pass, outside its time.
  const status = await Status.make(gpu, { own: marksOf(pool.most) });
  const kernels = new Kernels(gpu, { seed, counting, params, keyOnly }, pool, status.buffer);
  const counted = await gpu.alloc("pairs and slabs", 8);
  const table = slabHashOf(gpu, { sizes, pairBytes, pool, kernels, status, counted, makeFindAll });
  await table.clear();
  return table;
}
