/** Collaborating lanes (clStash) on the host's side: which kernel, how many pairs a warp, and from which occupancy on. */

import { warpConditions } from "../common/warp.js";
import type { Gpu } from "../device/gpu.js";
import type { Params } from "../table.js";

/** How pairs are inserted: one lane a pair, by collaborating lanes, or by the one until `threshold` and by the other after. */
export type Insertion = "stash" | "clstash" | "stash-hybrid";

/**
 * Occupancy from which on collaborating lanes insert faster on an H200, by ticket size. Found as in stadium/fig13, but in ten
 * chunks of 10 M pairs of 8 and of 16 bytes: a fiftieth of 2^26 pairs is five pairs a lane that the GPU holds, too few.
 */
const HYBRID_THRESHOLDS: Readonly<Record<number, number>> = { 1: 0.75, 2: 1, 4: 0, 8: 0 };

/** Collaborating lanes: how their kernel is compiled, and the occupancy from which on they insert. */
export interface Lanes {
  readonly conditions: Readonly<Record<string, boolean>>;
  readonly constants: Readonly<Record<string, number>>;
  readonly groupLanes: number;
  readonly threshold: number;
  /** Pairs a lane fetches; 0 if the number of pairs decides. */
  readonly batches: number;
}

/** Throws a UsageError if the device has no such warps. */
export function lanesOf(gpu: Gpu, insertion: Insertion, { ticket, threshold, batches, lanes, warp }: Params): Lanes {
  const usual = HYBRID_THRESHOLDS[Number(ticket)] ?? 1;
  return {
    ...warpConditions(gpu.info, Number(lanes), warp),
    threshold: insertion === "clstash" ? 0 : typeof threshold === "number" ? threshold : usual,
    batches: Number(batches),
  };
}

/** Lanes for which there is to be work, as far as there are pairs: as many as the largest GPUs have at a time, twice. */
const ENOUGH_LANES = 2 ** 19;
/** Fewer pairs a lane than this leave a warp mostly at its end, where its store runs empty. */
const FEWEST_BATCHES = 4;

/** How lanes insert n pairs, warps going on until the input ends: specialisation of their kernel, and the pairs a workgroup takes. */
export function lanesFor({ conditions, constants, groupLanes, batches }: Lanes, n: number) {
  const balanced = 2 ** Math.round(Math.log2(Math.max(1, n / ENOUGH_LANES)));
  const chosen = batches || Math.max(FEWEST_BATCHES, balanced);
  return { conditions, constants: { ...constants, BATCHES: chosen }, pairsPerGroup: groupLanes * chosen };
}
