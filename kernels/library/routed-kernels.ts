/** Kernels that kernels/gph/lookups.ts runs with `index: "workgroup"`. A bundler can load them apart. */
import { kernel as scan } from "../common/scan.wgsl.js";
import { kernel as findRouted } from "../gph/find-routed.wgsl.js";
import { kernel as route } from "../gph/route.wgsl.js";

export const kernels = [scan, findRouted, route];
