/** `webgpu-hash-table/resizing`: the kernels of `resize: true`, as kernels/dycuckoo/resizer.ts runs them. */
import { kernel as downsize } from "../../dycuckoo/downsize.wgsl.js";
import { Resizer } from "../../dycuckoo/resizer.js";
import { kernel as upsize } from "../../dycuckoo/upsize.wgsl.js";
import type { Kernels } from "../types.js";

/** For the option `kernels`, with `resize: true` of dycuckoo. */
export const resizing: Kernels = /* @__PURE__ */ Object.assign([downsize, upsize], { Resizer });
