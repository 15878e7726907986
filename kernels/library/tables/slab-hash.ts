/** `webgpu-hash-table/slab-hash`: see kernels/slab-hash/README.md. */
import { kernel as fill } from "../../common/fill.wgsl.js";
import { kernel as find } from "../../slab-hash/find.wgsl.js";
import { kernel as flush } from "../../slab-hash/flush.wgsl.js";
import { kernel as occupancy } from "../../slab-hash/occupancy.wgsl.js";
import { slabHash as type } from "../../slab-hash/slab-hash.js";
import { kernel as update } from "../../slab-hash/update.wgsl.js";
import { mixedOperations } from "../mixed.js";
import { multimapOperations } from "../multimap.js";
import { COMPARED, tableModule } from "../table.js";
import type { ErasableTable, FlushableTable, MixedTable, MultimapTable, TableModule } from "../types.js";

export * from "../shared.js";

/** Lists of slabs, which grow as they fill. */
export const slabHash: TableModule<ErasableTable & MixedTable & FlushableTable & Partial<MultimapTable>> = tableModule(
  type,
  {
    only: {
      tile: { values: ["auto", 4, 8, 32], why: COMPARED },
      allocator: { values: ["slab-alloc-light"], why: COMPARED },
    },
    presets: () => ({ overwrite: true }),
    apart: ({ unique }) => (unique ? undefined : "multimap"),
    hosted: () => ["clear", "insert"],
    offers: [mixedOperations, multimapOperations],
    kernels: [fill, find, flush, occupancy, update],
  },
);
