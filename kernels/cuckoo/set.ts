/** Cuckoo tables of keys that may repeat: the set and the compacting table of section 4.4. See README.md. */

import { itemStep } from "../common/bulk.js";
import { PrefixSum } from "../common/scan.js";
import { EMPTY, fillStep, inCache, variant } from "../common/steps.js";
import type { Owner } from "../device/owned.js";
import type { GpuTable, TableOptions, TableType } from "../table.js";
import { cuckoo, layoutOf, slotsFor } from "./cuckoo.js";
import { cuckooBuilds } from "./functions.js";

const shared = {
  source: "Alcantara et al., GPU Computing Gems 2011, 4.4",
  ops: ["insert", "find"],
  maxLoadFactor: cuckoo.maxLoadFactor,
  duplicates: true,
  incremental: false,
  parameters: cuckoo.parameters.filter(({ name }) => name === "functions"),
  ...(cuckoo.reach && { reach: cuckoo.reach }),
} satisfies Partial<TableType>;
const exchanged = { pattern: "exchange", why: "one random 32-bit exchange" };

/** Keys alone. */
export const cuckooSet: TableType = {
  ...shared,
  id: "cuckoo-set",
  title: "Cuckoo set",
  answers: "member",
  access: (op) => (op === "find" ? { pattern: "lookup4", why: "one 4-byte slot, the key, the result" } : exchanged),
  bytes: (n, loadFactor) => slotsFor(n, loadFactor) * 4,
  create: createSet,
};

/** Keys and their ids; a list of the keys by id. */
export const cuckooCompacting: TableType = {
  ...shared,
  id: "cuckoo-compacting",
  title: "Compacting cuckoo",
  answers: "id",
  access: (op) => (op === "find" ? { pattern: "lookup8", why: "one 8-byte slot, the key, the result" } : exchanged),
  // Keys, marks, (key, id) pairs; the list.
  bytes: (n, loadFactor) => slotsFor(n, loadFactor) * 16 + n * 4,
  create: createCompacting,
};

/** What both tables are made of: the slots of the keys, and their exchange. */
async function exchanging(gpu: Owner, options: TableOptions) {
  const layout = layoutOf(options);
  const [constants, sizes] = [{ FUNCTIONS: layout.functions }, { slots: layout.slots }];
  const fixed = inCache(layout.slots * 4);
  const kernel = (entry: string) =>
    variant(gpu, { file: "kernels/cuckoo/set.wgsl", entry, constants, sizes, fixed }, options.counting);
  const keySlots = await gpu.alloc("cuckoo set", layout.slots * 4);
  const builds = await cuckooBuilds(gpu, layout.chain, options.seed);
  const clear = await fillStep(gpu, keySlots, EMPTY);
  const exchange = await kernel("exchange");
  const own = { 0: keySlots, 3: builds.parameters };
  const exchangeStep = (keys: GPUBuffer, n: number) =>
    itemStep(exchange, n, { ...own, 1: keys, 4: builds.status.buffer });
  return { layout, kernel, keySlots, builds, clear, exchangeStep };
}

async function createSet(gpu: Owner, options: TableOptions): Promise<GpuTable> {
  const { layout, kernel, keySlots, builds, clear, exchangeStep } = await exchanging(gpu, options);
  const { slots } = layout;
  const [eraseCopies, contains] = await Promise.all([kernel("erase_copies"), kernel("contains")]);
  const own = { 0: keySlots, 3: builds.parameters };
  return {
    slots,
    bytes: slots * 4,
    clear: () => gpu.run([clear]),
    insert(run, { keys, n }) {
      const cleanUp = itemStep(eraseCopies, slots, { ...own, 4: builds.status.buffer });
      return builds.attempts(run, [exchangeStep(keys, n), cleanUp], n, [clear]);
    },
    find: (run, { keys, results, n }) => builds.ask(run, contains, n, { ...own, 1: keys, 2: results }),
  };
}

async function createCompacting(gpu: Owner, options: TableOptions): Promise<GpuTable> {
  const { layout, kernel, keySlots, builds, clear, exchangeStep } = await exchanging(gpu, options);
  const { slots, functions } = layout;
  const [mark, settle] = await Promise.all([kernel("mark"), kernel("settle")]);
  // A slot may have become empty when copies were erased: a search has to look at all places.
  const conditions = { EARLY_EXIT: false };
  const source = {
    file: "kernels/cuckoo/find.wgsl",
    constants: { FUNCTIONS: functions },
    sizes: { slots },
    fixed: inCache(slots * 8),
    conditions,
  };
  const finder = await variant(gpu, source, options.counting);
  const scan = await PrefixSum.make(gpu);
  const table = await gpu.alloc("cuckoo ids", slots * 8);
  const marks = await gpu.alloc("cuckoo marks", (slots + 1) * 4);
  const list = await gpu.alloc("cuckoo list", Math.max(1, options.n) * 4);
  return {
    slots,
    bytes: slots * 8,
    list,
    clear: () => gpu.run([clear]),
    insert(run, { keys, n }) {
      const onSlots = { 0: keySlots, 5: marks };
      const steps = [
        exchangeStep(keys, n),
        itemStep(mark, slots + 1, { ...onSlots, 3: builds.parameters }),
        ...scan.steps(marks, slots + 1),
        itemStep(settle, slots + 1, { ...onSlots, 4: builds.status.buffer, 6: table, 7: list }),
      ];
      return builds.attempts(run, steps, n, [clear]);
    },
    find: (run, { keys, results, n }) =>
      builds.ask(run, finder, n, { 0: table, 1: keys, 2: results, 3: builds.parameters }),
  };
}
