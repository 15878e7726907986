import { itemStep } from "../common/bulk.js";
import { EMPTY, fillStep, inCache, variant } from "../common/steps.js";
import { UsageError } from "../device/errors.js";
import type { KernelSource, Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import type { GpuTable, OpResult, RunSteps, TableOptions, TableType } from "../table.js";
import { cuckooBuilds } from "./functions.js";

/** The prime of the chapter's hash functions; the table has fewer slots than it. */
export const P = 334214459;
const PAIR_BYTES = 8;
/** Smallest practical space a pair, by number of functions (4.3.1.1). */
export const SMALLEST_SPACE: Readonly<Record<number, number>> = { 2: 2.1, 3: 1.1, 4: 1.03, 5: 1.02 };

/** Alcantara's single-level cuckoo table. See README.md. */
export const cuckoo: TableType = {
  id: "cuckoo",
  title: "Cuckoo",
  source: "Alcantara et al., GPU Computing Gems 2011, 4.3",
  ops: ["insert", "find", "mixed"],
  maxLoadFactor: 1 / 1.03,
  duplicates: false,
  incremental: false,
  parameters: [
    { name: "functions", default: 4, values: [2, 3, 4, 5], meaning: "hash functions a key has" },
    { name: "earlyExit", default: true, values: [true, false], meaning: "a retrieval ends at an empty slot" },
  ],
  reach: ({ functions }) => 1 / (SMALLEST_SPACE[Number(functions)] ?? 1),
  access: (op) =>
    op === "find"
      ? { pattern: "lookup8", why: "one 8-byte slot, the key, the result" }
      : { pattern: "exchange", why: "one random 32-bit exchange (packing and settling pairs not counted)" },
  // With what a build needs beside the table: a number a slot, and the pairs side by side.
  bytes: (n, loadFactor) => slotsFor(n, loadFactor) * (PAIR_BYTES + 4) + n * PAIR_BYTES,
  held: (n, loadFactor) => slotsFor(n, loadFactor) * PAIR_BYTES,
  create: openCuckoo,
};

export function slotsFor(n: number, loadFactor: number): number {
  return Math.max(1, Math.ceil(n / loadFactor));
}

/**
 * Longest chain of evictions: the chapter's 7 lg n, which it gives for 1.25n slots and four functions. Nearer to the
 * smallest practical space chains grow as the headroom shrinks, and the limit with them (ours; the chapter only says that
 * it depends on both sizes).
 */
export function chainLimit(n: number, loadFactor: number, smallestSpace: number): number {
  const headroom = 1 - loadFactor * smallestSpace;
  const usual = 1 - 0.8 * 1.03;
  return Math.ceil(7 * Math.log2(Math.max(2, n)) * Math.min(50, Math.max(1, usual / Math.max(1e-3, headroom))));
}

/** What of a table is known before it has pairs. */
export interface Layout {
  readonly slots: number;
  readonly functions: number;
  /** Longest chain of evictions. */
  readonly chain: number;
  /** A retrieval ends at an empty slot. */
  readonly earlyExit: boolean;
}

/** Throws a UsageError if the functions do not reach the slots. */
export function layoutOf({ n, loadFactor, params }: TableOptions): Layout {
  const functions = Number(params.functions);
  const slots = slotsFor(n, loadFactor);
  if (slots >= P) throw new UsageError(`cuckoo: ${slots} slots; its hash functions reach fewer than ${P}`);
  const chain = chainLimit(n, loadFactor, SMALLEST_SPACE[functions] ?? 1);
  return { slots, functions, chain, earlyExit: params.earlyExit === true };
}

/** The table, for tables that are made of it. */
export interface Cuckoo extends GpuTable {
  /** A retrieval by a kernel of this folder, whose bindings 0 and 3 are the table's own. */
  ask(run: RunSteps, file: string, n: number, bindings: Step["bindings"]): Promise<OpResult>;
}

export async function openCuckoo(gpu: Owner, options: TableOptions): Promise<Cuckoo> {
  const { slots, functions, chain, earlyExit } = layoutOf(options);
  const source = (file: string, entry = "main"): KernelSource => {
    const sizes = { sizes: { slots }, fixed: inCache(slots * PAIR_BYTES) };
    const constants = { FUNCTIONS: functions };
    return { file: `kernels/cuckoo/${file}.wgsl`, entry, constants, ...sizes, conditions: { EARLY_EXIT: earlyExit } };
  };
  const kernel = (file: string, entry?: string) => variant(gpu, source(file, entry), options.counting);
  const table = await gpu.alloc("cuckoo table", slots * PAIR_BYTES);
  const builds = await cuckooBuilds(gpu, chain, options.seed);
  const own = { 0: table, 3: builds.parameters };
  const fill = await fillStep(gpu, table, EMPTY);
  /** What a build needs beside the table: the pairs in the order of the input and, by slot, the number of its pair. */
  const scratch = gpu.kept(async (beside, n: number) => {
    const pairs = await beside.alloc("cuckoo pairs", Math.max(1, n) * PAIR_BYTES);
    const homes = await beside.alloc("cuckoo homes", slots * 4);
    const fillHomes = await fillStep(gpu, homes, EMPTY);
    await gpu.run([fillHomes]);
    return { pairs, homes, fillHomes };
  });
  /** Nothing was inserted since the table was cleared: whatever is inserted next may start again with other constants. */
  let vacant = false;

  const ask: Cuckoo["ask"] = async (run, file, n, bindings) =>
    builds.ask(run, await kernel(file), n, { ...own, ...bindings });
  return {
    slots,
    bytes: slots * PAIR_BYTES,
    ask,
    async clear() {
      await gpu.run(scratch.now ? [fill, scratch.now.fillHomes] : [fill]);
      vacant = true;
    },
    async insert(run, { keys, values, n }) {
      const { pairs, homes, fillHomes } = await scratch.get(n);
      const [pack, exchange, settle] = await Promise.all([
        // It only copies: there is nothing to count.
        gpu.kernel(source("insert", "pack")),
        kernel("insert", "exchange"),
        kernel("insert", "settle"),
      ]);
      const f = { 3: builds.parameters };
      const steps = [
        itemStep(pack, n, { ...f, 1: keys, 2: values, 6: pairs }),
        itemStep(exchange, n, { ...f, 1: keys, 4: builds.status.buffer, 5: homes }),
        itemStep(settle, slots, { 0: table, 5: homes, 6: pairs }),
      ];
      vacant = false;
      return builds.attempts(run, steps, n, [fillHomes]);
    },
    find: (run, { keys, results, n }) => ask(run, "find", n, { 1: keys, 2: results }),
    /** Throws an Error if a chain was too long and the table had pairs before: it is broken, and wants to be cleared. */
    async mixed(run, { kinds, keys, values, results, slices }) {
      const [insert, find] = await Promise.all([kernel("insert-slice"), kernel("find-slice")]);
      // A slice's insertions, then its retrievals.
      const steps = slices.flatMap(({ first, count, only }) => {
        const shared = { ...own, 1: keys, 5: kinds, 6: results, 7: gpu.constant(first, count, 0) };
        const inserting = itemStep(insert, count, { ...shared, 2: values, 4: builds.status.buffer });
        const finding = itemStep(find, count, shared);
        return only === "insert" ? [inserting] : only === "find" ? [finding] : [inserting, finding];
      });
      const n = slices.reduce((sum, { count }) => sum + count, 0);
      const restartable = vacant;
      vacant = false;
      if (restartable) return builds.attempts(run, steps, n, [fill]);
      builds.setItems(n);
      const { ns, status } = await builds.status.run(run, steps);
      const [failed = 0, refused = 0] = status;
      if (failed > 0) throw new Error(`cuckoo: ${failed} chains were too long, and as many pairs are lost`);
      return { ns, count: refused, restarts: 0 };
    },
  };
}
