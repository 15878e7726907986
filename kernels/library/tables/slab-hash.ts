/** `webgpu-hash-table/slab-hash`: see kernels/slab-hash/README.md. */
import { kernel as fill } from "../../common/fill.wgsl.js";
import { kernel as allocate } from "../../slab-hash/allocate.wgsl.js";
import { kernel as find } from "../../slab-hash/find.wgsl.js";
import { kernel as flush } from "../../slab-hash/flush.wgsl.js";
import { kernel as occupancy } from "../../slab-hash/occupancy.wgsl.js";
import { slabHash as type } from "../../slab-hash/slab-hash.js";
import { kernel as update } from "../../slab-hash/update.wgsl.js";
import { tableModule } from "../table.js";
import type { FlushableTable, MixedTable, RecordableErasableTable, TableModule } from "../types.js";

export * from "../shared.js";

/** Lists of slabs, which grow as they fill. */
export const slabHash: TableModule<RecordableErasableTable & MixedTable & FlushableTable> = tableModule(type, {
  presets: () => ({ overwrite: true }),
  only: { unique: { values: [true], why: "it offers no search for several values of a key" } },
  hosted: () => ["clear", "insert"],
  kernels: [fill, allocate, find, flush, occupancy, update],
});
