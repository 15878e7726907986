/** A sort of pairs on the device, most significant digits first; stable if asked for, else of different keys. See README.md. */

import { fillStep, PAIR_BYTES, variant } from "../common/steps.js";
import { dispatch } from "../device/bind.js";
import { DoesNotFit, UsageError } from "../device/errors.js";
import type { Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import { LANES, lanesOn } from "../partitioned/lanes.js";
import {
  allocBins,
  binBytes,
  DEVIATIONS,
  type Geometry,
  geometryOf,
  LANE_PAIRS,
  passesFor,
  summing,
} from "../partitioned/passes.js";
import type { PairBuffers } from "./sort.js";

/** Bins of a kernel, at least: what a few more cost is less than another kernel to compile. */
const LEAST_BINS = 64;

/** Of keys that come up to four times each, the deviation is up to twice as large. */
const deviationsOf = (stable: boolean) => (stable ? 2 : 1) * DEVIATIONS;

/** Mean m of the pairs of a part, so that m and so many times its root are what a workgroup sorts. */
function mostPerPart(lanes: number, stable: boolean): number {
  const half = deviationsOf(stable) / 2;
  return (Math.sqrt(half ** 2 + LANE_PAIRS * lanes) - half) ** 2;
}

/** More pairs are sorted in two passes, on every device. */
export function onePassPairs(stable: boolean): number {
  return LANES * mostPerPart(LANES, stable);
}

function geometryFor(n: number, lanes: number, stable: boolean, perPart = mostPerPart(lanes, stable)): Geometry {
  const parts = Math.max(1, Math.ceil(n / perPart));
  const { first, ...others } = geometryOf(parts, n / parts, lanes, { deviations: deviationsOf(stable) });
  return { ...others, first: { ...first, bins: Math.max(LEAST_BINS, first.bins) } };
}

const NUMBER_BYTES = 4;

/** Bytes of scratch for n pairs: bins of each pass, where workgroups have 512 lanes. */
export function hybridScratchBytes(n: number, stable = false): number {
  const perPair = PAIR_BYTES + (stable ? NUMBER_BYTES : 0);
  return binBytes(geometryFor(n, LANES, stable), perPair).reduce((all, bytes) => all + bytes, 0);
}

export interface HybridOptions {
  /** Equal keys keep their order, and do not make it give up where there are few of each. Default: no. */
  readonly stable?: boolean;
  /** Make the steps of the counting variant. Default: no. */
  readonly counting?: boolean;
  /** For tests: pairs of a part, 1 to what a workgroup sorts. Default: that. */
  readonly perPart?: number;
}

/** Whether two passes do, and bins can be bound. */
export function takesHybrid(
  { info, maxBinding }: Pick<Owner, "info" | "maxBinding">,
  n: number,
  stable = false,
): boolean {
  const lanes = lanesOn(info);
  const geometry = geometryFor(n, lanes, stable);
  return geometry.parts <= lanes ** 2 && Math.max(...binBytes(geometry)) <= maxBinding;
}

export type HybridSort = Awaited<ReturnType<typeof hybridSort>>;

/** A sorter for at most `capacity` pairs, whose bins are for so many. Throws DoesNotFit, for more than two passes too. */
export async function hybridSort(
  gpu: Owner,
  capacity: number,
  { stable = false, counting = false, perPart }: HybridOptions = {},
) {
  const lanes = lanesOn(gpu.info);
  const summed = summing(gpu.info);
  const geometry = geometryFor(capacity, lanes, stable, perPart);
  const { parts, first, second } = geometry;
  if (parts > lanes ** 2)
    throw new DoesNotFit(`hybrid sort: ${capacity} pairs are ${parts} parts; two passes make ${lanes ** 2}`);
  const [passes, sortPart] = await Promise.all([
    passesFor(gpu, geometry, { sort: true, stable, counting }),
    variant(
      gpu,
      {
        file: "kernels/radix-sort/sort-part.wgsl",
        constants: summed.constants,
        conditions: { ...summed.conditions, STABLE: stable },
        takes: [
          ...["pairs", "bin_counts", "part_counts", "keys_out", "values_out", "plan", "status"],
          ...(stable ? ["numbers_in"] : []),
        ],
      },
      counting,
    ),
  ]);
  const { counts } = passes;
  const clearing = await Promise.all([counts.first, counts.second].map((words) => fillStep(gpu, words, 0)));
  const bins = await allocBins(gpu, geometry);
  const numbers = stable ? await allocBins(gpu, geometry, NUMBER_BYTES) : undefined;
  return {
    /** Most pairs that it sorts. */
    capacity,
    /**
     * Steps that put the first n pairs of `input` into `output`, ordered by key, unless the status says `failed`. If so, keys are far from
     * evenly spread or, but of a stable sort, equal, and what is in `output` is of no use. `input` is not altered, and not `output`. Pairs
     * after the first n stay as they are. A pair whose value is EMPTY gets that key too, and so goes to the end.
     */
    steps(input: PairBuffers, output: PairBuffers, n: number, status: GPUBuffer): Step[] {
      if (n > capacity) throw new UsageError(`hybrid sort: ${n} pairs; the scratch is for ${capacity}`);
      if (n === 0) return [];
      return [
        ...clearing,
        ...passes.steps({ ...input, n }, geometry, bins, { buckets: parts, seed: 0, shift: 0 }, { status }, numbers),
        dispatch(sortPart, parts, {
          pairs: bins.second,
          bin_counts: counts.first,
          part_counts: second ? counts.second : counts.first,
          keys_out: output.keys,
          values_out: output.values,
          plan: { parts, in_bin: (second ?? first).bins, size: (second ?? first).size },
          status,
          ...(numbers && { numbers_in: numbers.second }),
        }),
      ];
    },
  };
}
