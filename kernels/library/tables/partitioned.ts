/** `webgpu-hash-table/partitioned`: the kernels of `partitioned: true`, as kernels/partitioned/build.ts runs them. */
import { kernel as scan } from "../../common/scan.wgsl.js";
import { makeBuild } from "../../partitioned/build.js";
import { kernel as build } from "../../partitioned/build.wgsl.js";
import { kernel as rest } from "../../partitioned/rest.wgsl.js";
import { kernel as scatter } from "../../partitioned/scatter.wgsl.js";
import type { Kernels } from "../types.js";

/** For the option `kernels`, with the parameter `partitioned` of quotient and bucketed. */
export const partitioned: Kernels = /* @__PURE__ */ Object.assign([scan, build, rest, scatter], { makeBuild });
