/** A sort of pairs with different keys on the device, most significant digits first. See README.md. */

import { fillStep, variant } from "../common/steps.js";
import { dispatch } from "../device/bind.js";
import { DoesNotFit, UsageError } from "../device/errors.js";
import type { Kernel, Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import { LANES, lanesOn } from "../partitioned/lanes.js";
import {
  allocBins,
  type Bins,
  binBytes,
  type Geometry,
  geometryOf,
  LANE_PAIRS,
  Passes,
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

export class HybridSort {
  private constructor(
    /** Most pairs that it sorts. */
    readonly capacity: number,
    private readonly geometry: Geometry,
    private readonly passes: Passes,
    private readonly sortPart: Kernel,
    private readonly clearing: readonly Step[],
    private readonly bins: Bins,
  ) {}

  /** Whether two passes do, and bins can be bound. */
  static takes({ info, maxBinding }: Pick<Owner, "info" | "maxBinding">, n: number): boolean {
    const lanes = lanesOn(info);
    const geometry = geometryFor(n, lanes, mostPerPart(lanes));
    return geometry.parts <= lanes ** 2 && Math.max(...binBytes(geometry)) <= maxBinding;
  }

  /** A sorter for at most `capacity` pairs, whose bins are for so many. Throws DoesNotFit, for more than two passes too. */
  static async make(
    gpu: Owner,
    capacity: number,
    { counting = false, perPart }: HybridOptions = {},
  ): Promise<HybridSort> {
    const lanes = lanesOn(gpu.info);
    const geometry = geometryFor(capacity, lanes, perPart ?? mostPerPart(lanes));
    if (geometry.parts > lanes ** 2)
      throw new DoesNotFit(`hybrid sort: ${capacity} pairs are ${geometry.parts} parts; two passes make ${lanes ** 2}`);
    const [passes, sortPart] = await Promise.all([
      Passes.make(gpu, geometry, { sort: true, counting }),
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
    const { first, second } = passes.counts;
    const clearing = await Promise.all([first, second].map((counts) => fillStep(gpu, counts, 0)));
    return new HybridSort(capacity, geometry, passes, sortPart, clearing, await allocBins(gpu, geometry));
  }

  /**
   * Steps that put the first n pairs of `input` into `output`, ordered by key, unless the status says `failed`. If so, keys are equal, or far from evenly spread, and what is in `output` is of no use. `input` is not altered,
   * and not `output`. Pairs after the first n stay as they are.
   */
  steps(input: PairBuffers, output: PairBuffers, n: number, status: GPUBuffer): Step[] {
    if (n > this.capacity) throw new UsageError(`hybrid sort: ${n} pairs; the scratch is for ${this.capacity}`);
    if (n === 0) return [];
    const { geometry, passes, bins } = this;
    const { parts, first, second } = geometry;
    const { counts } = passes;
    const places = { buckets: parts, seed: 0, shift: 0 };
    return [
      ...this.clearing,
      ...passes.steps({ ...input, n }, geometry, bins, places, { status }),
      dispatch(this.sortPart, parts, {
        pairs: bins.second,
        bin_counts: counts.first,
        part_counts: second ? counts.second : counts.first,
        keys_out: output.keys,
        values_out: output.values,
        plan: { parts, in_bin: (second ?? first).bins, size: (second ?? first).size },
        status,
      }),
    ];
  }
}
