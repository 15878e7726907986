/** `webgpu-hash-table/stash-operations`: what stash has beside insertions, searches and erasures. */
import { kernel as mixed } from "../../stash/mixed.wgsl.js";
import { mixedOperations } from "../mixed.js";
import type { Added } from "../offers.js";
import { recordingParts } from "../recording.js";
import type { MixedTable, Operations, RecordableErasableTable } from "../types.js";

/** For `stash.with(operations)`. */
export const operations = {
  of: ["stash"],
  ...recordingParts,
  kernels: [...recordingParts.kernels, mixed],
  offers: [...recordingParts.offers, mixedOperations],
  promised: ["mixed"],
} satisfies Added as Operations<RecordableErasableTable & MixedTable>;
