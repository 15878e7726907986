/** `webgpu-hash-table/cuckoo`: see kernels/cuckoo/README.md. */
import { kernel as fill } from "../../common/fill.wgsl.js";
import { cuckoo as type } from "../../cuckoo/cuckoo.js";
import { $find, kernel as find } from "../../cuckoo/find.wgsl.js";
import { kernel as insert } from "../../cuckoo/insert.wgsl.js";
import { kernel as settleInPlace } from "../../cuckoo/settle-in-place.wgsl.js";
import { shaderFunctions } from "../shader.js";
import { tableModule } from "../table.js";
import type { ShaderTable, TableModule } from "../types.js";

export * from "../shared.js";

/** Four slots a key. An insertion builds the table, which has to be cleared. */
export const cuckoo: TableModule<ShaderTable> = tableModule(type, {
  kernels: [fill, find, insert, settleInPlace],
  offers: [shaderFunctions({ reading: { $find } })],
  hosted: () => ["insert"],
});
