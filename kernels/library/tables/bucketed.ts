/** `webgpu-hash-table/bucketed`: see kernels/bucketed/README.md. */
import { bucketedWith } from "../../bucketed/bucketed.js";
import { kernel as erase } from "../../bucketed/erase.wgsl.js";
import { kernel as find } from "../../bucketed/find.wgsl.js";
import { kernel as insert } from "../../bucketed/insert.wgsl.js";
import { kernel as insertReuse } from "../../bucketed/insert-reuse.wgsl.js";
import { kernel as fill } from "../../common/fill.wgsl.js";
import { partitionedApart, partitionedHosts, partitioningOf } from "../partitioned.js";
import { tableModule } from "../table.js";
import type { ErasableTable, TableModule } from "../types.js";
import { wideApart, wideOf } from "../wide.js";

export * from "../shared.js";

/** Buckets of four pairs in 32 bytes, double hashing. */
export const bucketed: TableModule<ErasableTable> = tableModule(
  (further, kernels) => bucketedWith(partitioningOf(kernels), wideOf(kernels), further),
  {
    kernels: [fill, erase, find, insert, insertReuse],
    apart: (params) => partitionedApart(params) ?? wideApart(params),
    presets: ({ partitioned }) => ({ reuse: !partitioned }),
    hosted: partitionedHosts,
  },
);
