/** How the kernels of GPH are compiled. */
import type { allocBanks } from "../common/banks.js";
import { inCache, variant } from "../common/steps.js";
import { groupsOf, tileConditions, type WarpConditions } from "../common/warp.js";
import { dispatch } from "../device/bind.js";
import type { Bindings, Kernel, Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import type { GphParams, Sizes } from "./parameters.js";

/** Words of pending bits that an insert group of the refinement takes. */
export const PENDING_WORDS = 32;

/** What a lane of the bucket requester loads at once. */
const VECTOR_BYTES = 16;

/** Without perfect hashing. */
const BUCKETS_OF_KEY = 2;

export interface Specification {
  readonly gpu: Owner;
  readonly sizes: Sizes;
  readonly params: GphParams;
  readonly seed: number;
  readonly counting: boolean;
  readonly banks: Pick<Awaited<ReturnType<typeof allocBanks>>, "conditions" | "constants">;
  /** The table's buffers, which kernels bind as far as they use them. */
  readonly bound: Readonly<Record<string, GPUBuffer>>;
}

/** A kernel whose lanes cooperate, and the lanes of its workgroups. */
export interface Compiled<Takes extends string = string> {
  readonly kernel: Kernel<Takes>;
  readonly groupLanes: number;
}

/** A step with a lane an item. */
export function laneStep<Takes extends string>(
  { kernel, groupLanes }: Compiled<Takes>,
  items: number,
  bindings: Bindings<NoInfer<Takes>>,
): Step {
  return dispatch(kernel, groupsOf(items, groupLanes), bindings);
}

/** What the kernels share, but for lanes. */
export function sourceOf({ sizes, params, seed, bound }: Specification, name: string) {
  return {
    file: `kernels/gph/${name}.wgsl`,
    sizes: { ...sizes, seed },
    fixed: inCache(sizes.buckets * bucketBytes(params)),
    bound,
  };
}

export function bucketBytes({ M, pairBytes }: GphParams): number {
  return M * pairBytes;
}

/**
 * A lane of a lookup group reads M / g slots, by the bucket requester in vectors of up to two (algorithm 1).
 * @param own Constants and conditions of this kernel alone.
 */
export function lookupKernel<const Takes extends string>(
  of: Specification,
  name: string,
  takes: readonly Takes[],
  own: {
    readonly constants?: Readonly<Record<string, number>>;
    readonly conditions?: Readonly<Record<string, boolean>>;
  } = {},
): Promise<Compiled<Takes>> {
  const { M, g, warp, requester, pairBytes } = of.params;
  const perLane = M / g;
  const vectors = Math.max(1, (perLane * pairBytes) / VECTOR_BYTES);
  const counts = [1, 2, 4, 8].map((count) => [`VECTORS_${count}`, requester && count === vectors] as const);
  const conditions = {
    REQUESTER: requester,
    SLOT_VECTORS: pairBytes === 8 && (!requester || perLane === 1),
    ...Object.fromEntries(counts),
    ...own.conditions,
  };
  const tiles = tileConditions(of.gpu.info, g, warp);
  return compile(of, name, g, { ...tiles, constants: { ...tiles.constants, ...own.constants } }, takes, conditions);
}

/** What insertions bind beside the table. */
const namesOf = ({ pairBytes }: GphParams) =>
  ["keys", "range", "pending", ...(pairBytes === 4 ? [] : ["values"])] as const;

export function fillKernel(of: Specification): Promise<Compiled> {
  const { h, warp } = of.params;
  return compile(of, "fill", h, tileConditions(of.gpu.info, h, warp), namesOf(of.params));
}

/** Its insert groups are workgroups. */
export function refineKernel(of: Specification): Promise<Compiled> {
  const { h } = of.params;
  const lanes = {
    conditions: { COOPERATIVE: true },
    constants: { GROUP_LANES: h, PENDING_WORDS },
    groupLanes: h,
  };
  return compile(of, "refine", h, lanes, namesOf(of.params));
}

async function compile<const Takes extends string>(
  of: Specification,
  name: string,
  tile: number,
  { conditions, constants, groupLanes }: WarpConditions,
  takes: readonly Takes[],
  own: Readonly<Record<string, boolean>> = {},
): Promise<Compiled<Takes>> {
  const { R, M, cellBits, perfect, pairBytes } = of.params;
  const source = {
    ...sourceOf(of, name),
    conditions: {
      ...of.banks.conditions,
      ...conditions,
      ...own,
      PERFECT: perfect,
      WIDE: pairBytes === 16,
      KEYS_ONLY: pairBytes === 4,
    },
    constants: {
      ...of.banks.constants,
      TILE: tile,
      R: perfect ? R : BUCKETS_OF_KEY,
      M,
      CELL_BITS: cellBits,
      ...constants,
    },
    takes,
  };
  return { kernel: await variant(of.gpu, source, of.counting), groupLanes };
}
