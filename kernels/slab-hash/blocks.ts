/** Memory blocks of slabs, which the allocators hand out, and the bits of these. */
import { SLAB_BYTES } from "./utilisation.js";

export const ALLOCATORS = ["slab-alloc-light", "slab-alloc", "bump"] as const;
export type Allocator = (typeof ALLOCATORS)[number];

/** Slabs of a memory block: UNITS of kernels/slab-hash/alloc.wgsl. */
export const BLOCK_SLABS = 1024;
export const BLOCK_BYTES = BLOCK_SLABS * SLAB_BYTES;
/** Of the bits of its slabs. */
export const BLOCK_BITS_BYTES = BLOCK_SLABS / 8;
/** Super blocks that kernels bind, each a bank of common/words.wgsl. */
export const MAX_SUPERS = 4;

/** Memory blocks for so many slabs: an eighth more than are wanted, so that a free one is found soon. */
export function blocksFor(slabs: number): number {
  return Math.max(1, Math.ceil((slabs * 1.125) / BLOCK_SLABS));
}

/** Numbers of the super blocks' first slabs, as slab.wgsl has them. @param before Memory blocks before super block i. */
export function startsOf(before: (i: number) => number) {
  const start = (i: number) => before(i) * BLOCK_SLABS;
  return { second: start(1), third: start(2), fourth: start(3), end: start(MAX_SUPERS) };
}

/** Words behind the status in which lanes mark so many memory blocks as full, a bit each: alloc.wgsl. */
export function marksOf(blocks: number): number {
  return Math.ceil(blocks / 32);
}

/** Set bits of the words. */
export function setBits(words: Uint32Array): number {
  let count = 0;
  for (const word of words) {
    // Of 2, 4 and 8 bits side by side, then of all: the words may be millions, and most of their bits set.
    const pairs = word - ((word >>> 1) & 0x55555555);
    const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
    count += Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

/** Bytes of base slabs and memory blocks. */
export function slabsBytes(base: number, blocks: number): number {
  return base * SLAB_BYTES + blocks * BLOCK_BYTES;
}

/** Bytes of base slabs, pool and bits. */
export function poolBytes(base: number, blocks: number): number {
  return slabsBytes(base, blocks) + blocks * BLOCK_BITS_BYTES;
}
