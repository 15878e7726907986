/** Parameters of the tables of the folder, and the sizes of a table that they give. */
import { WARP_KINDS } from "../common/warp.js";
import { declare, flag, integer, oneOf, type ParamsOf, real } from "../declare.js";
import { BUCKET, fixedBuckets, resizableBuckets } from "./filling.js";
import { MAX_SEVERAL } from "./sub-tables.js";

const MAX_LOAD_FACTOR = 0.95;

/** Of buckets of 16 slots, which refused 1 and 4 of 20,011 pairs at 0.95 on an H100. */
const NARROW_LOAD_FACTOR = 0.9;

/** Of batches that are ordered first: at 0.95 most of them refuse one of 10^8 pairs on an H100 and an H200. */
const ORDERED_LOAD_FACTOR = 0.93;

/** Largest load factor at which no pair is refused. */
export function mostFilled({ bucketSlots, regionKiB }: Pick<CuckooParams, "bucketSlots" | "regionKiB">): number {
  if (bucketSlots < BUCKET) return NARROW_LOAD_FACTOR;
  return regionKiB > 0 ? ORDERED_LOAD_FACTOR : MAX_LOAD_FACTOR;
}

const TILES = ["auto", 4, 8, 32] as const;

export const parameters = declare({
  subTables: integer(2, 8, { default: 4, meaning: "sub-tables (d)" }),
  alike: flag({
    default: false,
    meaning:
      "with resize: sub-tables begin alike; else some twice as large, for a filled factor nearer to the load factor",
  }),
  resize: flag({ default: false, meaning: "hold the filled factor in [alpha, beta]", task: true }),
  alpha: real(0, 1, { default: 0.3, meaning: "least filled factor", task: true }),
  beta: real(0.05, 1, { default: 0.85, meaning: "largest filled factor", task: true }),
  unique: flag({
    default: true,
    meaning: "insertions are REPLACE; false: keys are new and different, and not looked for in their second buckets",
    task: true,
  }),
  locks: flag({ default: false, meaning: "insertions lock buckets, as the paper's; else only evictions do" }),
  swap: flag({
    default: false,
    meaning:
      "Algorithm 1: a pair whose first bucket is full evicts one there; false: it looks for room in its second first",
  }),
  voter: flag({
    default: true,
    meaning:
      "with locks: lanes of a tile vote for another pair where they get none; false: they try again, as in MegaKV",
  }),
  tile: oneOf(TILES, {
    default: "auto",
    meaning: "lanes that read a bucket together: 32 as in the paper; auto: 4 in searches, 8 elsewhere; 16 of 16 slots",
  }),
  bucketSlots: oneOf([16, 32], {
    default: 32,
    meaning: "slots of a bucket: 16, read by 16 lanes, as in GPH's paper",
  }),
  pairs: oneOf(["apart", "beside"], {
    default: "apart",
    meaning:
      "keys and values in arrays of their own; beside: each value behind its key, as in the authors' program for 64-bit pairs",
  }),
  span: oneOf(["auto", 1, 8], {
    default: "auto",
    meaning:
      "pairs of a batch that a lane of evictions looks after, one by one; auto: 1 of up to 4 million, which leave lanes idle, else 8",
  }),
  regionKiB: oneOf([0, 4, 2 ** 12, 2 ** 13, 2 ** 14, 2 ** 15, 2 ** 16], {
    default: 0,
    meaning: "large batches are ordered first, by regions of the table of so many KiB; 0: not",
  }),
  warp: oneOf(WARP_KINDS, { default: "auto", meaning: "what a warp is made of" }),
});

export type CuckooParams = ParamsOf<typeof parameters>;

/** Of `tile: auto`: fastest on an H200, of the slab hash. */
const USUAL = { find: 4, update: 8 } as const;

/** Lanes that read a bucket together. */
export function tileOf({ tile, bucketSlots }: CuckooParams, what: keyof typeof USUAL): number {
  if (bucketSlots < BUCKET) return bucketSlots;
  return tile === "auto" ? USUAL[what] : tile;
}

/** Batches of so many pairs have fewer evictions than a large GPU has lanes. */
const FEW_PAIRS = 2 ** 22;

/** Pairs of a lane that evicts, of a batch of so many: a part of a word of bits. */
export function spanOf({ span }: CuckooParams, pairs: number): number {
  return span === "auto" ? (pairs <= FEW_PAIRS ? 1 : 8) : span;
}

/** Buckets of the sub-tables for n pairs. */
export function bucketsFor(n: number, loadFactor: number, params: CuckooParams): number[] {
  const { subTables, resize, alike, bucketSlots } = params;
  return resize
    ? resizableBuckets(n, loadFactor, subTables, alike)
    : fixedBuckets(n, loadFactor, subTables, bucketSlots);
}

/** @param whole All sub-tables are resized at once. */
export function conflict(params: CuckooParams, whole: boolean): string {
  const { subTables, resize, alpha, beta, regionKiB, tile, bucketSlots, pairs } = params;
  if (pairs === "beside" && bucketSlots === BUCKET) return "pairs are beside each other in buckets of 16 slots";
  if (bucketSlots < BUCKET) {
    if (tile !== "auto") return `buckets of ${bucketSlots} slots are read by ${bucketSlots} lanes: tile is auto`;
    if (resize || regionKiB > 0) return `resize and regionKiB are for buckets of ${BUCKET} slots`;
  }
  if (!resize) return "";
  if (regionKiB > 0) return "regionKiB is for tables that keep their size, resize for others";
  if (subTables > MAX_SEVERAL) return `subTables is ${subTables}; resize takes at most ${MAX_SEVERAL}`;
  // An upsize at beta must not leave less than alpha, nor a downsize at alpha more than beta, or than pairs find room in.
  const fullest = Math.min(beta, MAX_LOAD_FACTOR);
  const most = whole ? fullest / 2 : (fullest * subTables) / (subTables + 1);
  if (alpha < most) return "";
  const tables = whole ? "tables resized as a whole" : `${subTables} sub-tables`;
  return `alpha is ${alpha}; with ${tables} and beta ${beta} it has to be below ${Math.round(1000 * most) / 1000}`;
}
