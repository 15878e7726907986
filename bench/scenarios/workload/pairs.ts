/** The pairs of a data set on the device. */
import { UsageError } from "../../../kernels/device/errors.js";
import type { Owner } from "../../../kernels/device/owned.js";
import type { Pairs } from "../../../kernels/table.js";
import { type DeviceKeys, partsOf } from "./keys.js";
import { writeValues } from "./workload.js";

export class DevicePairs {
  private constructor(
    private readonly gpu: Owner,
    /** The first part; all pairs of data in one part. */
    readonly all: Pairs,
    readonly parts: readonly Pairs[],
  ) {}

  /** Values are written by `renew`. Throws DoesNotFit. */
  static async make(gpu: Owner, data: DeviceKeys): Promise<DevicePairs> {
    const parts: Pairs[] = [];
    for (const { keys, n } of partsOf(data)) parts.push({ keys, values: await gpu.alloc(`${n} values`, n * 4), n });
    const [all] = parts;
    if (!all) throw new Error("a data set without keys");
    return new DevicePairs(gpu, all, parts);
  }

  /** Gives every key its value of this salt. */
  async renew(salt: number): Promise<void> {
    // At the same time: the parts are independent.
    await Promise.all(this.parts.map(({ keys, values, n }) => writeValues(this.gpu, keys, values, n, salt)));
  }
}

/** Throws a UsageError that begins with `why` if a key occurs twice. */
export function checkDifferent({ id, n, unique }: DeviceKeys, why: string): void {
  if (unique < n) throw new UsageError(`${why}; ${id} has ${n - unique} duplicates`);
}
