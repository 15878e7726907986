/** `webgpu-hash-table/crystal`: see kernels/double-hashing/README.md. */
import { kernel as exported } from "../../common/export.wgsl.js";
import { kernel as fill } from "../../common/fill.wgsl.js";
import { crystal as type } from "../../double-hashing/double-hashing.js";
import * as erase from "../../double-hashing/erase.wgsl.js";
import * as find from "../../double-hashing/find.wgsl.js";
import * as insert from "../../double-hashing/insert.wgsl.js";
import { kernel as insertReuse } from "../../double-hashing/insert-reuse.wgsl.js";
import * as locate from "../../double-hashing/locate.wgsl.js";
import * as rows from "../../double-hashing/upsert.wgsl.js";
import { exportOperations } from "../exports.js";
import { rowOperations } from "../rows.js";
import { allFunctions } from "../shader.js";
import { tableModule } from "../table.js";
import type {
  ExportableTable,
  RecordableErasableTable,
  RehashableTable,
  ShaderTable,
  TableModule,
  UpsertingTable,
} from "../types.js";

export * from "../shared.js";

/** A pair a slot, linear probing: the table of Crystal's join. */
export const crystal: TableModule<
  RecordableErasableTable & RehashableTable & UpsertingTable & ExportableTable & ShaderTable
> = tableModule(type, {
  kernels: [fill, erase.kernel, find.kernel, insert.kernel, insertReuse, exported, rows.kernel],
  offers: [rowOperations, exportOperations, allFunctions({ find, locate, insert, erase, rows })],
  presets: () => ({ reuse: true }),
});
