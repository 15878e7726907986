/** `webgpu-hash-table/bucketed-operations`: what bucketed has beside insertions, searches and erasures. */

import { $erase } from "../../bucketed/erase.wgsl.js";
import { $find } from "../../bucketed/find.wgsl.js";
import { $insert } from "../../bucketed/insert.wgsl.js";
import { $find as $locate } from "../../bucketed/locate.wgsl.js";
import { $find_or_insert, $upsert_add, $upsert_max, $upsert_min, kernel as rows } from "../../bucketed/upsert.wgsl.js";
import { kernel as exported } from "../../common/export.wgsl.js";
import { further } from "../../common/further.js";
import { exportOperations } from "../exports.js";
import { insertingKernels, insertOperations } from "../inserting.js";
import type { Added } from "../offers.js";
import { recordingParts } from "../recording.js";
import { rehashOperation } from "../rehash.js";
import { rowOperations } from "../rows.js";
import { shaderFunctions } from "../shader.js";
import type { Operations, WholeTable } from "../types.js";

const changing = { $find: $locate, $insert, $erase, $find_or_insert, $upsert_add, $upsert_max, $upsert_min };

/** For `bucketed.with(operations)`. */
export const operations = {
  of: ["bucketed"],
  ...recordingParts,
  kernels: [...recordingParts.kernels, ...insertingKernels, exported, rows],
  offers: [
    ...recordingParts.offers,
    rowOperations,
    exportOperations,
    rehashOperation,
    shaderFunctions({ reading: { $find }, changing }),
    insertOperations,
  ],
  further,
  options: ["onFull"],
} satisfies Added as Operations<WholeTable>;
