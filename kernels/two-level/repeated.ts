import { PrefixSum } from "../common/scan.js";
import { EMPTY, fillStep, groupsFor, variant } from "../common/steps.js";
import { UsageError } from "../device/errors.js";
import type { Gpu, Kernel, Step } from "../device/gpu.js";
import type { GpuTable, Lookups, OpResult, Pairs, RunSteps, TableOptions, TableType } from "../table.js";
import { buildInAttempts } from "./attempts.js";
import { BUCKET_SLOTS, BucketPhases, bucketsFor, drawBuckets, phaseBytes } from "./buckets.js";
import { twoLevel } from "./two-level.js";

const shared = {
  source: "Alcantara et al., SIGGRAPH Asia 2009, and GPU Computing Gems 2011, 4.4",
  ops: ["insert", "find"],
  maxLoadFactor: twoLevel.maxLoadFactor,
  duplicates: true,
  incremental: false,
  parameters: [],
} as const satisfies Partial<TableType>;

/** Bytes of a slot: (key, id); (key, first, count, nothing). */
const SLOT_BYTES = { id: 8, range: 16 } as const;
/** Bytes of what is brought into the order of the buckets: keys; pairs. */
const ITEM_BYTES = { id: 4, range: 8 } as const;
type RepeatedAnswer = keyof typeof SLOT_BYTES;

function bytesFor(answers: RepeatedAnswer): TableType["bytes"] {
  return (n, loadFactor) => {
    const buckets = bucketsFor(n, loadFactor);
    return buckets * (BUCKET_SLOTS * SLOT_BYTES[answers] + 2 * 4) + n * 4 + phaseBytes(n, buckets, ITEM_BYTES[answers]);
  };
}

/** The compacting table that the chapter's is compared with. See README.md. */
export const twoLevelCompacting: TableType = {
  ...shared,
  id: "two-level-compacting",
  title: "Two-level compacting",
  answers: "id",
  access: (op) =>
    op === "find"
      ? { pattern: "lookup8", why: "one 8-byte slot, the key, the id (the bucket's seed not counted)" }
      : { pattern: "write4", why: "one random 4-byte write, into the order of the buckets" },
  bytes: bytesFor("id"),
  create: (gpu, options) => create(gpu, options, twoLevelCompacting.id, "id"),
};

/** The multivalue table that the chapter's is compared with. See README.md. */
export const twoLevelMultivalue: TableType = {
  ...shared,
  id: "two-level-multivalue",
  title: "Two-level multivalue",
  answers: "range",
  access: (op) =>
    op === "find"
      ? { pattern: "lookup16", why: "one 16-byte slot, the key, the range (the bucket's seed not counted)" }
      : { pattern: "write8", why: "one random 8-byte write, into the order of the buckets" },
  bytes: bytesFor("range"),
  create: (gpu, options) => create(gpu, options, twoLevelMultivalue.id, "range"),
};

/** What the two tables are made of. */
interface Parts {
  readonly gpu: Gpu;
  readonly options: TableOptions;
  readonly buckets: number;
  readonly phases: BucketPhases;
  readonly buffers: Readonly<Record<"table" | "list" | "seeds" | "status" | "parameters", GPUBuffer>>;
  /** Steps that make the table and the list of what the phases brought into order. */
  readonly build: (items: GPUBuffer) => readonly Step[];
  readonly find: Kernel;
  readonly fill: Step;
}

/** Keeps what is made, so that it can be freed together. */
class Owned {
  private readonly made: { destroy(): void }[] = [];

  async take<T extends { destroy(): void }>(making: T | Promise<T>): Promise<T> {
    const one = await making;
    this.made.push(one);
    return one;
  }

  destroy(): void {
    for (const one of this.made) one.destroy();
  }
}

/** Throws a UsageError for a load factor beyond the table's, DoesNotFit. */
async function create(gpu: Gpu, options: TableOptions, id: string, answers: RepeatedAnswer): Promise<GpuTable> {
  if (options.loadFactor > shared.maxLoadFactor + 1e-3) {
    throw new UsageError(`${id}: load factor ${options.loadFactor} is beyond its ${shared.maxLoadFactor.toFixed(3)}`);
  }
  const owned = new Owned();
  try {
    return new RepeatedKeys(await makeParts(gpu, options, answers, owned), SLOT_BYTES[answers], owned);
  } catch (error) {
    owned.destroy();
    throw error;
  }
}

