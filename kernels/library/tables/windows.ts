/** `webgpu-hash-table/windows`: the kernels of `keyBytes: 8` of warpcore, as kernels/common/wide-keys.ts runs them. */
import { wideKeys } from "../../common/wide-keys.js";
import { kernel as erase } from "../../wide-windows/erase.wgsl.js";
import { kernel as find } from "../../wide-windows/find.wgsl.js";
import { kernel as insert } from "../../wide-windows/insert.wgsl.js";
import type { Kernels } from "../types.js";

/** For the option `kernels`, with the parameter `keyBytes` 8 of warpcore and warpdrive. */
export const windows: Kernels = /* @__PURE__ */ Object.assign([erase, find, insert], { wideKeys });
