/** `hashbench/tables/slab-hash`: see kernels/slab-hash/README.md. */
import { kernel as fill } from "../../common/fill.wgsl.js";
import { kernel as scan } from "../../common/scan.wgsl.js";
import { kernel as allocate } from "../../slab-hash/allocate.wgsl.js";
import { kernel as find } from "../../slab-hash/find.wgsl.js";
import { kernel as findAll } from "../../slab-hash/find-all.wgsl.js";
import { kernel as flush } from "../../slab-hash/flush.wgsl.js";
import { kernel as occupancy } from "../../slab-hash/occupancy.wgsl.js";
import { slabHash as type } from "../../slab-hash/slab-hash.js";
import { kernel as update } from "../../slab-hash/update.wgsl.js";
import { tableModule } from "../table.js";
import type { MixedTable, RecordableErasableTable, TableModule } from "../types.js";

/** Lists of slabs, which grow as they fill. */
export const slabHash: TableModule<RecordableErasableTable & MixedTable> = tableModule(type, [
  fill,
  scan,
  allocate,
  find,
  findAll,
  flush,
  occupancy,
  update,
]);
