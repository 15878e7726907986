/** Insertions that are recorded, of tables that mark pairs without a slot by bits. */
import type { Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import { step } from "./bulk.js";

/** Bits for so many pairs, all clear, and the step that ends an insertion: pairs whose bit is set are refused. Throws DoesNotFit. */
export async function refusing(
  gpu: Owner,
  status: GPUBuffer,
  pairs: number,
): Promise<{ readonly pending: GPUBuffer; readonly refuse: Step }> {
  const pending = await gpu.alloc("pending pairs", Math.ceil(pairs / 32) * 4);
  const kernel = await gpu.kernel({ file: "kernels/common/refuse.wgsl", bound: { status }, takes: ["pending"] });
  return { pending, refuse: step(kernel, pending.size / 4, { pending }) };
}
