/** Parameters of GPH, and what follows from them. */
import { WARP_KINDS } from "../common/warp.js";
import { declare, flag, integer, oneOf, type ParamsOf, real } from "../declare.js";

/** The paper's buckets / cells, for 1.5 GB. */
const BUCKETS_PER_CELL = 1.6;

export const parameters = declare({
  R: oneOf([2, 4, 8, 16], { default: 8, meaning: "virtual buckets of a cell" }),
  M: oneOf([4, 8, 16, 32], { default: 16, meaning: "slots of a bucket" }),
  g: oneOf([1, 2, 4, 8, 16], { default: 4, meaning: "lanes of a lookup group" }),
  h: oneOf([4, 8, 16, 32], { default: 8, meaning: "lanes of an insert group, no more than M" }),
  bucketsPerCell: real(0.125, 64, {
    default: BUCKETS_PER_CELL,
    meaning: "buckets / cells; the paper's 1.5 GB have 1.6 (80 multiprocessors of 98,304 cells)",
  }),
  cells: integer(0, 2 ** 26, {
    default: 0,
    meaning:
      "cells of the index, whatever the table's size: the paper's 80 multiprocessors have 7,864,320; 0: by bucketsPerCell",
  }),
  cellBits: oneOf([8, 16], {
    default: 8,
    meaning: "bits of a cell: log2(R) for its offset, the others for its mapping",
  }),
  index: oneOf(["cache", "workgroup"], {
    default: "cache",
    meaning:
      "where finds read the cell index: in global memory through the cache, or in workgroup memory, where queries are routed to",
  }),
  routing: oneOf(["timed", "before"], {
    default: "timed",
    meaning:
      "of index: workgroup: queries are routed as a part of a find, or before it, untimed, as the paper's mapping is made, and answered in that order",
  }),
  pairBytes: oneOf([4, 8, 16], {
    default: 8,
    task: true,
    meaning: "bytes of a pair, 4 of them its key's: 4 have no value; of 16 no key may be twice in an insertion",
  }),
  requester: flag({
    default: true,
    meaning: "false: a lane of a find reads its slots one by one, each after it has looked at the last",
  }),
  perfect: flag({
    default: true,
    meaning: "false: no perfect hashing; a key has two buckets, as in DyCuckoo",
  }),
  refusals: flag({
    default: false,
    task: true,
    meaning: "true: load factors at which some pairs may find no valid relocation, and are refused",
  }),
  warp: oneOf(WARP_KINDS, { default: "auto", meaning: "what a warp is made of" }),
});

export type GphParams = ParamsOf<typeof parameters>;

/**
 * Load factors by bits of a cell, slots and virtual buckets, at which none of 300,000 pairs is refused with 1.6 buckets per cell.
 * They are those of a simulation of sequential insertions, less two steps of 0.05; less three where a GPU refused some with two (results/studies/gph.md).
 * A cell has 2^bits pairs of mapping and offset to choose from.
 */
const SAFE_LOADS = {
  8: {
    4: { 2: 0.05, 4: 0.25, 8: 0.4, 16: 0.45 },
    8: { 2: 0.25, 4: 0.45, 8: 0.5, 16: 0.5 },
    16: { 2: 0.4, 4: 0.5, 8: 0.55, 16: 0.5 },
    32: { 2: 0.45, 4: 0.5, 8: 0.55, 16: 0.55 },
  },
  16: {
    4: { 2: 0.05, 4: 0.5, 8: 0.6, 16: 0.65 },
    8: { 2: 0.3, 4: 0.6, 8: 0.65, 16: 0.7 },
    16: { 2: 0.5, 4: 0.7, 8: 0.7, 16: 0.7 },
    32: { 2: 0.6, 4: 0.7, 8: 0.7, 16: 0.7 },
  },
};

/** Without perfect hashing, by slots; as above (with 4 and 8 slots an H200 refused 1 of 10^8 one step higher). */
const SAFE_LOADS_OF_TWO = { 4: 0.45, 8: 0.7, 16: 0.85, 32: 0.85 };

/** Largest load factor at which all pairs are taken. */
export function safeLoad({ R, M, cellBits, bucketsPerCell, perfect }: GphParams): number {
  if (!perfect) return SAFE_LOADS_OF_TWO[M];
  const safe = SAFE_LOADS[cellBits][M][R];
  if (bucketsPerCell <= BUCKETS_PER_CELL) return safe;
  // Of larger cells: a quarter of their buckets' slots.
  return Math.min(safe / 2, R / (4 * bucketsPerCell));
}

/** Why the values do not go with one another; "" if they do. */
export function conflictOf(params: GphParams): string {
  const { M, g, h, index, cells, perfect, requester, refusals, pairBytes } = params;
  if (pairBytes !== 8) {
    if (index === "workgroup" || !perfect || !requester)
      return `pairs of ${pairBytes} bytes have the usual lookups only`;
    const bytes = (M / g) * pairBytes;
    if (bytes < 16 || bytes > 128) return `a lane of ${g} would hold ${bytes} bytes; 16 to 128`;
  }
  if (cells > 0 && !refusals) return "a table of so many cells may refuse pairs, which only refusals: true takes";
  if (index === "workgroup" && !perfect) return "without perfect hashing there is no cell index";
  if (g > M) return `a lookup group of ${g} lanes for ${M} slots`;
  if (h > M) return `an insert group of ${h} lanes for ${M} slots`;
  if (M / g > 16) return `a lane of ${g} would hold ${M / g} slots; 16 at most`;
  return "";
}

/**
 * Least buckets: with fewer, a cell has hardly a mapping whose R buckets all differ. Of R² buckets, exp(-1/2) of all mappings do, of B buckets
 * about exp(-R² / 2B).
 */
const leastBuckets = (R: number) => Math.max(8 * R, R * R);

export interface Sizes {
  readonly buckets: number;
  readonly cells: number;
}

export function sizesFor(n: number, loadFactor: number, params: GphParams): Sizes {
  const { R, M, bucketsPerCell, cells, perfect } = params;
  const buckets = Math.max(leastBuckets(R), Math.ceil(n / loadFactor / M));
  // Without perfect hashing there is no cell index; its buffer has one cell that no kernel binds.
  return { buckets, cells: perfect ? cells || Math.ceil(buckets / bucketsPerCell) : 1 };
}
