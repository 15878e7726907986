/** How the kernels of GPH are compiled. */
import { inCache, variant } from "../common/steps.js";
import { tileConditions, type WarpConditions } from "../common/warp.js";
import type { Gpu, Kernel } from "../device/gpu.js";
import type { TableOptions } from "../table.js";

/** Words of pending bits that an insert group takes: PENDING_WORDS of refine.wgsl. */
export const PENDING_WORDS = 32;

export interface Sizes {
  readonly buckets: number;
  readonly cells: number;
}

export interface Specification {
  readonly gpu: Gpu;
  readonly sizes: Sizes;
  readonly options: TableOptions;
  /** Of the buckets. */
  readonly bytes: number;
}

/** A kernel whose lanes cooperate, and the lanes of its workgroups. */
export interface Compiled {
  readonly kernel: Kernel;
  readonly groupLanes: number;
}

/** The lookup kernel: a lane of the group reads M / g slots, in vectors of up to two (algorithm 1). */
export function findKernel(of: Specification): Promise<Compiled> {
  const { M, g, warp } = of.options.params;
  const perLane = Number(M) / Number(g);
  const vectors = Math.max(1, perLane / 2);
  const counts = [1, 2, 4, 8].map((count) => [`VECTORS_${count}`, count === vectors] as const);
  const conditions = { SLOT_VECTORS: perLane === 1, ...Object.fromEntries(counts) };
  return compile(of, "find", Number(g), tileConditions(of.gpu.info, Number(g), warp), conditions);
}

export function fillKernel(of: Specification): Promise<Compiled> {
  const { h, warp } = of.options.params;
  return compile(of, "fill", Number(h), tileConditions(of.gpu.info, Number(h), warp));
}

/** Its insert groups are workgroups. */
export function refineKernel(of: Specification): Promise<Compiled> {
  const h = Number(of.options.params.h);
  return compile(of, "refine", h, {
    conditions: { COOPERATIVE: true },
    constants: { GROUP_LANES: h },
    groupLanes: h,
  });
}

async function compile(
  { gpu, sizes, options, bytes }: Specification,
  name: string,
  tile: number,
  { conditions, constants, groupLanes }: WarpConditions,
  own: Readonly<Record<string, boolean>> = {},
): Promise<Compiled> {
  const { R, M, cellBits } = options.params;
  const source = {
    file: `kernels/gph/${name}.wgsl`,
    conditions: { ...conditions, ...own },
    constants: { TILE: tile, R: Number(R), M: Number(M), CELL_BITS: Number(cellBits), ...constants },
    sizes: { ...sizes, seed: options.seed },
    fixed: inCache(bytes),
  };
  return { kernel: await variant(gpu, source, options.counting), groupLanes };
}
