import { bulk, step } from "../common/bulk.js";
import { PrefixSum } from "../common/scan.js";
import { EMPTY, fillStep, inCache, lazily, rangeOf, variant } from "../common/steps.js";
import { declare } from "../declare.js";
import { defineTable } from "../define.js";
import { dispatch } from "../device/bind.js";
import { UsageError } from "../device/errors.js";
import type { Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import type { Description, GpuTable, Making, TableType, UnavoidableAccess } from "../table.js";
import { BUCKET_SLOTS, type BucketParameters, bucketBuilds, bucketPhases, bucketsFor, phaseBytes } from "./buckets.js";
import { MAX_LOAD_FACTOR } from "./two-level.js";

/** Bytes of a slot: (key, id); (key, first, count, nothing). */
const SLOT_BYTES = { id: 8, range: 16 } as const;
/** Bytes of what is brought into the order of the buckets: keys; pairs. */
const ITEM_BYTES = { id: 4, range: 8 } as const;
type RepeatedAnswer = keyof typeof SLOT_BYTES;

function repeatedTable(
  about: Pick<Description, "id" | "title">,
  answers: RepeatedAnswer,
  accesses: Readonly<Record<"insert" | "find", UnavoidableAccess>>,
): TableType {
  return defineTable({
    ...about,
    source: "Alcantara et al., SIGGRAPH Asia 2009, and GPU Computing Gems 2011, 4.4",
    parameters: declare({}),
    configure: () => ({
      ops: ["insert", "find"],
      answers,
      maxLoadFactor: MAX_LOAD_FACTOR,
      duplicates: true,
      incremental: false,
      access: (op) => accesses[op === "find" ? op : "insert"],
      bytes(n, loadFactor) {
        const buckets = bucketsFor(n, loadFactor);
        const kept = buckets * (BUCKET_SLOTS * SLOT_BYTES[answers] + 2 * 4) + n * 4;
        return kept + phaseBytes(n, buckets, ITEM_BYTES[answers]);
      },
      create: (gpu, making) => create(gpu, making, about.id, answers),
    }),
  });
}

/** The compacting table that the chapter's is compared with. See README.md. */
export const twoLevelCompacting = repeatedTable({ id: "two-level-compacting", title: "Two-level compacting" }, "id", {
  find: { pattern: "lookup8", why: "one 8-byte slot, the key, the id (the bucket's seed not counted)" },
  insert: { pattern: "write4", why: "one random 4-byte write, into the order of the buckets" },
});

/** The multivalue table that the chapter's is compared with. See README.md. */
export const twoLevelMultivalue = repeatedTable(
  { id: "two-level-multivalue", title: "Two-level multivalue" },
  "range",
  {
    find: { pattern: "lookup16", why: "one 16-byte slot, the key, the range (the bucket's seed not counted)" },
    insert: { pattern: "write8", why: "one random 8-byte write, into the order of the buckets" },
  },
);

async function create(gpu: Owner, options: Making, id: string, answers: RepeatedAnswer): Promise<GpuTable> {
  const { n, loadFactor, seed, counting } = options;
  const buckets = bucketsFor(n, loadFactor);
  const slots = buckets * BUCKET_SLOTS;
  const keysOnly = answers === "id";
  const table = await gpu.alloc("two-level table", slots * SLOT_BYTES[answers]);
  const list = await gpu.alloc("two-level list", n * 4);
  const seeds = await gpu.alloc("two-level seeds", buckets * 4);
  const builds = await bucketBuilds(gpu, seed);
  const phases = await bucketPhases(gpu, buckets, builds, { keysOnly, counting });
  const source = (name: string) => ({
    file: `kernels/two-level/${name}.wgsl`,
    sizes: { buckets },
    fixed: inCache(table.size),
    bound: { table, list, seeds, ...phases.bound },
  });
  /** One workgroup a bucket. */
  const building = (entry: string) => ({
    ...source(entry),
    entry,
    conditions: { COOPERATIVE: true, KEYS_ONLY: keysOnly },
  });

  /** Steps that make the table and the list of the items in order. */
  async function ranges(): Promise<(items: GPUBuffer, parameters: BucketParameters) => Step[]> {
    const group = await variant(gpu, { ...building("group"), takes: ["items", "parameters"] }, counting);
    return (items, parameters) => [dispatch(group, buckets, { items, parameters })];
  }
  async function ids(): Promise<(items: GPUBuffer, parameters: BucketParameters) => Step[]> {
    // First the number of keys of each bucket; after the prefix sum, its first id.
    const bases = await gpu.alloc("two-level bases", (buckets + 1) * 4);
    const [prefixSum, compact, number] = await Promise.all([
      PrefixSum.make(gpu),
      variant(gpu, { ...building("compact"), takes: ["items", "counts", "parameters"] }, counting),
      variant(gpu, { ...source("ids"), entry: "ids", takes: ["bases"] }, counting),
    ]);
    return (items, parameters) => [
      dispatch(compact, buckets, { items, counts: bases, parameters }),
      ...prefixSum.steps(bases, buckets + 1),
      step(number, slots, { bases }),
    ];
  }
  const build = lazily(keysOnly ? ids : ranges);
  const finding = {
    ...source("find"),
    conditions: { RANGES: !keysOnly },
    takes: ["queries", "results", "parameters", "range"],
  } as const;
  const find = lazily(() => variant(gpu, finding, counting));
  const fill = await fillStep(gpu, table, EMPTY);
  return {
    slots,
    bytes: slots * SLOT_BYTES[answers] + buckets * 4,
    storage: { reads: { indexBytes: buckets * 4 }, list },
    /** A build writes every slot, so only searches before it need this. */
    clear: () => gpu.run([fill]),
    /** Throws a UsageError if there are more pairs than the list has room for. */
    async insert(run, pairs) {
      if (pairs.n > n) throw new UsageError(`${id}: ${pairs.n} pairs; the table is for ${n}`);
      const { steps, items } = await phases.ready(pairs.n);
      const last = await build();
      return builds.attempts(run, (parameters) => [...steps(pairs, parameters), ...last(items, parameters)], pairs.n);
    },
    async find(run, { keys, results, n, first }) {
      const bindings = { queries: keys, results, parameters: builds.functions(n), range: rangeOf(n, first) };
      return bulk(run, step(await find(), n, bindings));
    },
  };
}
