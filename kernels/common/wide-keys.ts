/** Keys of two words, of tables whose keys else have one. See ../wide-keys/README.md. */

import { oneOf } from "../declare.js";
import type { Owner } from "../device/owned.js";
import type { GpuTable, Traits } from "../table.js";
import { type Plan, planned } from "./planned.js";

export const KEY_BYTES = oneOf([4, 8], {
  default: 4,
  task: true,
  meaning: "bytes of a key; with 8 there are insertions, searches and erasures",
});

type Made = Omit<GpuTable, "multimap">;
/** What makes a table of its plan: `planned`, or as it does. */
export type Make = (...given: Parameters<typeof planned>) => Promise<GpuTable>;

/** What a table is with keys of two words; `of` says what it is with one, and what makes it of its plan. */
export type WideKeys = (of: (make: Make) => Traits) => Traits;

/** Slots take twice as many bytes: 16, of which 4 are not used. @param beside bytes that operations on n items take beside the table */
export const wideKeysWith =
  (widen: (gpu: Owner, table: Made) => Promise<GpuTable>, beside: (n: number) => number): WideKeys =>
  (of) => {
    const traits = of(async (gpu, ...given) =>
      widen(gpu, await planned(gpu, ...widePlan(...given)).then(withoutShader)),
    );
    const held = (n: number, loadFactor: number) => 2 * traits.bytes(n, loadFactor);
    return {
      ...traits,
      ops: ["insert", "find", "erase"],
      sizing: { ...traits.sizing, held },
      bytes: (n, loadFactor) => held(n, loadFactor) + beside(n),
      access(op, present) {
        const own = traits.access(op, present);
        if (op !== "find") return own;
        if (own?.pattern === "lookup8") return { pattern: "lookup16", why: "one 16-byte slot, the key, the result" };
        return { pattern: "lookup32", why: "32 bytes of keys, the key, the result" };
      },
    };
  };

/** For callers that have keys of two words. */
export const wideKeys = /* @__PURE__ */ wideKeysWith(
  async (_, table) => table,
  () => 0,
);

type Given = Parameters<typeof planned> extends [Owner, ...infer Rest] ? Rest : never;

function widePlan(...[plan, counting, own]: Given): Given {
  const {
    folder,
    conditions,
    more: _,
    block = 1,
    blockBytes = 0,
    inserting: { reuses = false } = {},
    ...others
  } = plan;
  const windows = folder === "kernels/warpcore";
  const wide: Plan = {
    ...others,
    folder: windows ? "kernels/wide-windows" : "kernels/wide-keys",
    conditions: { ...conditions, PAIR: false, BUCKETS: block > 1, WINDOWS: windows },
    inserting: { reuses },
    bytes: 2 * plan.bytes,
    blockBytes: 2 * blockBytes,
  };
  return [wide, counting, { roundKeys: own?.roundKeys }];
}

/** Its functions are those of keys of one word. */
function withoutShader({ storage: { shader: _, ...storage } = {}, ...table }: Made): Made {
  return { ...table, storage };
}
