/** `webgpu-hash-table/warpcore`: see kernels/warpcore/README.md. */
import { kernel as exported } from "../../common/export.wgsl.js";
import { kernel as fill } from "../../common/fill.wgsl.js";
import { kernel as erase } from "../../warpcore/erase.wgsl.js";
import { kernel as find } from "../../warpcore/find.wgsl.js";
import { kernel as insert } from "../../warpcore/insert.wgsl.js";
import { warpcore as type } from "../../warpcore/warpcore.js";
import { exportOperations } from "../exports.js";
import { tableModule } from "../table.js";
import type { ExportableTable, RecordableErasableTable, RehashableTable, TableModule } from "../types.js";

export * from "../shared.js";

/** Windows of slots that lanes probe together, double hashing over windows; slots of erased keys are used again. */
export const warpcore: TableModule<RecordableErasableTable & RehashableTable & ExportableTable> = tableModule(type, {
  offers: [exportOperations],
  kernels: [fill, erase, find, insert, exported],
});
