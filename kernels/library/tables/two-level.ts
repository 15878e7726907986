/** `webgpu-hash-table/two-level`: see kernels/two-level/README.md. */
import { kernel as fill } from "../../common/fill.wgsl.js";
import { kernel as scan } from "../../common/scan.wgsl.js";
import { kernel as build } from "../../two-level/build.wgsl.js";
import { kernel as count } from "../../two-level/count.wgsl.js";
import { kernel as find } from "../../two-level/find.wgsl.js";
import { kernel as scatter } from "../../two-level/scatter.wgsl.js";
import { twoLevel as type } from "../../two-level/two-level.js";
import { tableModule } from "../table.js";
import type { TableModule } from "../types.js";

export * from "../shared.js";

/** Buckets of 512 pairs, each a cuckoo table in workgroup memory. An insertion builds the table, which has to be cleared. */
export const twoLevel: TableModule = tableModule(type, {
  kernels: [fill, scan, build, count, find, scatter],
  hosted: () => ["insert"],
});
