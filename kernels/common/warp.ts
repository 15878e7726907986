/** Which implementation of kernels/common/warp.wgsl an adapter gets. */
import { UsageError } from "../device/errors.js";
import type { Capabilities } from "../device/gpu.js";
import type { Scalar } from "../table.js";

/** What a warp is made of: real subgroups or a workgroup; `auto` takes subgroups where the adapter has them. */
export const WARP_KINDS = ["auto", "subgroups", "virtual"] as const;

export interface WarpConditions {
  readonly conditions: Readonly<Record<string, boolean>>;
  readonly constants: Readonly<Record<string, number>>;
  /** Lanes a workgroup has. */
  readonly groupLanes: number;
}

export const GROUP_LANES = 256;

type Subgroups = Pick<Capabilities, "subgroupMin" | "subgroupMax" | "features">;

/**
 * Lanes of the subgroups that kernels with workgroups of `groupLanes` may count on; 0 if there are none. Their size has to be
 * fixed: where a driver may choose it, nothing would say which lanes share one.
 */
export function subgroupLanes({ subgroupMin: size, subgroupMax, features }: Subgroups, groupLanes: number): number {
  return features.includes("subgroups") && size === subgroupMax && groupLanes % size === 0 ? size : 0;
}

/**
 * How to compile a kernel whose warps have `width` lanes (1 to 32, a power of two). Subgroups serve if they are no smaller. Of
 * subgroups, a workgroup has `groupLanes`. Throws a UsageError if subgroups are asked for and the adapter has none of that width.
 */
export function warpConditions(
  info: Subgroups,
  width: number,
  want: Scalar = "auto",
  groupLanes = GROUP_LANES,
): WarpConditions {
  const size = subgroupLanes(info, groupLanes);
  const real = size >= width;
  if (want === "subgroups" && !real) {
    const { subgroupMin, subgroupMax, features } = info;
    const has = features.includes("subgroups") ? `subgroups of ${subgroupMin} to ${subgroupMax} lanes` : "no subgroups";
    throw new UsageError(`warp is subgroups, of ${width} lanes; the adapter has ${has}`);
  }
  if (want === "virtual" || !real)
    return {
      conditions: { SUBGROUPS: false, COOPERATIVE: true },
      constants: { WARP: width, GROUP_LANES: width },
      groupLanes: width,
    };
  const constants = { WARP: width, SUBGROUP: size, WARP_GROUP: groupLanes, GROUP_LANES: groupLanes };
  return { conditions: { SUBGROUPS: true, COOPERATIVE: true }, constants, groupLanes };
}

/**
 * How to compile a kernel whose tiles have `tile` lanes: subgroups that hold one serve as warps, whatever their width; a
 * virtual warp has the papers' 32 lanes.
 */
export function tileConditions(info: Subgroups, tile: number, want: Scalar = "auto"): WarpConditions {
  const own = Math.min(32, info.subgroupMin);
  return warpConditions(info, own >= tile && want !== "virtual" ? own : 32, want);
}

/** Workgroups of so many lanes for one lane an item. */
export function groupsOf(items: number, lanes: number): number {
  return Math.max(1, Math.ceil(items / lanes));
}
