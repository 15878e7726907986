/** The further operations of a table that has upserts and exports, for its module of operations. */
import { further } from "../common/further.js";
import { exportOperations } from "./exports.js";
import { insertingKernels, insertOperations } from "./inserting.js";
import type { KernelFile } from "./link.js";
import type { Offer } from "./offers.js";
import { recordingParts } from "./recording.js";
import { rehashOperation } from "./rehash.js";
import { rowOperations } from "./rows.js";
import { shaderFunctions } from "./shader.js";

/** @param kernels of the table's own. @param functions of `device`. @param own operations that not all of them have */
export function upsertingParts(
  kernels: readonly KernelFile[],
  functions: Parameters<typeof shaderFunctions>[0],
  own: readonly Offer[] = [],
) {
  return {
    ...recordingParts,
    kernels: [...recordingParts.kernels, ...insertingKernels, ...kernels],
    offers: [
      ...recordingParts.offers,
      ...own,
      rowOperations,
      exportOperations,
      rehashOperation,
      shaderFunctions(functions),
      insertOperations,
    ],
    further,
    options: ["onFull"],
  };
}
