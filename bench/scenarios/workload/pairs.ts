/** The pairs of a data set on the device. */
import { UsageError } from "../../../kernels/device/errors.js";
import type { Owner } from "../../../kernels/device/owned.js";
import type { Pairs } from "../../../kernels/table.js";
import { type DeviceKeys, partsOf } from "./keys.js";
import { writeValues } from "./workload.js";

export type DevicePairs = Awaited<ReturnType<typeof devicePairs>>;

/** Values are written by `renew`. Throws DoesNotFit. */
export async function devicePairs(gpu: Owner, data: DeviceKeys) {
  const parts: Pairs[] = [];
  for (const { keys, n } of partsOf(data)) parts.push({ keys, values: await gpu.alloc(`${n} values`, n * 4), n });
  const [all] = parts;
  if (!all) throw new Error("a data set without keys");
  return {
    /** The first part; all pairs of data in one part. */
    all,
    parts,
    /** Gives every key its value of this salt. At the same time: the parts are independent. */
    renew: (salt: number) => Promise.all(parts.map(({ keys, values, n }) => writeValues(gpu, keys, values, n, salt))),
  };
}

/** Throws a UsageError that begins with `why` if a key occurs twice. */
export function checkDifferent({ id, n, unique }: DeviceKeys, why: string): void {
  if (unique < n) throw new UsageError(`${why}; ${id} has ${n - unique} duplicates`);
}
