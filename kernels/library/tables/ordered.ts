/** `webgpu-hash-table/ordered`: the kernels of `regionKiB`, as kernels/dycuckoo/order.ts runs them. */
import { kernel as countRegions } from "../../dycuckoo/count-regions.wgsl.js";
import { orderingFor } from "../../dycuckoo/order.js";
import { kernel as order } from "../../dycuckoo/order.wgsl.js";
import type { Kernels } from "../types.js";

/** For the option `kernels`, with `regionKiB` of dycuckoo above 0. */
export const ordered: Kernels = /* @__PURE__ */ Object.assign([countRegions, order], { orderingFor });
