/** `webgpu-hash-table/routed`: the kernels of `index: "workgroup"`, as kernels/gph/lookups.ts runs them. */
import { kernel as scan } from "../../common/scan.wgsl.js";
import { kernel as findRouted } from "../../gph/find-routed.wgsl.js";
import { routed as searches } from "../../gph/lookups.js";
import { kernel as route } from "../../gph/route.wgsl.js";
import type { Kernels } from "../types.js";

/** For the option `kernels`, with `index: "workgroup"` of gph. */
export const routed: Kernels = /* @__PURE__ */ Object.assign([scan, findRouted, route], { routed: searches });
