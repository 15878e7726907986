/** `webgpu-hash-table/multimap`: the kernels of `unique: false`, as kernels/slab-hash/find-all.ts runs them. */
import { kernel as scan } from "../../common/scan.wgsl.js";
import { makeFindAll } from "../../slab-hash/find-all.js";
import { kernel as findAll } from "../../slab-hash/find-all.wgsl.js";
import type { Kernels } from "../types.js";

/** For the option `kernels`, with `unique: false` of slab-hash. */
export const multimap: Kernels = /* @__PURE__ */ Object.assign([scan, findAll], { makeFindAll });
