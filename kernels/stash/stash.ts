/** The class of Stadium hashing. See README.md. */

import { allocBanks, checkSlots, fittingBanks } from "../common/banks.js";
import { bulk, Status, step } from "../common/bulk.js";
import { wideBytes } from "../common/record-bytes.js";
import { EMPTY, fillStep, inCache, PAIR_BYTES, rangeOf, variant } from "../common/steps.js";
import { widened } from "../common/wide.js";
import { fixed } from "../declare.js";
import { defineTable } from "../define.js";
import { dispatch } from "../device/bind.js";
import { UsageError } from "../device/errors.js";
import type { Kernel, KernelSource, Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import type { Erasures, GpuTable, Making, Recordable, TableType, Traits } from "../table.js";
import { type Insertion, type Lanes, lanesFor, lanesOf, pairsAlone } from "./lanes.js";
import { bytesOf, conditionsOf, constantsOf, crowded, type Layout, layoutOf, wantBoard } from "./layout.js";
import { parameters, type StashParams } from "./parameters.js";

const PAIRS = ["keys", "values", "range"] as const;

/** Storage buffers that insertions bind beside the table: keys, values, ticket-board, status and longest probe. */
const OTHER_BUFFERS = 5;

/** What tables of the library have not: records, and lanes that collaborate. */
export interface Beside {
  readonly widened: typeof widened;
  readonly lanes?: { readonly of: typeof lanesOf; readonly for: typeof lanesFor; readonly alone: typeof pairsAlone };
}
export const beside: Beside = { widened, lanes: { of: lanesOf, for: lanesFor, alone: pairsAlone } };

function stadium(id: Insertion, title: string, own: typeof parameters, beside?: Beside): TableType {
  return defineTable({
    id,
    title,
    source: "Khorasani et al., Stadium Hashing, PACT 2015",
    parameters: own,
    mixedParams: { access: true },
    conflict: crowded,
    configure: (params) => traitsOf(id, params, beside),
  });
}
export function stashWith(beside?: Beside): TableType {
  const own = { rehash: false, batches: 0, lanes: 32, warp: "auto", threshold: "by ticket" } as const;
  return stadium("stash", "Stash", fixed(parameters, own), beside);
}
export const stash = /* @__PURE__ */ stashWith({ widened });
const byTicket = /* @__PURE__ */ fixed(parameters, { threshold: "by ticket" });
export const clstash = /* @__PURE__ */ stadium("clstash", "clStash", byTicket, beside);
export const stashHybrid = /* @__PURE__ */ stadium("stash-hybrid", "Stash hybrid", parameters, beside);

export function traitsOf(insertion: Insertion, params: StashParams, beside: Beside | undefined): Traits {
  return {
    // Without the board erased keys are free tickets, and their pairs as before.
    ops: params.board ? ["insert", "find", "erase", "mixed"] : ["insert", "find"],
    maxLoadFactor: 1,
    duplicates: false,
    incremental: true,
    reusesSlots: true,
    access(op, present = 1) {
      if (op !== "find")
        return { pattern: "and", why: "one random 32-bit AND (info bits and the pair itself not counted)" };
      if (params.board && present < 1) {
        const why = "one word of the board, the key, the result (pairs of keys that are present not counted)";
        return { pattern: "lookup4", ofIndex: true, why };
      }
      return { pattern: "lookup8", why: "one pair, the key, the result (its ticket not counted)" };
    },
    bytes(n, loadFactor) {
      const layout = layoutOf(n, loadFactor, params);
      return bytesOf(layout) + wideBytes(n, layout.keyBytes, layout.valueBytes);
    },
    sizing: { held: (n, loadFactor) => bytesOf(layoutOf(n, loadFactor, params)) },
    create: (gpu, making) => createStash(gpu, insertion, params, making, beside),
  };
}

async function createStash(
  gpu: Owner,
  insertion: Insertion,
  params: StashParams,
  { n, loadFactor, counting }: Making,
  beside: Beside | undefined,
): Promise<GpuTable> {
  const layout = layoutOf(n, loadFactor, params);
  const { slots, stride, boardBytes, keyBytes, valueBytes } = layout;
  const lanes = insertion === "stash" ? undefined : beside?.lanes;
  const together: Lanes | null = lanes?.of(gpu, insertion, params) ?? null;
  checkSlots(slots);
  const fitting = fittingBanks(gpu, { bytes: slots * stride, blockBytes: stride }, OTHER_BUFFERS + Number(counting));
  // Also where the pairs are in host memory.
  const board = await gpu.alloc("ticket-board", boardBytes, "device");
  const banks = await allocBanks(gpu, "stash", fitting);
  const status = await Status.make(gpu);
  const longest = await gpu.alloc("longest", 4);
  const fill = await Promise.all([
    fillStep(gpu, board, freeTickets(layout)),
    ...banks.buffers.map((bank) => fillStep(gpu, bank, EMPTY)),
  ]);
  const kernel = <const Takes extends string>(
    name: string,
    takes: readonly Takes[],
    { conditions, constants }: Pick<KernelSource, "conditions" | "constants"> = {},
  ): Promise<Kernel<Takes>> =>
    variant(
      gpu,
      {
        file: `kernels/stash/${name}.wgsl`,
        conditions: { ...conditionsOf(layout), ...banks.conditions, PUTS: true, ...conditions },
        constants: { ...constantsOf(layout), ...banks.constants, ...constants },
        sizes: { slots },
        fixed: inCache(bytesOf(layout)),
        bound: { ...banks.bound, board, longest_probe: longest, status: status.buffer },
        takes,
      },
      counting,
    );
  /** Keys were erased since the table was cleared: searches go on at free slots. */
  let erased = false;
  /** Whether keys were erased is on the device, too: recorded operations may run at any time. Null: none are recorded. */
  let erasures: { readonly none: Step; readonly some: Step } | null = null;
  /** Erasures were recorded. */
  let erases = false;
  /** Pairs in the table, as far as bulk operations tell. */
  let pairs = 0;
  const noteErasures = async () => {
    erased = true;
    if (erasures) await gpu.run([erasures.some]);
  };
  const recordable = async (): Promise<Recordable> => {
    const told = await gpu.alloc("erasures", 4);
    // Without the board no key is erased.
    const conditions = { LOOKUP: true, PUTS: false, ERASED: layout.board, ASKS: layout.board };
    const asked = { ...(layout.board && { erasures: told }) };
    const [none, some, reset, insert, find, erase] = await Promise.all([
      fillStep(gpu, told, 0),
      fillStep(gpu, told, 1),
      fillStep(gpu, longest, 0),
      kernel("insert", PAIRS),
      kernel("find", ["keys", "results", "range", ...Object.keys(asked)], { conditions }),
      kernel("erase", ["keys", "range"], { conditions: { ERASED: true } }),
    ]);
    erasures = { none, some };
    return {
      status: status.buffer,
      clear: () => [...fill, reset, none],
      insert: ({ keys, values, n, first }) => [step(insert, n, { keys, values, range: rangeOf(n, first) })],
      find: ({ keys, results, n, first }) => [step(find, n, { keys, results, range: rangeOf(n, first), ...asked })],
      ...(layout.board && {
        erase({ keys, n, first }: Erasures) {
          erases = true;
          return [some, step(erase, n, { keys, range: rangeOf(n, first) })];
        },
      }),
    };
  };
  const remember = () => {
    const before = { erased, pairs };
    return () => {
      ({ erased, pairs } = before);
    };
  };
  const table: Omit<GpuTable, "multimap"> = {
    slots,
    bytes: bytesOf(layout),
    storage: { reads: { indexBytes: boardBytes }, restorable: { remember } },
    ...(!together && keyBytes + valueBytes === PAIR_BYTES && { recordable }),
    async clear() {
      erased = false;
      pairs = 0;
      await gpu.run(erasures ? [...fill, erasures.none] : fill);
      await gpu.zero(longest);
    },
    async insert(run, { keys, values, n, first = 0 }) {
      const alone = lanes?.alone(together, slots, pairs, n) ?? n;
      const split = first + alone;
      const steps: Step[] = [];
      if (alone > 0 || n === 0) {
        const single = await kernel("insert", PAIRS);
        steps.push(step(single, alone, { keys, values, range: { first, end: split } }));
      }
      if (lanes && together && alone < n) {
        const { pairsPerGroup, ...special } = lanes.for(together, n - alone);
        const insert = await kernel("insert-lanes", PAIRS, special);
        const groups = Math.ceil((n - alone) / pairsPerGroup);
        steps.push(dispatch(insert, groups, { keys, values, range: { first: split, end: first + n } }));
      }
      const { ns, said } = await status.run(run, steps);
      pairs += n - said.refused;
      if (said.bound) throw new Error(`stash: ${said.bound} pairs were lost in a warp's store`);
      return { ns, count: said.refused, restarts: 0 };
    },
    async find(run, { keys, results, n, first }) {
      const conditions = { LOOKUP: true, PUTS: false, ERASED: erased || erases };
      const find = await kernel("find", ["keys", "results", "range"], { conditions });
      return bulk(run, step(find, n, { keys, results, range: rangeOf(n, first) }));
    },
    async erase(run, { keys, n, first }) {
      wantBoard(layout, "no key can be erased");
      await noteErasures();
      const erase = await kernel("erase", ["keys", "range"], { conditions: { ERASED: true } });
      const result = await status.count(run, [step(erase, n, { keys, range: rangeOf(n, first) })], "changed");
      pairs -= result.count;
      return result;
    },
    async mixed(run, { kinds, keys, values, results, slices }) {
      wantBoard(layout, "there are no mixed batches");
      // Erasures may be among the operations.
      if (layout.access) await noteErasures();
      const takes = ["kinds", "keys", "values", "results", "slice"] as const;
      const mixed = await kernel("mixed", takes, { conditions: { ERASED: erased || erases } });
      const steps = slices.map(({ first, count }) =>
        step(mixed, count, { kinds, keys, values, results, slice: { first, count, zero: 0 } }),
      );
      const { ns, said } = await status.run(run, steps);
      if (said.failed)
        throw new UsageError(
          `stash: ${said.failed} erasures of a mixed batch were left out: they take tickets with an access bit (access: true)`,
        );
      if (said.bound) throw new Error(`stash: ${said.bound} operations waited in vain`);
      return { ns, count: said.refused, restarts: 0 };
    },
  };
  return beside?.widened(gpu, table, keyBytes, valueBytes) ?? table;
}

/** A word of free tickets. */
function freeTickets({ ticket, access }: Layout): number {
  if (!access) return 0xffffffff;
  const free = (2 ** ticket - 1) & ~2;
  let word = 0;
  for (let at = 0; at < 32; at += ticket) word = (word | (free << at)) >>> 0;
  return word;
}
