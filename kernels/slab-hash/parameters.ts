/** Parameters of the slab hash, and the sizes of a table that they give. */
import { WARP_KINDS } from "../common/warp.js";
import { declare, flag, integer, oneOf, type ParamsOf } from "../declare.js";
import { ALLOCATORS, type Allocator, blocksFor } from "./blocks.js";
import { bucketsFor, expectedSlabs } from "./utilisation.js";

const TILES = [1, 4, 8, 32] as const;
type Tile = (typeof TILES)[number];

export const parameters = declare({
  tile: oneOf<Tile | "auto">(TILES, {
    default: "auto",
    meaning:
      "lanes that read a slab together: 32 as in the paper; 1: each by itself, without work sharing; auto: 4 in bulk searches, 8 elsewhere",
  }),
  // 24 bits of an address number the base slabs.
  buckets: integer(0, 2 ** 24 - 1, {
    default: 0,
    meaning: "base slabs; 0: as many as reach the load factor, which is the memory utilisation",
    task: true,
    size: true,
  }),
  allocator: oneOf<Allocator>(ALLOCATORS, {
    default: "slab-alloc-light",
    meaning: "where further slabs come from",
  }),
  queries: integer(1, 16, {
    default: 1,
    meaning: "queries of a lane, one after another, in bulk searches; the paper has several and does not say how many",
  }),
  warp: oneOf(WARP_KINDS, { default: "auto", meaning: "what a warp is made of" }),
  unique: flag({ default: true, meaning: "insertions are REPLACE; false: INSERT", task: true }),
  overwrite: flag({
    default: false,
    meaning:
      "insertions in bulk take slots of erased keys, as DyCuckoo's paper says; false: only FLUSH gives them back",
  }),
  superBlocks: integer(0, 255, {
    default: 0,
    meaning:
      "the pool begins with so many super blocks of 256 memory blocks, as the paper's 32 (of fewer than 2^22 pairs with a part " +
      "of them); 0: with the memory blocks that the pairs want",
  }),
});
export type SlabParams = ParamsOf<typeof parameters>;

/** Of `tile: auto`: fastest on an H200. */
const USUAL = { find: 4, update: 8 } as const;

/** Lanes that read a slab together. */
export function tileOf(tile: Tile | "auto", what: keyof typeof USUAL): Tile {
  return tile === "auto" ? USUAL[what] : tile;
}

/** Memory blocks of a super block, and the paper's pairs. */
const SUPER_BLOCKS = 256;
const SUPER_PAIRS = 2 ** 22;

export interface Sizes {
  readonly buckets: number;
  /** Memory blocks of the pool at first. */
  readonly blocks: number;
  /** Slabs in use when the table holds its pairs. */
  readonly expected: number;
}

export function sizesFor(n: number, loadFactor: number, params: SlabParams, pairBytes: number): Sizes {
  const buckets = params.buckets || bucketsFor(n, loadFactor, pairBytes);
  const expected = expectedSlabs(n, buckets, pairBytes);
  // A list is rarely more than a slab from the mean: six standard deviations of their sum.
  const more = expected - buckets + 6 * Math.sqrt(buckets);
  const blocks = Math.ceil(params.superBlocks * SUPER_BLOCKS * Math.min(1, n / SUPER_PAIRS));
  return { buckets, blocks: Math.max(blocksFor(more), blocks), expected };
}
