/** `webgpu-hash-table/bucketed`: see kernels/bucketed/README.md. */

import { bucketedWith } from "../../bucketed/bucketed.js";
import * as erase from "../../bucketed/erase.wgsl.js";
import * as find from "../../bucketed/find.wgsl.js";
import * as insert from "../../bucketed/insert.wgsl.js";
import { kernel as insertReuse } from "../../bucketed/insert-reuse.wgsl.js";
import * as locate from "../../bucketed/locate.wgsl.js";
import * as rows from "../../bucketed/upsert.wgsl.js";
import { kernel as exported } from "../../common/export.wgsl.js";
import { kernel as fill } from "../../common/fill.wgsl.js";
import { exportOperations } from "../exports.js";
import { partitionedApart, partitionedHosts, partitioningOf } from "../partitioned.js";
import { rowOperations } from "../rows.js";
import { allFunctions } from "../shader.js";
import { tableModule } from "../table.js";
import type {
  ExportableTable,
  RecordableErasableTable,
  RehashableTable,
  ShaderTable,
  TableModule,
  UpsertingTable,
} from "../types.js";

export * from "../shared.js";

/** Buckets of four pairs in 32 bytes, double hashing. */
export const bucketed: TableModule<
  RecordableErasableTable & RehashableTable & UpsertingTable & ExportableTable & ShaderTable
> = tableModule((kernels) => bucketedWith(partitioningOf(kernels)), {
  kernels: [fill, erase.kernel, find.kernel, insert.kernel, insertReuse, exported, rows.kernel],
  offers: [rowOperations, exportOperations, allFunctions({ find, locate, insert, erase, rows })],
  apart: partitionedApart,
  presets: ({ partitioned }) => ({ reuse: !partitioned }),
  hosted: partitionedHosts,
});
