/** Room for operations of several kinds on the device, and for their answers. */
import type { Owner } from "../../../kernels/device/owned.js";
import type { MixedBatch } from "../../../kernels/table.js";

export type MixedBuffers = Omit<MixedBatch, "slices">;

/** Buffers for that number of operations. Throws DoesNotFit. */
export async function mixedBuffers(gpu: Owner, operations: number): Promise<MixedBuffers> {
  const words = (name: string) => gpu.alloc(`${operations} ${name}`, operations * 4);
  return {
    kinds: await words("kinds"),
    keys: await words("keys"),
    values: await words("values"),
    results: await words("results"),
  };
}
