import type { Gpu } from "../../bench/gpu/gpu.js";
import type { Scalar } from "../../bench/model.js";
export function warpConditions(gpu: Gpu, width: number, want: Scalar) {
  const real = want !== "virtual" && gpu.info.subgroupMin >= width && gpu.info.subgroupMin === gpu.info.subgroupMax;
  return { conditions: { SUBGROUPS: real }, constants: { WARP: width }, groupLanes: real ? 256 : width };
}
