/** `webgpu-hash-table/quotient`: see kernels/quotient/README.md. */
import { kernel as fill } from "../../common/fill.wgsl.js";
import { kernel as erase } from "../../quotient/erase.wgsl.js";
import { kernel as find } from "../../quotient/find.wgsl.js";
import { kernel as insert } from "../../quotient/insert.wgsl.js";
import { quotientWith } from "../../quotient/quotient.js";
import { partitionedApart, partitionedHosts, partitioningOf } from "../partitioned.js";
import { tableModule } from "../table.js";
import type { ErasableTable, TableModule } from "../types.js";

export * from "../shared.js";

/** A compact table: up to 6 pairs in a bucket of 32 bytes. Load factors are of 8 bytes a pair, and reach 0.95. */
export const quotient: TableModule<ErasableTable> = tableModule(
  (further, kernels) => quotientWith(partitioningOf(kernels), further),
  { kernels: [fill, insert, find, erase], apart: partitionedApart, hosted: partitionedHosts },
);
