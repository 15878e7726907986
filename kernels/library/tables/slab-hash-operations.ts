/** `webgpu-hash-table/slab-hash-operations`: what slab-hash has beside insertions, searches and erasures. */
import { kernel as flush } from "../../slab-hash/flush.wgsl.js";
import { flushOperation } from "../flush.js";
import { mixedOperations } from "../mixed.js";
import { multimapOperations } from "../multimap.js";
import type { Added } from "../offers.js";
import { recordingParts } from "../recording.js";
import type { FlushableTable, MixedTable, MultimapTable, Operations, RecordableErasableTable } from "../types.js";

/** For `slabHash.with(operations)`. */
export const operations = {
  of: ["slab-hash"],
  ...recordingParts,
  kernels: [...recordingParts.kernels, flush],
  offers: [...recordingParts.offers, mixedOperations, multimapOperations, flushOperation],
  promised: ["mixed", "flush"],
} satisfies Added as Operations<RecordableErasableTable & MixedTable & FlushableTable & Partial<MultimapTable>>;
