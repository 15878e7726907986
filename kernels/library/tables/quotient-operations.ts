/** `webgpu-hash-table/quotient-operations`: what quotient has beside insertions, searches and erasures. */
import { further } from "../../common/further.js";
import { $erase } from "../../quotient/erase.wgsl.js";
import { kernel as exported } from "../../quotient/export.wgsl.js";
import { $find } from "../../quotient/find.wgsl.js";
import { $insert } from "../../quotient/insert.wgsl.js";
import { $find as $locate } from "../../quotient/locate.wgsl.js";
import { kernel as mixed } from "../../quotient/mixed.wgsl.js";
import { $find_or_insert, $upsert_add, $upsert_max, $upsert_min, kernel as rows } from "../../quotient/upsert.wgsl.js";
import { exportOperations } from "../exports.js";
import { insertingKernels, insertOperations } from "../inserting.js";
import { mixedOperations } from "../mixed.js";
import type { Added } from "../offers.js";
import { recordingParts } from "../recording.js";
import { rehashOperation } from "../rehash.js";
import { rowOperations } from "../rows.js";
import { shaderFunctions } from "../shader.js";
import type { MixedTable, Operations, WholeTable } from "../types.js";

const changing = { $find: $locate, $insert, $erase, $find_or_insert, $upsert_add, $upsert_max, $upsert_min };

/** For `quotient.with(operations)`. */
export const operations = {
  of: ["quotient"],
  ...recordingParts,
  kernels: [...recordingParts.kernels, ...insertingKernels, exported, mixed, rows],
  offers: [
    ...recordingParts.offers,
    mixedOperations,
    rowOperations,
    exportOperations,
    rehashOperation,
    shaderFunctions({ reading: { $find }, changing }),
    insertOperations,
  ],
  promised: ["mixed"],
  further,
  options: ["onFull"],
} satisfies Added as Operations<WholeTable & MixedTable>;
