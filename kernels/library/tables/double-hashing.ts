/** `hashbench/tables/double-hashing`: see kernels/double-hashing/README.md. */
import { kernel as fill } from "../../common/fill.wgsl.js";
import { doubleHashing as type } from "../../double-hashing/double-hashing.js";
import { kernel as erase } from "../../double-hashing/erase.wgsl.js";
import { kernel as find } from "../../double-hashing/find.wgsl.js";
import { kernel as insert } from "../../double-hashing/insert.wgsl.js";
import { kernel as insertReuse } from "../../double-hashing/insert-reuse.wgsl.js";
import { tableModule } from "../table.js";
import type { RecordableErasableTable, TableModule } from "../types.js";

/** A pair a slot, double hashing. With `reuse` insertions take the slots of erased keys again. */
export const doubleHashing: TableModule<RecordableErasableTable> = tableModule(type, [
  fill,
  erase,
  find,
  insert,
  insertReuse,
]);
