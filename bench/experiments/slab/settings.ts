/** What the experiments of the slab hash share. */
import type { PaperValue, Series } from "../../base/experiment.js";
import { librarySeries } from "../originals.js";

/** A warp reads a slab, one word a lane, as in the paper; the claims are about this one. A search in bulk has several queries a lane. */
export const warpWide: Series = {
  table: "slab-hash",
  variant: "32 lanes",
  label: "Slab hash, 32 lanes per slab",
  params: { tile: 32, queries: 4 },
};

/** The same with the paper's pool of 32 super blocks (VI), for tables that it does not make larger than a binding. */
export const inSuperBlocks: Series = { ...warpWide, params: { ...warpWide.params, superBlocks: 32 } };

/** Tiles of a warp, each with a slab: ours. */
export const tiled: Series = {
  table: "slab-hash",
  variant: "tiles",
  label: "Slab hash, 8 or 4 lanes per slab",
};

/** Of keys alone, as Misra's table is: 30 a slab. */
export const set: Series = { table: "slab-set", label: "Slab set, 8 lanes per slab" };
export const misra: Series = { table: "misra", label: "Misra" };

export const cuckoo: Series = { table: "cuckoo", label: "Cuckoo" };

/** The CUDA libraries that the paper compares. */
export const LIBRARIES = librarySeries(["slabHash", "cudpp"]);

export const TILES =
  "The paper's slab hash reads a slab by the 32 lanes of a warp, and the claims are about that one; tiles of 8 lanes " +
  "(insertions) and 4 lanes (searches, two vec4 each) are ours. By 32 lanes a search in bulk has four queries a lane: the paper has several. " +
  "Memory utilisation of cuckoo is its load factor.";
export const POOL =
  "The pool of the 32 lanes has the paper's 32 super blocks at 2^22 pairs, and a part of them for fewer.";

/** Where the rates of the slab hash fall suddenly. */
export const DROP: PaperValue = { label: "drop at 65 %", at: 0.65 };

/** The series of which the paper's numbers are. */
export const THEIRS = { table: "slab-hash", variant: "32 lanes" } as const;
