/** `webgpu-hash-table/warpcore-operations`: what warpcore and warpdrive have beside insertions, searches and erasures. */
import { kernel as exported } from "../../common/export.wgsl.js";
import { further } from "../../common/further.js";
import { exportOperations } from "../exports.js";
import { againKernel, growOperations } from "../growing.js";
import type { Added } from "../offers.js";
import { recordingParts } from "../recording.js";
import { rehashOperation } from "../rehash.js";
import type { ExportableTable, Operations, RecordableErasableTable } from "../types.js";

/** For `warpcore.with(operations)`. */
export const operations = {
  of: ["warpcore", "warpdrive"],
  ...recordingParts,
  kernels: [...recordingParts.kernels, againKernel, exported],
  offers: [...recordingParts.offers, exportOperations, rehashOperation, growOperations],
  further,
  options: ["onFull"],
} satisfies Added as Operations<RecordableErasableTable & ExportableTable>;
