/** Helpers that every table's class uses: grids, fills, counters, primes, parameters. */
import { dispatch } from "../device/bind.js";
import type { Capabilities, Gpu, Kernel, KernelSource, Step } from "../device/gpu.js";

/** Lanes a workgroup: WORKGROUP of kernels/common/grid.wgsl. */
export const WORKGROUP = 256;
/** EMPTY of kernels/common/keys.wgsl. */
export const EMPTY = 0xffffffff;
/** DELETED of kernels/common/keys.wgsl. */
export const DELETED = 0xfffffffe;
/** Of a key and a value of 32 bits each: a slot of most tables. */
export const PAIR_BYTES = 8;

/** Workgroups for one lane an item. */
export function groupsFor(items: number): number {
  return Math.max(1, Math.ceil(items / WORKGROUP));
}

/** The uniform of common/range.wgsl: items first … first + n - 1. */
export function rangeOf(n: number, first = 0) {
  return { first, end: first + n };
}

/** A table of at most so many bytes may lie in the cache of a GPU: an H200's L2 has 50 to 60 MB. */
const CACHE_BYTES = 2 ** 26;

/**
 * Whether a table's kernels are `fixed`: with its sizes as constants, by which the compiler divides by a multiplication. Larger
 * tables are as fast with sizes from a uniform (results/studies/sampling.md, Memory).
 */
export function inCache(bytes: number): boolean {
  return bytes <= CACHE_BYTES;
}

/** A step that sets every word of `buffer` to `word`. */
export async function fillStep(gpu: Gpu, buffer: GPUBuffer, word: number): Promise<Step> {
  const kernel = await gpu.kernel({ file: "kernels/common/fill.wgsl", sizes: { word }, takes: ["data"] });
  return dispatch(kernel, groupsFor(buffer.size / 16), { data: buffer });
}

/** Lanes of the adapter's own warps; the papers' 32 where it does not say. */
export function ownWidth({ subgroupMin }: Pick<Capabilities, "subgroupMin">): number {
  return subgroupMin || 32;
}

/** Compiles a kernel in its timed or its counting variant. One with a constant LANES has workgroups of so many. */
export function variant<const Takes extends string>(
  gpu: Gpu,
  source: KernelSource<Takes>,
  counting: boolean,
): Promise<Kernel<Takes>> {
  const { constants: own } = source;
  const lanes = own?.LANES === undefined ? {} : { GROUP_LANES: own.LANES };
  const constants = counting ? { OWN_WARP: ownWidth(gpu.info), ...lanes, ...own } : own;
  return gpu.kernel({
    ...source,
    ...(constants && { constants }),
    conditions: { ...source.conditions, COUNT: counting },
  });
}

/** Kernels, or what has some: made when they are first wanted. */
export function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Smallest odd prime >= x. Deterministic trial division: x is below 2^32, so 32,768 divisions at most, of each candidate. */
export function nextPrime(x: number): number {
  const least = Math.max(3, Math.ceil(x));
  // No bitwise operation: these are of 32 bits.
  let candidate = least % 2 === 0 ? least + 1 : least;
  while (!isPrime(candidate)) candidate += 2;
  return candidate;
}

function isPrime(x: number): boolean {
  for (let divisor = 3; divisor * divisor <= x; divisor += 2) if (x % divisor === 0) return false;
  return x % 2 === 1;
}
