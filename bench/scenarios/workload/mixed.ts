/** Operations of several kinds on the device, with room for their answers. */
import type { Gpu } from "../../../kernels/device/gpu.js";
import type { Owner } from "../../../kernels/device/owned.js";
import { MIXED_KINDS, type MixedBatch, type MixedSlice } from "../../../kernels/table.js";
import { type Check, firstWrong, poison } from "./check.js";
import { digestOf } from "./keys.js";
import { writeValues } from "./workload.js";

export type MixedBuffers = Omit<MixedBatch, "slices">;

/** Room for so many operations. Throws DoesNotFit. */
export async function mixedBuffers(gpu: Owner, operations: number): Promise<MixedBuffers> {
  const words = (name: string) => gpu.alloc(`${operations} ${name}`, operations * 4);
  return {
    kinds: await words("kinds"),
    keys: await words("keys"),
    values: await words("values"),
    results: await words("results"),
  };
}

/** Deterministic in a seed. */
export abstract class DeviceMixed implements MixedBatch {
  readonly kinds: GPUBuffer;
  readonly keys: GPUBuffer;
  readonly values: GPUBuffer;
  readonly results: GPUBuffer;

  protected constructor(
    protected readonly gpu: Gpu,
    { kinds, keys, values, results }: MixedBuffers,
    readonly slices: readonly MixedSlice[],
    readonly operations: number,
  ) {
    this.kinds = kinds;
    this.keys = keys;
    this.values = values;
    this.results = results;
  }

  /** 64-bit digests of kinds and keys, hexadecimal. */
  async digest(): Promise<string> {
    const { gpu, kinds, keys, operations } = this;
    return (await digestOf(gpu, kinds, operations)) + (await digestOf(gpu, keys, operations));
  }

  /** Gives every key the value of this salt, and overwrites all results, so that an answer which is not written is seen. */
  async renew(salt: number): Promise<void> {
    const { gpu, keys, values, results, operations } = this;
    await Promise.all([writeValues(gpu, keys, values, operations, salt), poison(gpu, results)]);
  }

  /** Compares every answer. "" if all are right, else one line. */
  protected async compare(check: Check, nameOf: (kind: string) => string): Promise<string> {
    const { gpu, keys, results, operations } = this;
    const bound = { ...check.bound, asked: keys, answers: results };
    const found = await firstWrong(gpu, operations, { ...check, bound });
    if (!found) return "";
    const number = await found.wordOf(this.kinds);
    const kind = Object.entries(MIXED_KINDS).find((one) => one[1] === number)?.[0] ?? "operation";
    const answer = await found.answerIn(keys, results);
    return `${found.count} of ${operations} results are wrong, the first for operation ${found.first} (${nameOf(kind)} of ${answer})`;
  }
}
