/** Collaborating lanes (clStash) on the host's side: which kernel, how many pairs a warp, and from which occupancy on. */

import { GROUP_LANES, warpConditions } from "../common/warp.js";
import type { Gpu } from "../device/gpu.js";
import type { StashParams } from "./parameters.js";

/** How pairs are inserted: one lane a pair, by collaborating lanes, or by the one until `threshold` and by the other after. */
export type Insertion = "stash" | "clstash" | "stash-hybrid";

/** Bits of a ticket. */
type Ticket = StashParams["ticket"];
/** By bytes of a pair, then by ticket size. */
export type Thresholds = Readonly<Record<number, Readonly<Record<Ticket, number>>>>;

/**
 * Occupancy from which on lanes collaborate: scripts/thresholds.ts from rows of stadium/fig13 and stadium/thresholds of an H200.
 * 1 is never, 0 always.
 */
const HYBRID_THRESHOLDS: Thresholds = {
  16: { 1: 0.59, 2: 1, 4: 0, 8: 0 },
};

/** Of the size among `measured` that is nearest to `pairBytes` by their quotient; of two as near, the smaller. */
export function hybridThreshold(ticket: Ticket, pairBytes: number, measured: Thresholds = HYBRID_THRESHOLDS): number {
  const distance = (bytes: number) => Math.abs(Math.log(bytes / pairBytes));
  const sizes = Object.keys(measured).map(Number);
  const nearest = sizes.reduce((best, bytes) => (distance(bytes) < distance(best) ? bytes : best));
  return measured[nearest]?.[ticket] ?? 1;
}

/** Collaborating lanes: how their kernel is compiled, and the occupancy from which on they insert. */
export interface Lanes {
  readonly conditions: Readonly<Record<string, boolean>>;
  readonly constants: Readonly<Record<string, number>>;
  readonly groupLanes: number;
  readonly threshold: number;
  /** Fresh pairs a lane takes; 0 if the number of pairs decides. */
  readonly batches: number;
}

/** Throws a UsageError if the device has no such warps. */
export function lanesOf(gpu: Gpu, insertion: Insertion, params: StashParams): Lanes {
  const { ticket, keyBytes, valueBytes, threshold, batches, lanes, warp, rehash } = params;
  const usual = threshold === "by ticket" ? hybridThreshold(ticket, keyBytes + valueBytes) : threshold;
  const { conditions, ...warps } = warpConditions(gpu.info, lanes, warp, groupLanesOf(gpu.info.limits, params));
  return {
    ...warps,
    conditions: { ...conditions, REHASH: rehash },
    threshold: insertion === "clstash" ? 0 : usual,
    batches,
  };
}

/** Of n pairs to insert into a table that has `pairs` in `slots`, how many come before the threshold. */
export function pairsAlone(lanes: Lanes | null, slots: number, pairs: number, n: number): number {
  return lanes ? Math.min(n, Math.max(0, Math.floor(lanes.threshold * slots) - pairs)) : n;
}

/** What else lies in a workgroup's memory, of counting variants too: 1.6 KB. */
const OTHER_BYTES = 2 ** 11;

/** Lanes a workgroup: as many as have room for their part of the store, STRIDE words each (store.wgsl). */
function groupLanesOf(limits: Readonly<Record<string, number>>, { keyBytes, valueBytes }: StashParams): number {
  const { maxComputeWorkgroupStorageSize: most = 2 ** 14 } = limits;
  // Slot, step, tries and the pair; with the marks of a wide one, made odd: one or two more.
  const bytes = 4 * (3 + 2) + keyBytes + valueBytes;
  let lanes = GROUP_LANES;
  while (lanes * bytes + OTHER_BYTES > most) lanes /= 2;
  return lanes;
}

/** Lanes for which there is to be work, as far as there are pairs: as many as the largest GPUs have at a time, twice. */
const ENOUGH_LANES = 2 ** 19;
/** Fewer pairs a lane than this leave a warp mostly at its end, where its store runs empty. */
const FEWEST_BATCHES = 4;

/** How lanes insert n pairs: specialisation of their kernel, and pairs a workgroup: more workgroups do not begin. */
export function lanesFor({ conditions, constants, groupLanes, batches }: Lanes, n: number) {
  const chosen = batches || Math.max(FEWEST_BATCHES, n / ENOUGH_LANES);
  return { conditions, constants, pairsPerGroup: groupLanes * chosen };
}
