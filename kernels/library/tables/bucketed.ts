/** `hashbench/tables/bucketed`: see kernels/bucketed/README.md. */

import { bucketed as type } from "../../bucketed/bucketed.js";
import { kernel as erase } from "../../bucketed/erase.wgsl.js";
import { kernel as find } from "../../bucketed/find.wgsl.js";
import { kernel as insert } from "../../bucketed/insert.wgsl.js";
import { kernel as insertReuse } from "../../bucketed/insert-reuse.wgsl.js";
import { kernel as fill } from "../../common/fill.wgsl.js";
import { partitionedKernels } from "../partitioned.js";
import { tableModule } from "../table.js";
import type { RecordableErasableTable, TableModule } from "../types.js";

/** Buckets of four pairs in 32 bytes, double hashing. With `reuse` insertions take the slots of erased keys again. */
export const bucketed: TableModule<RecordableErasableTable> = tableModule(
  type,
  [fill, erase, find, insert, insertReuse],
  partitionedKernels,
);
