/** `webgpu-hash-table/warpcore-operations`: what warpcore and warpdrive have beside insertions, searches and erasures. */
import { kernel as exported } from "../../common/export.wgsl.js";
import { further } from "../../common/further.js";
import { exportOperations } from "../exports.js";
import { againKernel } from "../growing.js";
import { insertOperations } from "../inserting.js";
import type { Added } from "../offers.js";
import { recordingParts } from "../recording.js";
import { rehashOperation } from "../rehash.js";
import type { ExportableTable, Operations, RecordableErasableTable } from "../types.js";

/** For `warpcore.with(operations)`. */
export const operations = {
  of: ["warpcore", "warpdrive"],
  ...recordingParts,
  kernels: [...recordingParts.kernels, againKernel, exported],
  offers: [...recordingParts.offers, exportOperations, rehashOperation, insertOperations],
  further,
  options: ["onFull"],
} satisfies Added as Operations<RecordableErasableTable & ExportableTable>;
