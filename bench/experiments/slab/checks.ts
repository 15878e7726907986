/** Checks that several claims of the slab hash share, and why some do not hold on large GPUs. */
import type { Along, Cause, Check, Expectation, Select } from "../../claims/claim.js";
import { ALIKE, absoluteRate, atLeast, atMost, drop, falls, flat, MUCH_MORE, near, ratio } from "../figure-claims.js";

/** The paper's own way to read a slab. */
export const SLAB: Select = { table: "slab-hash", variant: "32 lanes" };
export const TILES: Select = { table: "slab-hash", variant: "tiles" };
export const CUCKOO: Select = { table: "cuckoo", variant: "" };
const MISRA: Select = { table: "misra" };
const SET: Select = { table: "slab-set" };

/** Queries of which all keys are present, or none. */
export const ALL = { positiveRatio: 1 };
export const NONE = { positiveRatio: 0 };

export const rate = (of: Select, mean: "max" | "harmonic", mops: number): Check => absoluteRate(of, mean, near(mops));
export const speedUp = (of: Select, over: Select, by: string, factor: number): Check =>
  ratio(of, over, "geometric", near(factor), { by: [by] });

export const dropAt65 = (of: Select): Check => drop(of, "load_factor", near(0.65));

/** Cells of a figure, and the columns by which they are paired. */
interface Cells {
  readonly of: Select;
  readonly by: readonly Along[];
}

const tilesOverWarps = ({ of, by }: Cells, metric: string, expect: Expectation): Check =>
  ratio(TILES, SLAB, "every", expect, { by, ...of, metric });

/**
 * Instructions, not memory, bound the 32 lanes: they are about as fast beyond the cache as in it, and tiles, which read as much
 * memory with fewer instructions, are faster.
 */
function bound(figure: "slab/fig5a" | "slab/fig5b", cells: Cells): Cause {
  const op = figure === "slab/fig5a" ? "insert" : "find";
  return {
    text:
      "By 32 lanes a slab, a warp does an operation at a time, and its instructions bound it here: tables in the cache and beyond " +
      "it are about as fast, and tiles, which touch as many sectors with fewer warp operations, are faster.",
    checks: [
      tilesOverWarps(cells, "mops", atLeast(1)),
      tilesOverWarps(cells, "transactions", ALIKE),
      tilesOverWarps(cells, "warp_operations", atMost(1)),
      flat({ ...SLAB, experiment: figure, op, n: { from: 2 ** 22 } }, "n"),
    ],
  };
}

/** The same, with the result of the claim's comparison for tiles. */
export function instructions(
  figure: "slab/fig5a" | "slab/fig5b",
  cells: Cells,
  byTiles?: { readonly text: string; readonly check: Check },
): Cause {
  const { text, checks } = bound(figure, cells);
  return byTiles ? { text: `${text} ${byTiles.text}`, checks: [...checks, byTiles.check] } : { text, checks };
}

/** For claims that compare with cuckoo's searches: over tiles cuckoo's lead is at most the paper's factor. */
export function besideCuckoo(cells: Cells, queries: Select, by: Along, factor: number): Cause {
  return instructions("slab/fig5b", cells, {
    text: "By tiles the slab hash is at least as fast beside cuckoo as in the paper.",
    check: ratio(CUCKOO, TILES, "geometric", atMost(factor), { by: [by], ...queries }),
  });
}

/**
 * For claims that compare with Misra's table: the instructions of the 32 lanes bound the slab hash, and the quotient depends on the
 * length of the lists, which the paper's text does not give.
 */
export function besideMisra(updates: number): Cause {
  const params = { updates };
  const { text, checks } = bound("slab/fig5b", { of: { params }, by: ["params.buckets"] });
  const by = ["params.buckets"];
  // limit/lists measures the mixes of 100 and of 20 % updates.
  const beyond = { updates: updates === 0.4 ? 0.2 : updates, buckets: 2 ** 20 };
  return {
    text:
      `${text} The longer the lists, the further the slab hash by tiles is ahead of Misra's table, and the text does not say how ` +
      "many keys the paper's have. With 2^24 keys in lists of 16, beyond the cache, the slab set by tiles, of keys alone as " +
      "Misra's is, is at least twice as fast.",
    checks: [
      ...checks,
      falls(TILES, "params.buckets", { over: MISRA, by, params }),
      ratio(SET, MISRA, "median", MUCH_MORE, { by, experiment: "limit/lists", params: beyond }),
    ],
  };
}
