/** How the kernels of GPH are compiled. */
import { inCache, variant } from "../common/steps.js";
import { tileConditions, type WarpConditions } from "../common/warp.js";
import type { Gpu, Kernel } from "../device/gpu.js";
import type { TableOptions } from "../table.js";

/** Words of pending bits that an insert group takes: PENDING_WORDS of refine.wgsl. */
export const PENDING_WORDS = 32;

/** What a lane of the bucket requester loads at once. */
const VECTOR_BYTES = 16;

/** Without perfect hashing. */
const BUCKETS_OF_KEY = 2;

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

/** What brings queries to partitions, and the lookup kernel that finds them there. */
export interface Router {
  readonly count: Kernel;
  readonly scatter: Kernel;
  readonly find: Compiled;
}

/** Of route.wgsl and find-routed.wgsl. */
export type PartitionConstants = Readonly<Record<"CELLS" | "PARTITIONS" | "CHUNK", number>>;

export function findKernel(of: Specification): Promise<Compiled> {
  return lookupKernel(of, of.options.params.perfect === false ? "find-two" : "find");
}

export function routedFindKernel(of: Specification, constants: PartitionConstants): Promise<Compiled> {
  return lookupKernel(of, "find-routed", constants);
}

export async function routeKernels(
  { gpu, sizes, options, bytes }: Specification,
  constants: PartitionConstants,
): Promise<Omit<Router, "find">> {
  const kernel = (entry: string) =>
    gpu.kernel({
      ...{ file: "kernels/gph/route.wgsl", entry, constants },
      ...{ sizes: { ...sizes, seed: options.seed }, fixed: inCache(bytes) },
    });
  const [count, scatter] = await Promise.all([kernel("count"), kernel("scatter")]);
  return { count, scatter };
}

/** A lane of a lookup group reads M / g slots, by the bucket requester in vectors of up to two (algorithm 1). */
function lookupKernel(of: Specification, name: string, own: Partial<PartitionConstants> = {}): Promise<Compiled> {
  const { M, g, warp, requester } = of.options.params;
  const REQUESTER = requester === true;
  const { pairBytes } = of.options.params;
  const perLane = Number(M) / Number(g);
  const vectors = Math.max(1, (perLane * Number(pairBytes)) / VECTOR_BYTES);
  const counts = [1, 2, 4, 8].map((count) => [`VECTORS_${count}`, REQUESTER && count === vectors] as const);
  const SLOT_VECTORS = pairBytes === 8 && (!REQUESTER || perLane === 1);
  const conditions = { REQUESTER, SLOT_VECTORS, ...Object.fromEntries(counts) };
  const tiles = tileConditions(of.gpu.info, Number(g), warp);
  return compile(of, name, Number(g), { ...tiles, constants: { ...tiles.constants, ...own } }, conditions);
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
  const { R, M, cellBits, perfect, pairBytes } = options.params;
  const PERFECT = perfect === true;
  const source = {
    file: `kernels/gph/${name}.wgsl`,
    conditions: { ...conditions, ...own, PERFECT, WIDE: pairBytes === 16, KEYS_ONLY: pairBytes === 4 },
    constants: {
      TILE: tile,
      R: PERFECT ? Number(R) : BUCKETS_OF_KEY,
      M: Number(M),
      CELL_BITS: Number(cellBits),
      ...constants,
    },
    sizes: { ...sizes, seed: options.seed },
    fixed: inCache(bytes),
  };
  return { kernel: await variant(gpu, source, options.counting), groupLanes };
}
