/** Passes that partition pairs by the parts of a table, or of the order of keys (scatter.wgsl). See README.md. */

import { PAIR_BYTES, variant } from "../common/steps.js";
import { subgroupLanes } from "../common/warp.js";
import { dispatch } from "../device/bind.js";
import type { Capabilities, Kernel, Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import type { Pairs } from "../table.js";
import { lanesOn } from "./lanes.js";

/** Pairs of a lane, in a tile and in a part. */
export const LANE_PAIRS = 4;
const WORD = 4;

/** A pass: its kernel's bins, how many of them there are in all, and pairs that each holds. */
interface Pass {
  readonly bins: number;
  readonly outputs: number;
  readonly size: number;
}

/** Passes: the bins of the last one are the parts. */
export interface Geometry {
  readonly parts: number;
  readonly first: Pass;
  readonly second?: Pass;
}

/** Standard deviations of a bin's pairs, where keys are different, that it has room for beyond their mean. */
export const DEVIATIONS = 6;

/**
 * @param perPart pairs
 * @param lanes of a workgroup, and bins of a pass at most
 * @param room Deviations that bins have room for (default: DEVIATIONS), and pairs that a part has at most (default: those of a tile).
 */
export function geometryOf(
  parts: number,
  perPart: number,
  lanes: number,
  { deviations = DEVIATIONS, most = LANE_PAIRS * lanes } = {},
): Geometry {
  const roomFor = (mean: number, step: number) => Math.ceil((mean + deviations * Math.sqrt(mean)) / step) * step;
  const size = Math.min(most, roomFor(perPart, 16));
  const atLeast = (outputs: number) => 2 ** Math.ceil(Math.log2(outputs));
  if (parts <= lanes) return { parts, first: { bins: atLeast(parts), outputs: parts, size } };
  const bins = 2 ** Math.ceil(Math.log2(parts) / 2);
  const outputs = Math.ceil(parts / bins);
  return {
    parts,
    first: { bins: atLeast(outputs), outputs, size: roomFor(perPart * bins, LANE_PAIRS * lanes) },
    second: { bins, outputs: outputs * bins, size },
  };
}

const passesOf = ({ first, second }: Geometry) => [first, ...(second ? [second] : [])];

/** Bytes of the bins of each pass; or of what else they hold of a pair. */
export function binBytes(geometry: Geometry, perPair = PAIR_BYTES): number[] {
  return passesOf(geometry).map(({ outputs, size }) => outputs * size * perPair);
}

/** How to compile a kernel that adds up over its workgroup (sums.wgsl): by subgroups where their size is fixed. */
export function summing(info: Capabilities) {
  const lanes = lanesOn(info);
  const subgroup = subgroupLanes(info, lanes);
  return {
    constants: { LANES: lanes, ...(subgroup > 0 && { SUBGROUP: subgroup }) },
    conditions: { SUBGROUPS: subgroup > 0 },
  };
}

/** Something of each pass, such as the pairs by bin; of one pass the second is the first. */
export interface Bins {
  readonly first: GPUBuffer;
  readonly second: GPUBuffer;
}

/** @param perPair bytes Throws DoesNotFit. */
export async function allocBins(gpu: Owner, geometry: Geometry, perPair = PAIR_BYTES): Promise<Bins> {
  const made: GPUBuffer[] = [];
  for (const bytes of binBytes(geometry, perPair)) made.push(await gpu.alloc("pairs by part", bytes));
  const [first, second = first] = made;
  if (!first || !second) throw new Error("partitioned: no bins");
  return { first, second };
}

/** What a pass finds the bin of a pair by: floor(hash · buckets / 2^32), of which 2^shift make a part. */
export interface Places {
  readonly buckets: number;
  readonly seed: number;
  readonly shift: number;
}

/** Of `Plan` in parts.wgsl, what a kernel that does not move pairs from bin to bin leaves alone. */
export const NO_PLACES = { shift: 0, bins_in: 0, size_in: 0, tiles: 0, size_out: 0 };

export interface PassOptions {
  /** Hashes are the keys: condition SORT of scatter.wgsl. */
  readonly sort: boolean;
  /** Numbers of the pairs in the input go with them: condition STABLE. Default: no. */
  readonly stable?: boolean;
  /** No key and no value is reserved: condition ALL. Default: pairs with one are refused. */
  readonly all?: boolean;
  readonly counting: boolean;
}

/** The passes of that geometry, and of any other with the same bins. Throws DoesNotFit. */
export async function passesFor(gpu: Owner, geometry: Geometry, options: PassOptions) {
  const { sort, stable = false, all = false, counting } = options;
  const lanes = lanesOn(gpu.info);
  const tile = LANE_PAIRS * lanes;
  const summed = summing(gpu.info);
  const kernel = (isFirst: boolean, bins: number): Promise<Kernel> =>
    variant(
      gpu,
      {
        file: "kernels/partitioned/scatter.wgsl",
        constants: { ...summed.constants, BINS: bins },
        conditions: { ...summed.conditions, FIRST: isFirst, SORT: sort, STABLE: stable, ALL: all },
        takes: [
          ...(isFirst ? ["keys", "values"] : ["pairs_in", "counts_in"]),
          ...["pairs_out", "cursors", "plan", "status"],
          ...(sort ? [] : ["list"]),
          ...(stable ? [...(isFirst ? [] : ["numbers_in"]), "numbers_out"] : []),
        ],
      },
      counting,
    );
  const [toFirst, toSecond] = await Promise.all([
    kernel(true, geometry.first.bins),
    geometry.second ? kernel(false, geometry.second.bins) : undefined,
  ]);
  const counts: Bins = {
    first: await gpu.alloc("counts of the first pass", lanes * WORD),
    second: await gpu.alloc("counts of parts", Math.max(geometry.parts, geometry.second?.outputs ?? 0) * WORD),
  };
  return {
    /** Counts of the bins of each pass; the steps want them zero. Of one pass the second has the parts nevertheless, unused. */
    counts,
    /**
     * One or two steps, after which the pairs are in the bins of the last pass. Pairs that no bin has room for are counted in the status, as
     * `left`, and go to the list; a sort has none, and says `failed`.
     * @param numbers of the pairs in those bins, where they go with them
     */
    steps(
      { keys, values, n }: Pairs,
      { first, second }: Geometry,
      bins: Bins,
      { buckets, seed, shift }: Places,
      left: { readonly list?: GPUBuffer; readonly status: GPUBuffer },
      numbers?: Bins,
    ): Step[] {
      const shared = { ...NO_PLACES, pairs: n, buckets, seed };
      const firstShift = second ? shift + Math.log2(second.bins) : shift;
      const steps: Step[] = [
        dispatch(toFirst, Math.max(1, Math.ceil(n / tile)), {
          keys,
          values,
          pairs_out: bins.first,
          cursors: counts.first,
          plan: { ...shared, shift: firstShift, size_out: first.size },
          ...left,
          ...(numbers && { numbers_out: numbers.first }),
        }),
      ];
      if (second && toSecond) {
        const tiles = first.size / tile;
        const within = { bins_in: first.outputs, size_in: first.size, tiles, size_out: second.size };
        steps.push(
          dispatch(toSecond, first.outputs * tiles, {
            pairs_in: bins.first,
            counts_in: counts.first,
            pairs_out: bins.second,
            cursors: counts.second,
            plan: { ...shared, shift, ...within },
            ...left,
            ...(numbers && { numbers_in: numbers.first, numbers_out: numbers.second }),
          }),
        );
      }
      return steps;
    },
  };
}
