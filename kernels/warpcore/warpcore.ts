/** Cooperative probing of WarpDrive and WarpCore. See README.md. */
import { further } from "../common/further.js";
import { type Further, planned } from "../common/planned.js";
import { nextPrime, PAIR_BYTES, WORKGROUP } from "../common/steps.js";
import { tileConditions, WARP_KINDS } from "../common/warp.js";
import { KEY_BYTES, type Make, type WideKeys } from "../common/wide-keys.js";
import { widenedKeys } from "../common/widened-keys.js";
import { declare, oneOf, type ParamsOf, preset } from "../declare.js";
import { defineTable } from "../define.js";
import type { Capabilities } from "../device/gpu.js";
import type { Description, TableType, Traits } from "../table.js";

/** Slots of a run in hybrid probing: what a warp of the paper looks at between two hashes. */
const RUN_SLOTS = 32;

/** Words that a lane of a search reads at a time, as far as the window has them. */
export const READS = { word: 1, vec4: 4, "2xvec4": 8 } as const;

const parameters = declare({
  group: oneOf([1, 2, 4, 8, 16, 32], {
    default: 8,
    meaning: "slots of a window, which a group of lanes probes together",
  }),
  scheme: oneOf(["linear", "double", "hybrid"], {
    default: "double",
    meaning: "order of the windows that a key is looked for in",
  }),
  read: oneOf(["word", "vec4", "2xvec4"], {
    default: "vec4",
    meaning: "what a lane of a search reads of a window's keys: word as in the papers",
  }),
  pairs: oneOf(["apart", "beside"], {
    default: "apart",
    meaning:
      "a window's keys before its values, or each value behind its key as in the library, where a lane reads a word",
  }),
  warp: oneOf(WARP_KINDS, { default: "auto", meaning: "what a warp is made of" }),
  keyBytes: KEY_BYTES,
});

/** Windows for n pairs: the next prime, or prime number of runs, so that double hashing reaches all. */
function windowsFor(n: number, loadFactor: number, { group, scheme }: ParamsOf<typeof parameters>): number {
  const run = scheme === "hybrid" ? RUN_SLOTS / group : 1;
  return nextPrime(n / loadFactor / group / run) * run;
}

const windowTable =
  (about: Pick<Description, "id" | "title" | "source"> & { readonly parameters: typeof parameters }) =>
  /** @param wide For `keyBytes` 8. */
  (wide: WideKeys, further?: Further): TableType =>
    defineTable({
      ...about,
      conflict: ({ pairs, keyBytes }) => (keyBytes === 8 && pairs !== "apart" ? "keyBytes=8 takes pairs=apart" : ""),
      configure(params) {
        const { group, scheme, read, pairs, warp, keyBytes } = params;
        const beside = pairs === "beside";
        const traits = (make: Make): Traits => ({
          ops: ["insert", "find", "erase", "export"],
          maxLoadFactor: 1,
          duplicates: true,
          incremental: true,
          reusesSlots: true,
          access(op) {
            if (op === "find" && beside)
              return { pattern: "lookup32", why: "four pairs, the key, the result (the rest of a window not counted)" };
            if (op === "find")
              return {
                pattern: "lookup32",
                why: "the keys of eight slots, the key, the result (its value not counted)",
              };
            // A store in the line of the key just read costs less than any pattern of a CAS and a store.
            return { pattern: "cas", why: "one random 32-bit CAS (the value, in the line of its key, not counted)" };
          },
          bytes: (n, loadFactor) => windowsFor(n, loadFactor, params) * group * PAIR_BYTES,
          create(gpu, { n, loadFactor, seed, counting }) {
            const windows = windowsFor(n, loadFactor, params);
            const slots = windows * group;
            const plan = {
              folder: "kernels/warpcore",
              sizes: { windows, seed },
              conditions: { LINEAR: scheme === "linear", HYBRID: scheme === "hybrid", SIDE_BY_SIDE: beside },
              compiling(op: string) {
                // What a lane reads of a window's keys.
                const words = op === "find" && !beside ? Math.min(READS[read], group) : 1;
                const { conditions, constants, groupLanes } = tileOf(gpu.info, group / words, warp);
                return {
                  conditions: {
                    ...conditions,
                    WORDS: words === 1,
                    PAIR: words === 2,
                    WIDE: words === 8,
                    ERASES: op === "erase",
                  },
                  constants: { ...constants, GROUP: group },
                  groupLanes,
                };
              },
              more: ["export"] as const,
              block: beside ? 1 : group,
              slots,
              bytes: slots * PAIR_BYTES,
              blockBytes: group * PAIR_BYTES,
            };
            return make(gpu, plan, counting, { further });
          },
        });
        return keyBytes === 8 ? wide(traits) : traits(planned);
      },
    });

/** With the operations that all planned tables have, and others that it is given. */
export const warpcoreWith = windowTable({
  id: "warpcore",
  title: "WarpCore",
  source: "Jünger et al., WarpCore, HiPC 2020",
  parameters,
});

/** The older table of the same authors: another order of the windows. */
export const warpdriveWith = windowTable({
  id: "warpdrive",
  title: "WarpDrive",
  source: "Jünger et al., WarpDrive, IPDPS 2018",
  parameters: preset(parameters, { scheme: "hybrid" }),
});

export const warpcore = /* @__PURE__ */ warpcoreWith(widenedKeys, further);
export const warpdrive = /* @__PURE__ */ warpdriveWith(widenedKeys, further);

/** How lanes that look at a window together are compiled. A lane alone needs no warp. */
function tileOf(info: Capabilities, lanes: number, warp: ParamsOf<typeof parameters>["warp"]) {
  if (lanes > 1) {
    const { conditions, constants, groupLanes } = tileConditions(info, lanes, warp);
    return { conditions: { ...conditions, ALONE: false }, constants: { ...constants, TILE: lanes }, groupLanes };
  }
  return {
    conditions: { SUBGROUPS: false, COOPERATIVE: false, ALONE: true },
    constants: { WARP_GROUP: WORKGROUP, GROUP_LANES: WORKGROUP },
    groupLanes: WORKGROUP,
  };
}
