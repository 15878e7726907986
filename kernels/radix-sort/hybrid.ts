/** A sort of pairs with different keys on the device, most significant digits first. See README.md. */

import { fillStep, variant } from "../common/steps.js";
import { dispatch } from "../device/bind.js";
import { DoesNotFit, UsageError } from "../device/errors.js";
import type { Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import { LANES, lanesOn } from "../partitioned/lanes.js";
import {
  allocBins,
  binBytes,
  type Geometry,
  geometryOf,
  LANE_PAIRS,
  passesFor,
  summing,
} from "../partitioned/passes.js";
import type { PairBuffers } from "./sort.js";

/** Bins of a kernel, at least: what a few more cost is less than another kernel to compile. */
const LEAST_BINS = 64;

/** Mean m of the pairs of a part, so that m and six times its root are what a workgroup sorts. */
function mostPerPart(lanes: number): number {
  return (Math.sqrt(9 + LANE_PAIRS * lanes) - 3) ** 2;
}

/** More pairs are sorted in two passes, on every device. */
export const ONE_PASS_PAIRS = LANES * mostPerPart(LANES);

function geometryFor(n: number, lanes: number, perPart: number): Geometry {
  const parts = Math.max(1, Math.ceil(n / perPart));
  const { first, ...others } = geometryOf(parts, n / parts, lanes);
  return { ...others, first: { ...first, bins: Math.max(LEAST_BINS, first.bins) } };
}

/** Bytes of scratch for n pairs: bins of each pass, where workgroups have 512 lanes. */
export function hybridScratchBytes(n: number): number {
  return binBytes(geometryFor(n, LANES, mostPerPart(LANES))).reduce((all, bytes) => all + bytes, 0);
}

export interface HybridOptions {
  /** Make the steps of the counting variant. Default: no. */
  readonly counting?: boolean;
  /** For tests: pairs of a part, 1 to what a workgroup sorts. Default: that. */
  readonly perPart?: number;
}

/** Whether two passes do, and bins can be bound. */
export function takesHybrid({ info, maxBinding }: Pick<Owner, "info" | "maxBinding">, n: number): boolean {
  const lanes = lanesOn(info);
  const geometry = geometryFor(n, lanes, mostPerPart(lanes));
  return geometry.parts <= lanes ** 2 && Math.max(...binBytes(geometry)) <= maxBinding;
}

export type HybridSort = Awaited<ReturnType<typeof hybridSort>>;

/** A sorter for at most `capacity` pairs, whose bins are for so many. Throws DoesNotFit, for more than two passes too. */
export async function hybridSort(gpu: Owner, capacity: number, { counting = false, perPart }: HybridOptions = {}) {
  const lanes = lanesOn(gpu.info);
  const geometry = geometryFor(capacity, lanes, perPart ?? mostPerPart(lanes));
  const { parts, first, second } = geometry;
  if (parts > lanes ** 2)
    throw new DoesNotFit(`hybrid sort: ${capacity} pairs are ${parts} parts; two passes make ${lanes ** 2}`);
  const [passes, sortPart] = await Promise.all([
    passesFor(gpu, geometry, { sort: true, counting }),
    variant(
      gpu,
      {
        file: "kernels/radix-sort/sort-part.wgsl",
        ...summing(gpu.info, counting),
        takes: ["pairs", "bin_counts", "part_counts", "keys_out", "values_out", "plan", "status"],
      },
      counting,
    ),
  ]);
  const { counts } = passes;
  const clearing = await Promise.all([counts.first, counts.second].map((words) => fillStep(gpu, words, 0)));
  const bins = await allocBins(gpu, geometry);
  return {
    /** Most pairs that it sorts. */
    capacity,
    /**
     * Steps that put the first n pairs of `input` into `output`, ordered by key, unless the status says `failed`. If so, keys are equal, or
     * far from evenly spread, and what is in `output` is of no use. `input` is not altered, and not `output`. Pairs after the first n stay
     * as they are.
     */
    steps(input: PairBuffers, output: PairBuffers, n: number, status: GPUBuffer): Step[] {
      if (n > capacity) throw new UsageError(`hybrid sort: ${n} pairs; the scratch is for ${capacity}`);
      if (n === 0) return [];
      return [
        ...clearing,
        ...passes.steps({ ...input, n }, geometry, bins, { buckets: parts, seed: 0, shift: 0 }, { status }),
        dispatch(sortPart, parts, {
          pairs: bins.second,
          bin_counts: counts.first,
          part_counts: second ? counts.second : counts.first,
          keys_out: output.keys,
          values_out: output.values,
          plan: { parts, in_bin: (second ?? first).bins, size: (second ?? first).size },
          status,
        }),
      ];
    },
  };
}
