import { allocBanks, fittingBanks } from "../common/banks.js";
import { answering, bulk, type Made, recorded, step } from "../common/bulk.js";
import { EMPTY, fillStep, inCache, PAIR_BYTES, rangeOf, variant, WORKGROUP } from "../common/steps.js";
import { declare, flag, oneOf, type ParamsOf } from "../declare.js";
import { defineTable } from "../define.js";
import { DoesNotFit } from "../device/errors.js";
import type { Bindings } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import type { GpuTable, Lookups, Making, OpResult, Pairs, RunSteps, Traits } from "../table.js";
import { besideTable, buildBytes, inPlace, inTable, type MakeKernel } from "./build.js";
import { cuckooBuilds, type Functions, fallApart, HASHES, hashConditions, primeOf } from "./functions.js";

/** Storage buffers that a build binds beside the table: keys, values and status. */
const OTHER_BUFFERS = 3;
/** Smallest practical space a pair, by number of functions (4.3.1.1). */
export const SMALLEST_SPACE: Readonly<Record<CuckooParams["functions"], number>> = {
  2: 2.1,
  3: 1.1,
  4: 1.03,
  5: 1.02,
};

export const parameters = declare({
  functions: oneOf([2, 3, 4, 5], { default: 4, meaning: "hash functions a key has" }),
  earlyExit: flag({ default: true, meaning: "a retrieval ends at an empty slot" }),
  largePrime: flag({
    default: false,
    meaning: "hash functions are modulo 2^32 - 5, as in CUDPP, not modulo the chapter's prime",
  }),
  hash: oneOf(HASHES, {
    default: "xor",
    meaning: "how a hash function joins a key and its constant; the chapter found xor better for some data sets",
  }),
  workgroup: oneOf([256, 64], { default: 256, meaning: "lanes of a workgroup that retrieves" }),
});
export type CuckooParams = ParamsOf<typeof parameters>;

/** Largest load factor with so many functions. */
export const cuckooReach = ({ functions }: CuckooParams): number => 1 / SMALLEST_SPACE[functions];

/** Alcantara's single-level cuckoo table. See README.md. */
export const cuckoo = defineTable({
  id: "cuckoo",
  title: "Cuckoo",
  source: "Alcantara et al., GPU Computing Gems 2011, 4.3",
  parameters,
  configure: cuckooTraits,
});

export function cuckooTraits(params: CuckooParams): Traits {
  return {
    ops: ["insert", "find", "mixed"],
    maxLoadFactor: cuckooReach(params),
    duplicates: false,
    incremental: false,
    access: (op) =>
      op === "find"
        ? { pattern: "lookup8", why: "one 8-byte slot, the key, the result" }
        : { pattern: "exchange", why: "one random 32-bit exchange (pairs beside it, and settling them, not counted)" },
    bytes: (n, loadFactor) => buildBytes(slotsFor(n, loadFactor, params), n),
    sizing: { held: (n, loadFactor) => slotsFor(n, loadFactor, params) * PAIR_BYTES },
    create: (gpu, making) => openCuckoo(gpu, making, params),
  };
}

