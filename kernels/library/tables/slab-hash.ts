/** `webgpu-hash-table/slab-hash`: see kernels/slab-hash/README.md. */
import { kernel as fill } from "../../common/fill.wgsl.js";
import { kernel as find } from "../../slab-hash/find.wgsl.js";
import { slabHashWith } from "../../slab-hash/slab-hash.js";
import { kernel as update } from "../../slab-hash/update.wgsl.js";
import { COMPARED, tableModule } from "../table.js";
import type { ErasableTable, TableModule } from "../types.js";

export * from "../shared.js";

/** Lists of slabs, which grow as they fill. */
export const slabHash: TableModule<ErasableTable> = tableModule(
  (_, kernels) => slabHashWith({ makeFindAll: kernels.makeFindAll }),
  {
    only: {
      tile: { values: ["auto", 4, 8, 32], why: COMPARED },
      allocator: { values: ["slab-alloc-light"], why: COMPARED },
    },
    presets: () => ({ overwrite: true }),
    apart: ({ unique }) => (unique ? undefined : "multimap"),
    hosted: () => ["clear", "insert"],
    kernels: [fill, find, update],
  },
);
