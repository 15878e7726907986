import type { Capabilities } from "./gpu.js";

/**
 * Lanes of a device's subgroups, as Capabilities has them: 0 where it has none. Firefox tells the driver's sizes, but has no
 * subgroups in WGSL.
 */
export function subgroupSizes(
  features: Iterable<string>,
  { subgroupMinSize = 0, subgroupMaxSize = 0 }: Partial<GPUAdapterInfo>,
): Pick<Capabilities, "subgroupMin" | "subgroupMax"> {
  const has = [...features].includes("subgroups");
  return { subgroupMin: has ? subgroupMinSize : 0, subgroupMax: has ? subgroupMaxSize : 0 };
}