async function makeParts(gpu: Gpu, options: TableOptions, answers: RepeatedAnswer, owned: Owned): Promise<Parts> {
  const { n, loadFactor, seed, counting } = options;
  const buckets = bucketsFor(n, loadFactor);
  const keysOnly = answers === "id";
  const kernel = (entry: string, file: string, conditions: Record<string, boolean>) => {
    const source = { file: `kernels/two-level/${file}.wgsl`, entry, conditions, sizes: { buckets } };
    return variant(gpu, source, counting);
  };
  const alloc = (what: string, bytes: number) => owned.take(gpu.alloc(`two-level ${what}`, bytes));
  const buffers = {
    table: await alloc("table", buckets * BUCKET_SLOTS * SLOT_BYTES[answers]),
    list: await alloc("list", n * 4),
    seeds: await alloc("seeds", buckets * 4),
    status: await alloc("status", 16),
    parameters: await owned.take(gpu.uniform([0, ...drawBuckets(seed, 0)])),
  };
  const phases = await owned.take(BucketPhases.make(gpu, buckets, { keysOnly, counting }));
  const find = await kernel("main", "find", { RANGES: !keysOnly });
  const fill = await fillStep(gpu, buffers.table, EMPTY);
  const { table, list, seeds, status, parameters } = buffers;
  const bindings = { 0: table, 1: phases.starts, 3: parameters, 4: status, 7: seeds };
  const cooperative = { COOPERATIVE: true, KEYS_ONLY: keysOnly };
  const rest = { gpu, options, buckets, phases, buffers, find, fill };
  if (!keysOnly) {
    const group = await kernel("group", "group", cooperative);
    return {
      ...rest,
      build: (items) => [{ kernel: group, bindings: { ...bindings, 6: items, 8: list }, groups: buckets }],
    };
  }
  const bases = await alloc("bases", (buckets + 1) * 4);
  const prefixSum = await owned.take(PrefixSum.make(gpu));
  const compact = await kernel("compact", "compact", cooperative);
  const ids = await kernel("ids", "ids", {});
  return {
    ...rest,
    build: (items) => [
      { kernel: compact, bindings: { ...bindings, 6: items, 8: bases }, groups: buckets },
      ...prefixSum.steps(bases, buckets + 1),
      {
        kernel: ids,
        bindings: { 0: table, 4: status, 8: bases, 9: list },
        groups: groupsFor(buckets * BUCKET_SLOTS),
      },
    ],
  };
}

class RepeatedKeys implements GpuTable {
  constructor(
    private readonly parts: Parts,
    private readonly slotBytes: number,
    private readonly owned: Owned,
  ) {}

  get slots(): number {
    return this.parts.buckets * BUCKET_SLOTS;
  }

  get bytes(): number {
    return this.slots * this.slotBytes + this.parts.buckets * 4;
  }

  get list(): GPUBuffer {
    return this.parts.buffers.list;
  }

  /** A build writes every slot, so only searches before it need this. */
  async clear(): Promise<void> {
    await this.parts.gpu.run([this.parts.fill]);
  }

  /** Throws a UsageError if there are more pairs than the list has room for. */
  async insert(run: RunSteps, input: Pairs): Promise<OpResult> {
    const { gpu, options, phases, buffers, build } = this.parts;
    const { n, seed } = options;
    if (input.n > n) throw new UsageError(`two-level: ${input.n} pairs; the table is for ${n}`);
    const { steps, items } = await phases.steps(input, buffers.parameters, buffers.status);
    const attempts = { ...buffers, n: input.n, seed };
    const { result, word } = await buildInAttempts(gpu, run, [...steps, ...build(items)], attempts);
    return { ...result, distinct: word };
  }

  async find(run: RunSteps, { keys, results, n }: Lookups): Promise<OpResult> {
    const { gpu, buffers, find } = this.parts;
    const { table, seeds, parameters } = buffers;
    gpu.write(parameters, 0, Uint32Array.of(n));
    const bindings = { 0: table, 1: keys, 2: results, 3: parameters, 7: seeds };
    const { ns } = await run([{ kernel: find, bindings, groups: groupsFor(n) }]);
    return { ns, count: 0, restarts: 0 };
  }

  destroy(): void {
    this.owned.destroy();
  }
}
