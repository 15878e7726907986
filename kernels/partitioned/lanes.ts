/** Lanes of the workgroups that partition pairs and build parts of a table. */
import type { Capabilities } from "../device/gpu.js";

/** Lanes of a workgroup, where the device has workgroups so large, of so much memory: build.wgsl takes 23,616 bytes, counting some more. */
export const LANES = 512;
const LANES_BYTES = 2 ** 15;
const LEAST_LANES = 256;

/** Lanes of the workgroups. */
export function lanesOn({ limits }: Pick<Capabilities, "limits">): number {
  const { maxComputeInvocationsPerWorkgroup: most = 0, maxComputeWorkgroupStorageSize: bytes = 0 } = limits;
  return most >= LANES && bytes >= LANES_BYTES ? LANES : LEAST_LANES;
}
