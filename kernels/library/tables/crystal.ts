/** `hashbench/tables/crystal`: see kernels/double-hashing/README.md. */
import { kernel as exported } from "../../common/export.wgsl.js";
import { kernel as fill } from "../../common/fill.wgsl.js";
import { crystal as type } from "../../double-hashing/double-hashing.js";
import { kernel as erase } from "../../double-hashing/erase.wgsl.js";
import { kernel as find } from "../../double-hashing/find.wgsl.js";
import { kernel as insert } from "../../double-hashing/insert.wgsl.js";
import { kernel as insertReuse } from "../../double-hashing/insert-reuse.wgsl.js";
import { kernel as upsert } from "../../double-hashing/upsert.wgsl.js";
import { tableModule } from "../table.js";
import type {
  ExportableTable,
  RecordableErasableTable,
  RehashableTable,
  TableModule,
  UpsertingTable,
} from "../types.js";

export * from "../shared.js";

/** A pair a slot, linear probing: the table of Crystal's join. */
export const crystal: TableModule<RecordableErasableTable & RehashableTable & UpsertingTable & ExportableTable> =
  tableModule(type, {
    kernels: [fill, erase, find, insert, insertReuse, exported, upsert],
    presets: () => ({ reuse: true }),
  });
