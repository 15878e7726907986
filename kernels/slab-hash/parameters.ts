/** Parameters of the slab hash, and the sizes of a table that they give. */
import { WARP_KINDS } from "../common/warp.js";
import { declare, flag, integer, oneOf, type ParamsOf } from "../declare.js";
import { ALLOCATORS, type Allocator, blocksFor } from "./blocks.js";
import { bucketsFor, expectedSlabs } from "./utilisation.js";

const TILES = [4, 8, 32] as const;
type Tile = (typeof TILES)[number];

export const parameters = declare({
  tile: oneOf<Tile | "auto">(TILES, {
    default: "auto",
    meaning: "lanes that read a slab together: 32 as in the paper; auto: 4 in bulk searches, 8 elsewhere",
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
  warp: oneOf(WARP_KINDS, { default: "auto", meaning: "what a warp is made of" }),
  unique: flag({ default: true, meaning: "insertions are REPLACE; false: INSERT", task: true }),
});
export type SlabParams = ParamsOf<typeof parameters>;

/** Of `tile: auto`: fastest on an H200. */
const USUAL = { find: 4, update: 8 } as const;

/** Lanes that read a slab together. */
export function tileOf(tile: Tile | "auto", what: keyof typeof USUAL): Tile {
  return tile === "auto" ? USUAL[what] : tile;
}

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
  return { buckets, blocks: blocksFor(more), expected };
}