/** One more than the load factor asks for where the functions would not do for so many. */
export function slotsFor(
  n: number,
  loadFactor: number,
  { largePrime = false }: Partial<Pick<CuckooParams, "largePrime">> = {},
): number {
  const slots = Math.max(1, Math.ceil(n / loadFactor));
  return fallApart(slots, largePrime) ? slots + 1 : slots;
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
export interface Layout extends CuckooParams {
  readonly slots: number;
  /** Longest chain of evictions. */
  readonly chain: number;
}

/** Throws DoesNotFit if the functions do not reach the slots. */
export function layoutOf({ n, loadFactor }: Pick<Making, "n" | "loadFactor">, params: CuckooParams): Layout {
  const slots = slotsFor(n, loadFactor, params);
  const most = primeOf(slots, params.largePrime);
  if (slots >= most) throw new DoesNotFit(`${slots} slots: the hash functions reach fewer than ${most}`);
  return { ...params, slots, chain: chainLimit(n, loadFactor, SMALLEST_SPACE[params.functions]) };
}

/** The table, for tables that are made of it. */
export interface Cuckoo extends GpuTable {
  /** A retrieval by a kernel of this folder, which binds the table, its functions `f`, and these. */
  ask(run: RunSteps, file: string, n: number, bindings: Bindings): Promise<OpResult>;
}

export async function openCuckoo(gpu: Owner, options: Making, params: CuckooParams): Promise<Cuckoo> {
  const { slots, functions, chain, earlyExit } = layoutOf(options, params);
  const { counting } = options;
  // Counters are of workgroups of the usual size.
  const lanes = counting ? WORKGROUP : params.workgroup;
  const bytes = slots * PAIR_BYTES;
  const banks = fittingBanks(gpu, { bytes, blockBytes: PAIR_BYTES }, OTHER_BUFFERS + Number(counting));
  const { buffers, bound, conditions, constants } = await allocBanks(gpu, "cuckoo table", banks);
  const within = inPlace(bytes, gpu.maxBinding);
  const builds = await cuckooBuilds(gpu, chain, options.seed);
  const shared = {
    conditions: {
      ...conditions,
      ...hashConditions(slots, params),
      EARLY_EXIT: earlyExit,
      IN_PLACE: within,
      PAIR: true,
      PUTS: false,
      GROUPS_OF_64: lanes === 64,
    },
    constants: { ...constants, FUNCTIONS: functions },
    sizes: { slots },
    fixed: inCache(bytes),
  };
  const kernel: MakeKernel = (file, entry, takes, own) => {
    const source = {
      ...shared,
      file: `kernels/cuckoo/${file}.wgsl`,
      entry,
      conditions: { ...shared.conditions, ...own },
      bound: { ...bound, status: builds.status.buffer },
      takes,
    };
    return variant(gpu, source, counting);
  };
  const fills = await Promise.all(buffers.map((buffer) => fillStep(gpu, buffer, EMPTY)));
  const way = within ? inTable(kernel, slots, fills) : besideTable(gpu, kernel, { slots, usual: options.n }, fills);
  /** Nothing was inserted since the table was cleared: whatever is inserted next may start again with other constants. */
  let vacant = false;

  /** What makes steps of retrievals by a kernel, which ask by the functions of the build that stands then. */
  const asking = async (file: string, takes: readonly string[]) => {
    const retrieval = await kernel(file, "main", ["f", ...takes]);
    const groups = file === "find" ? WORKGROUP / lanes : 1;
    return (n: number, bindings: Bindings) => step(retrieval, groups * n, { ...bindings, f: builds.functions(n) });
  };
  const find: Made<Lookups> = async () => {
    const ask = await asking("find", ["keys", "results", "range"]);
    return ({ keys, results, n, first }) => [ask(n, { keys, results, range: rangeOf(n, first) })];
  };
  /** A build that is recorded is one attempt. */
  const once: Made<Pairs> = async () => {
    const build = await way.ready(options.n);
    return (pairs) => {
      vacant = false;
      return build(pairs).steps(builds.record(pairs.n));
    };
  };
  return {
    slots,
    bytes,
    storage: { shader: { ...shared, bound: () => ({ ...bound, f: builds.functions(options.n) }) } },
    ask: async (run, file, n, bindings) => bulk(run, (await asking(file, Object.keys(bindings)))(n, bindings)),
    async clear() {
      await gpu.run(way.clearing);
      vacant = true;
    },
    recordable: () => recorded(builds.status, { clear: async () => () => way.clearing, insert: once, find }, options.n),
    async insert(run, pairs) {
      const { steps, again } = (await way.ready(pairs.n))(pairs);
      vacant = false;
      return builds.attempts(run, steps, pairs.n, again);
    },
    find: answering(find),
    /** Throws an Error if a chain was too long and the table had pairs before: it is broken, and wants to be cleared. */
    async mixed(run, { kinds, keys, values, results, slices }) {
      const [insert, find] = await Promise.all([
        kernel("insert-slice", "main", ["kinds", "keys", "values", "results", "slice", "f"]),
        kernel("find-slice", "main", ["kinds", "keys", "results", "range", "f"]),
      ]);
      const n = slices.reduce((sum, { count }) => sum + count, 0);
      // A slice's insertions, then its retrievals.
      const steps = (f: Functions) =>
        slices.flatMap(({ first, count, only }) => {
          const shared = { kinds, keys, results, f };
          const inserting = step(insert, count, { ...shared, values, slice: { first, count, zero: 0 } });
          const finding = step(find, count, { ...shared, range: { first, end: first + count } });
          return only === "insert" ? [inserting] : only === "find" ? [finding] : [inserting, finding];
        });
      const restartable = vacant;
      vacant = false;
      if (restartable) return builds.attempts(run, steps, n, fills);
      const { ns, said } = await builds.status.run(run, steps(builds.functions(n)));
      if (said.failed > 0) throw new Error(`cuckoo: ${said.failed} chains were too long, and as many pairs are lost`);
      return { ns, count: said.refused, restarts: 0 };
    },
  };
}
