/** `webgpu-hash-table/double-hashing`: see kernels/double-hashing/README.md. */
import { kernel as fill } from "../../common/fill.wgsl.js";
import { doubleHashing as type } from "../../double-hashing/double-hashing.js";
import { kernel as erase } from "../../double-hashing/erase.wgsl.js";
import { kernel as find } from "../../double-hashing/find.wgsl.js";
import { kernel as insert } from "../../double-hashing/insert.wgsl.js";
import { kernel as insertReuse } from "../../double-hashing/insert-reuse.wgsl.js";
import { rehashing } from "../rehash.js";
import { tableModule } from "../table.js";
import type { RecordableErasableTable, RehashableTable, TableModule } from "../types.js";

export * from "../shared.js";

/** A pair a slot, double hashing. */
export const doubleHashing: TableModule<RecordableErasableTable & RehashableTable> = tableModule(type, {
  kernels: [fill, erase, find, insert, insertReuse],
  presets: () => ({ reuse: true }),
  rehashing,
  block: () => 1,
});
