/** Cuckoo tables of keys that may repeat: the set and the compacting table of section 4.4. See README.md. */

import { bulk, step } from "../common/bulk.js";
import { PrefixSum } from "../common/scan.js";
import { EMPTY, fillStep, inCache, lazily, PAIR_BYTES, rangeOf, variant } from "../common/steps.js";
import { fixed } from "../declare.js";
import { defineTable } from "../define.js";
import type { Bindings } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import type { Answer, Description, GpuTable, Making, TableType, Traits } from "../table.js";
import { type CuckooParams, cuckooReach, layoutOf, parameters, slotsFor } from "./cuckoo.js";
import { cuckooBuilds, type Functions, hashConditions } from "./functions.js";

function repeatedTable(
  about: Pick<Description, "id" | "title">,
  answers: Answer,
  of: (params: CuckooParams) => Pick<Traits, "access" | "bytes" | "create">,
): TableType {
  return defineTable({
    ...about,
    source: "Alcantara et al., GPU Computing Gems 2011, 4.4",
    // A slot may have become empty when copies were erased: a search has to look at all places.
    parameters: fixed(parameters, { earlyExit: false, workgroup: 256, largePrime: false, hash: "xor" }),
    configure: (params) => ({
      ops: ["insert", "find"],
      answers,
      maxLoadFactor: cuckooReach(params),
      duplicates: true,
      incremental: false,
      ...of(params),
    }),
  });
}

const exchanged = { pattern: "exchange", why: "one random 32-bit exchange" };

/** Keys alone. */
export const cuckooSet = repeatedTable({ id: "cuckoo-set", title: "Cuckoo set" }, "member", (params) => ({
  access: (op) => (op === "find" ? { pattern: "lookup4", why: "one 4-byte slot, the key, the result" } : exchanged),
  bytes: (n, loadFactor) => slotsFor(n, loadFactor) * 4,
  create: (gpu, making) => createSet(gpu, making, params),
}));

/** Keys and their ids; a list of the keys by id. */
export const cuckooCompacting = repeatedTable(
  { id: "cuckoo-compacting", title: "Compacting cuckoo" },
  "id",
  (params) => ({
    access: (op) => (op === "find" ? { pattern: "lookup8", why: "one 8-byte slot, the key, the result" } : exchanged),
    // Keys, marks, (key, id) pairs; the list.
    bytes: (n, loadFactor) => slotsFor(n, loadFactor) * 16 + n * 4,
    create: (gpu, making) => createCompacting(gpu, making, params),
  }),
);

/** What both tables are made of: the slots of the keys, and their exchange. */
async function exchanging(gpu: Owner, options: Making, params: CuckooParams) {
  const { slots, chain, functions } = layoutOf(options, params);
  const keySlots = await gpu.alloc("cuckoo set", slots * 4);
  const builds = await cuckooBuilds(gpu, chain, options.seed);
  const clear = await fillStep(gpu, keySlots, EMPTY);
  const kernel = <const Takes extends string>(entry: string, takes: readonly Takes[], bound: Bindings = {}) => {
    const source = {
      file: "kernels/cuckoo/set.wgsl",
      entry,
      conditions: hashConditions(slots),
      constants: { FUNCTIONS: functions },
      sizes: { slots },
      fixed: inCache(slots * 4),
      bound: { ...bound, slots: keySlots, status: builds.status.buffer },
      takes,
    };
    return lazily(() => variant(gpu, source, options.counting));
  };
  const exchange = kernel("exchange", ["keys", "f"]);
  return { slots, functions, kernel, builds, clear, exchange };
}

async function createSet(gpu: Owner, options: Making, params: CuckooParams): Promise<GpuTable> {
  const { slots, kernel, builds, clear, exchange } = await exchanging(gpu, options, params);
  const eraseCopies = kernel("erase_copies", ["f"]);
  const contains = kernel("contains", ["keys", "results", "f"]);
  return {
    slots,
    bytes: slots * 4,
    clear: () => gpu.run([clear]),
    async insert(run, { keys, n }) {
      const [first, last] = await Promise.all([exchange(), eraseCopies()]);
      const steps = (f: Functions) => [step(first, n, { keys, f }), step(last, slots, { f })];
      return builds.attempts(run, steps, n, [clear]);
    },
    find: async (run, { keys, results, n }) =>
      bulk(run, step(await contains(), n, { keys, results, f: builds.functions(n) })),
  };
}

async function createCompacting(gpu: Owner, options: Making, params: CuckooParams): Promise<GpuTable> {
  const { slots, functions, kernel, builds, clear, exchange } = await exchanging(gpu, options, params);
  const table = await gpu.alloc("cuckoo ids", slots * PAIR_BYTES);
  const marks = await gpu.alloc("cuckoo marks", (slots + 1) * 4);
  const list = await gpu.alloc("cuckoo list", Math.max(1, options.n) * 4);
  const scan = await PrefixSum.make(gpu);
  const finder = {
    file: "kernels/cuckoo/find.wgsl",
    conditions: { EARLY_EXIT: params.earlyExit, PAIR: true, ...hashConditions(slots) },
    constants: { FUNCTIONS: functions },
    sizes: { slots },
    fixed: inCache(slots * PAIR_BYTES),
    bound: { table },
    takes: ["keys", "results", "range", "f"],
  } as const;
  const mark = kernel("mark", ["f"], { marks });
  const settle = kernel("settle", [], { marks, table, list });
  const find = lazily(() => variant(gpu, finder, options.counting));
  return {
    slots,
    bytes: slots * PAIR_BYTES,
    storage: { list },
    clear: () => gpu.run([clear]),
    async insert(run, { keys, n }) {
      const [first, second, last] = await Promise.all([exchange(), mark(), settle()]);
      const steps = (f: Functions) => [
        step(first, n, { keys, f }),
        step(second, slots + 1, { f }),
        ...scan.steps(marks, slots + 1),
        step(last, slots + 1, {}),
      ];
      return builds.attempts(run, steps, n, [clear]);
    },
    async find(run, { keys, results, n, first }) {
      const bindings = { keys, results, range: rangeOf(n, first), f: builds.functions(n) };
      return bulk(run, step(await find(), n, bindings));
    },
  };
}
