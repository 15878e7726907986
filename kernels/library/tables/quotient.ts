/** `webgpu-hash-table/quotient`: see kernels/quotient/README.md. */
import { kernel as fill } from "../../common/fill.wgsl.js";
import * as erase from "../../quotient/erase.wgsl.js";
import { kernel as exported } from "../../quotient/export.wgsl.js";
import * as find from "../../quotient/find.wgsl.js";
import * as insert from "../../quotient/insert.wgsl.js";
import * as locate from "../../quotient/locate.wgsl.js";
import { kernel as mixed } from "../../quotient/mixed.wgsl.js";
import { quotientWith } from "../../quotient/quotient.js";
import * as rows from "../../quotient/upsert.wgsl.js";
import { exportOperations } from "../exports.js";
import { mixedOperations } from "../mixed.js";
import { partitionedApart, partitionedHosts, partitioningOf } from "../partitioned.js";
import { rowOperations } from "../rows.js";
import { allFunctions } from "../shader.js";
import { tableModule } from "../table.js";
import type {
  ExportableTable,
  MixedTable,
  RecordableErasableTable,
  ShaderTable,
  TableModule,
  UpsertingTable,
} from "../types.js";

export * from "../shared.js";

/** A compact table: up to 6 pairs in a bucket of 32 bytes. Load factors are of 8 bytes a pair, and reach 0.95. */
export const quotient: TableModule<
  RecordableErasableTable & MixedTable & UpsertingTable & ExportableTable & ShaderTable
> = tableModule((kernels) => quotientWith(partitioningOf(kernels)), {
  kernels: [fill, insert.kernel, find.kernel, erase.kernel, mixed, exported, rows.kernel],
  offers: [mixedOperations, rowOperations, exportOperations, allFunctions({ find, locate, insert, erase, rows })],
  apart: partitionedApart,
  hosted: partitionedHosts,
});
