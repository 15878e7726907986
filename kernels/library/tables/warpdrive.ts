/** `webgpu-hash-table/warpdrive`: see kernels/warpcore/README.md. */
import { kernel as exported } from "../../common/export.wgsl.js";
import { kernel as fill } from "../../common/fill.wgsl.js";
import { kernel as erase } from "../../warpcore/erase.wgsl.js";
import { kernel as find } from "../../warpcore/find.wgsl.js";
import { kernel as insert } from "../../warpcore/insert.wgsl.js";
import { warpdrive as type } from "../../warpcore/warpcore.js";
import { exportOperations } from "../exports.js";
import { tableModule } from "../table.js";
import type { ExportableTable, RecordableErasableTable, RehashableTable, TableModule } from "../types.js";

export * from "../shared.js";

/** The same with the older order of the windows. */
export const warpdrive: TableModule<RecordableErasableTable & RehashableTable & ExportableTable> = tableModule(type, {
  offers: [exportOperations],
  kernels: [fill, erase, find, insert, exported],
});
