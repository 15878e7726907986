/** Checks that several claims of the slab hash share, and why some do not hold on large GPUs. */
import type { Along, Cause, Check, Select } from "../../claims/claim.js";

/** The paper's own way to read a slab. */
export const SLAB: Select = { table: "slab-hash", variant: "32 lanes" };
const TILES: Select = { table: "slab-hash", variant: "tiles" };

/** Of the points up to 75 %: the paper does not mean the end of the curve, where lists become long. */
export const dropAt65 = (of: Select): Check => ({
  ...{ kind: "drop", of: { ...of, loadFactor: { to: 0.77 } }, along: "load_factor" },
  expect: { near: 0.65, within: 0.1 },
});

const overWarps = (of: Select, by: readonly Along[]): Check => ({
  ...{ kind: "ratio", of: { ...TILES, ...of }, over: { ...SLAB, ...of }, by, mean: "every" },
  expect: { atLeast: 1.5 },
});

/** Instructions, not memory, bound the 32 lanes: they are as fast in the cache as beyond it, tiles are faster. */
export const instructions = (figure: "slab/fig5a" | "slab/fig5b", of: Select, by: readonly Along[]): Cause => {
  const op = figure === "slab/fig5a" ? "insert" : "find";
  return {
    text:
      "By 32 lanes a slab, a warp does an operation at a time, and its instructions bound it here: tables of 2^22 and of 2^27 " +
      "pairs, in the cache and beyond it, are equally fast, and tiles, which do as much to memory by fewer instructions, are " +
      "at least 1.5 times as fast.",
    checks: [
      overWarps(of, by),
      {
        ...{ kind: "trend", of: { ...SLAB, experiment: figure, op, n: { from: 2 ** 22 } }, along: "n" },
        ...{ expect: "flat", tolerance: 0.1 },
      },
    ],
  };
};

/** Beside Misra's table: by tiles the slab hash is ahead of it, as in the paper, and by 32 lanes it is bound by instructions. */
export function besideMisra(updates: number): Cause {
  const { text, checks } = instructions("slab/fig5b", { params: { updates } }, ["params.buckets"]);
  const ahead: Check = {
    ...{ kind: "ratio", of: { ...TILES, params: { updates } }, over: { table: "misra", params: { updates } } },
    ...{ by: ["params.buckets"], mean: "geometric", expect: { atLeast: 1.2 } },
  };
  return {
    text: `${text} The slab hash by tiles is at least 1.2 times as fast as Misra's table.`,
    checks: [...checks, ahead],
  };
}
