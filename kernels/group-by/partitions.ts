/** Rows of one column in partitions, and the workgroups that add a partition up each (bins.wgsl). */
import { fillStep, PAIR_BYTES } from "../common/steps.js";
import { dispatch } from "../device/bind.js";
import type { Kernel, Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import { lanesOn } from "../partitioned/lanes.js";
import { allocBins, binBytes, DEVIATIONS, type Geometry, geometryOf, passesFor } from "../partitioned/passes.js";
import type { Pairs } from "../table.js";

/** Share of the slots of a part's table that its groups take on average; more is not faster (results/studies/group-by.md). */
const PART_LOAD = 0.5;
/** Fewer rows do not make a part of their own. */
const LEAST_ROWS = 256;

export interface PartPlan {
  readonly n: number;
  readonly parts: number;
  readonly geometry: Geometry;
  /** Whether bins have the room that `even` asks for. */
  readonly roomy: boolean;
}

/** Parts that n rows of so many groups are divided into. */
export function partsFor(
  { info }: Pick<Owner, "info">,
  { n, groups, slots }: { readonly n: number; readonly groups: number; readonly slots: number },
): number {
  const wanted = Math.max(Math.min(lanesOn(info), n / LEAST_ROWS), groups / (PART_LOAD * slots));
  return Math.max(2, Math.ceil(wanted));
}

/**
 * Partitions of n rows of so many groups; null if there would be too many, or more in a buffer than can be bound.
 * @param even groups by which the rows of parts vary, if there is memory for that: fewer than may be expected
 */
export function partPlan(
  gpu: Pick<Owner, "info" | "maxBinding">,
  {
    n,
    groups,
    even,
    slots,
  }: {
    readonly n: number;
    readonly groups: number;
    readonly even: number;
    readonly slots: number;
  },
): PartPlan | null {
  const lanes = lanesOn(gpu.info);
  const parts = partsFor(gpu, { n, groups, slots });
  if (parts > lanes ** 2) return null;
  for (const varying of [even, groups]) {
    // Beside the rows of a group, the groups of a part vary.
    const deviations = DEVIATIONS * Math.sqrt(1 + n / varying);
    const geometry = geometryOf(parts, n / parts, lanes, { deviations, most: 16 * Math.ceil(n / 16) });
    if (Math.max(n * PAIR_BYTES, ...binBytes(geometry)) <= gpu.maxBinding)
      return { n, parts, geometry, roomy: varying === even };
  }
  return null;
}

/** Memory and kernels of partitioned rows of that plan, or of fewer. */
export async function makePartitions(gpu: Owner, { n, parts, geometry }: PartPlan) {
  const passes = await passesFor(gpu, geometry, { sort: false, all: true, counting: false });
  const { counts } = passes;
  const clearing = await Promise.all([counts.first, counts.second].map((words) => fillStep(gpu, words, 0)));
  const bins = await allocBins(gpu, geometry);
  const { first, second } = geometry;
  return {
    /** Rows that no bin or no table in workgroup memory has room for, as pairs of hash and value; read by fours. */
    list: await gpu.alloc("rows left over", 4 * Math.ceil(n / 4) * PAIR_BYTES),
    /** Steps that partition the rows: `list` and the status say what they left. */
    scatter(pairs: Pairs, seed: number, left: { list: GPUBuffer; status: GPUBuffer }): Step[] {
      return [...clearing, ...passes.steps(pairs, geometry, bins, { buckets: parts, seed, shift: 0 }, left)];
    },
    /** What bins.wgsl knows the bins of the first pass by. */
    before: { before_plan: { size: first.size, bins: second?.bins ?? 1 }, before_counts: counts.first },
    /** The step of a kernel of bins. */
    add(kernel: Kernel, bindings: Parameters<typeof dispatch>[2]): Step {
      const { size } = second ?? first;
      return dispatch(kernel, parts, {
        ...bindings,
        bin_plan: { bins: parts, size },
        pairs: bins.second,
        counts: second ? counts.second : counts.first,
      });
    },
  };
}
