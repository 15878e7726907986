/** The slab hash: of pairs, and of keys alone. See README.md. */

import { itemStep, Status } from "../common/bulk.js";
import { PrefixSum } from "../common/scan.js";
import { groupsOf, WARP_KINDS } from "../common/warp.js";
import type { Step } from "../device/gpu.js";
import type { Kept, Owner } from "../device/owned.js";
import { defaultsOf } from "../parameters.js";
import type {
  Erasures,
  Found,
  GpuTable,
  Lookups,
  MixedBatch,
  MixedSlice,
  Occupancy,
  OpResult,
  Pairs,
  Params,
  RunSteps,
  TableOptions,
  TableType,
} from "../table.js";
import { Kernels, TILES, USUAL } from "./kernels.js";
import { ALLOCATORS, type Allocator, blocksFor, MOST_BLOCKS, marksOf, poolBytes, SlabPool } from "./pool.js";
import { bucketsFor, expectedSlabs, pairsPerSlab, SLAB_BYTES } from "./utilisation.js";

const PAIR_BYTES = 8;
const KEY_BYTES = 4;

const parameters: TableType["parameters"] = [
  {
    ...{ name: "tile", default: "auto", values: TILES },
    meaning: "lanes that read a slab together: 32 as in the paper; auto: 4 in bulk searches, 8 elsewhere",
  },
  {
    // 24 bits of an address number the base slabs.
    ...{ name: "buckets", default: 0, from: 0, to: 2 ** 24 - 1, integer: true, task: true, size: true },
    meaning: "base slabs; 0: as many as reach the load factor, which is the memory utilisation",
  },
  { name: "allocator", default: "slab-alloc-light", values: ALLOCATORS, meaning: "where further slabs come from" },
  { name: "warp", default: "auto", values: WARP_KINDS, meaning: "what a warp is made of" },
];
const UNIQUE: TableType["parameters"] = [
  {
    name: "unique",
    default: true,
    values: [true, false],
    task: true,
    meaning: "insertions are REPLACE; false: INSERT",
  },
];

interface Sizes {
  readonly buckets: number;
  /** Memory blocks of the pool at first. */
  readonly blocks: number;
  /** Slabs in use when the table holds its pairs. */
  readonly expected: number;
}

function sizesFor(n: number, loadFactor: number, params: Params, pairBytes: number): Sizes {
  const buckets = Number(params.buckets) || bucketsFor(n, loadFactor, pairBytes);
  const expected = expectedSlabs(n, buckets, pairBytes);
  // A list is rarely more than a slab from the mean: six standard deviations of their sum.
  const more = expected - buckets + 6 * Math.sqrt(buckets);
  return { buckets, blocks: blocksFor(more), expected };
}

function tableOf(
  pairBytes: number,
  own: Pick<TableType, "id" | "title" | "parameters"> & Partial<TableType>,
): TableType {
  return {
    source: "Ashkiani et al., A Dynamic Hash Table for the GPU, IPDPS 2018",
    ops: ["insert", "find", "erase", "mixed"],
    // 15/16 is reached as the number of buckets becomes 1; here a list has 58 slabs.
    maxLoadFactor: 0.93,
    duplicates: true,
    wantsNewKeys: ({ unique }) => unique === false,
    incremental: true,
    flushes: true,
    tile: ({ tile }) => (typeof tile === "number" ? tile : USUAL.find),
    access: (op) =>
      op === "find"
        ? // Of all ways to read a slab the fastest on an H200, in its cache and beyond it.
          { pattern: "lookup128x4", why: "one 128-byte slab, the key, the result" }
        : { pattern: "cas", why: "one random 32-bit CAS" },
    bytes(n, loadFactor, params = {}) {
      const { buckets, blocks } = sizesFor(n, loadFactor, { ...defaultsOf(own.parameters), ...params }, pairBytes);
      return poolBytes(buckets, blocks);
    },
    create: (gpu, options) => create(gpu, options, pairBytes),
    ...own,
  };
}

export const slabHash = tableOf(PAIR_BYTES, {
  id: "slab-hash",
  title: "Slab hash",
  multimapParams: { unique: false },
  parameters: [...parameters, ...UNIQUE],
});

/** 30 keys a slab. */
export const slabSet = tableOf(KEY_BYTES, {
  ...{ id: "slab-set", title: "Slab set", answers: "member", parameters },
});

async function create(gpu: Owner, options: TableOptions, pairBytes: number): Promise<GpuTable> {
  const sizes = sizesFor(options.n, options.loadFactor, options.params, pairBytes);
  const allocator = options.params.allocator as Allocator;
  const pool = await SlabPool.make(
    gpu,
    allocator,
    sizes.buckets,
    sizes.blocks,
    Math.ceil(sizes.expected) - sizes.buckets,
  );
  const kernels = new Kernels(gpu, options, pairBytes === KEY_BYTES, sizes.buckets, pool.bytes);
  const table = new SlabHash(
    gpu,
    sizes,
    pairBytes,
    pool,
    kernels,
    await Status.make(gpu, { own: marksOf(MOST_BLOCKS) }),
  );
  await table.clear();
  return table;
}

export class SlabHash implements GpuTable {
  /** A bit an operation that found no slab; all clear between operations. */
  private readonly pending: Kept<number, GPUBuffer>;
  private readonly counts: Kept<number, GPUBuffer>;
  private readonly values: Kept<number, GPUBuffer>;
  private scan: PrefixSum | null = null;
  readonly findAll?: (run: RunSteps, lookups: Lookups) => Promise<Found>;

  constructor(
    private readonly gpu: Owner,
    private readonly sizes: Sizes,
    /** 4: keys alone. */
    readonly pairBytes: number,
    readonly pool: SlabPool,
    private readonly kernels: Kernels,
    private readonly status: Status,
  ) {
    this.pending = gpu.kept((own, operations: number) => own.alloc("pending operations", Math.ceil(operations / 8)));
    this.counts = gpu.kept((own, words: number) => own.alloc("counts of values", words * 4));
    this.values = gpu.kept((own, words: number) => own.alloc("list of values", words * 4));
    if (pairBytes === PAIR_BYTES) this.findAll = (run, lookups) => this.searchAll(run, lookups);
  }

  readonly grows = true;

  get slots(): number {
    return Math.round((this.sizes.expected * SLAB_BYTES) / this.pairBytes);
  }

  get bytes(): number {
    return this.pool.bytes;
  }

  get marked(): readonly GPUBuffer[] {
    return Object.values(this.pool.slabs);
  }

  get buckets(): number {
    return this.sizes.buckets;
  }

  clear(): Promise<void> {
    return this.pool.clear();
  }

  async insert(run: RunSteps, { keys, values, n, first = 0 }: Pairs): Promise<OpResult> {
    const set = this.pairBytes === KEY_BYTES;
    const { changed, ...result } = await this.update(run, "insert", [{ first, count: n }], {
      1: keys,
      ...(set ? {} : { 2: values }),
    });
    return set ? { ...result, distinct: changed } : result;
  }

  mixed(run: RunSteps, { kinds, keys, values, results, slices }: MixedBatch): Promise<OpResult> {
    const pairs = this.pairBytes === KEY_BYTES ? {} : { 2: values };
    return this.update(run, "mixed", slices, { 1: keys, ...pairs, 7: kinds, 8: results });
  }

  async find(run: RunSteps, { keys, results, n }: Lookups): Promise<OpResult> {
    const { kernel, groupLanes } = await this.kernels.find();
    const bindings = { ...this.pool.slabs, 1: keys, 2: results, 3: this.gpu.constant(n), 4: this.status.buffer };
    const { ns } = await this.run(run, [{ kernel, bindings, groups: groupsOf(n, groupLanes) }]);
    return { ns, count: 0, restarts: 0 };
  }

  erase(run: RunSteps, keys: Erasures): Promise<OpResult> {
    return this.remove(run, "erase", keys);
  }

  eraseAll(run: RunSteps, keys: Erasures): Promise<OpResult> {
    return this.remove(run, "eraseAll", keys);
  }

  /** Gives back the slabs that erased keys have left; `count`: how many. The slots of erased keys can be used again. */
  async flush(run: RunSteps): Promise<OpResult> {
    const { pool } = this;
    const bits = pool.allocator === "bump" ? {} : { 5: pool.bits };
    const bindings = { ...this.walk(), ...pool.addresses, ...bits };
    const { ns, status } = await this.run(run, [itemStep(await this.kernels.lists("flush"), this.buckets, bindings)]);
    return { ns, count: status[1] ?? 0, restarts: 0 };
  }

  async occupancy(): Promise<Occupancy> {
    const step = itemStep(await this.kernels.lists("occupancy"), this.buckets, this.walk());
    const { status } = await this.run((steps, buffer) => this.gpu.time(steps, buffer), [step]);
    const [pairs = 0, slabs = 0] = status;
    const bytes = slabs * SLAB_BYTES;
    const utilisation = (pairs * this.pairBytes) / bytes;
    const allocated = await this.pool.used();
    return {
      ...{ pairs, lists: this.buckets, nodes: slabs, perNode: pairsPerSlab(this.pairBytes), bytes, utilisation },
      ...(allocated !== null && { allocated }),
    };
  }

  private walk(): Step["bindings"] {
    return { ...this.pool.slabs, 3: this.gpu.constant(this.pool.total), 4: this.status.buffer };
  }

  private async remove(run: RunSteps, what: "erase" | "eraseAll", { keys, n }: Erasures): Promise<OpResult> {
    const { kernel, groupLanes } = await this.kernels.update(what);
    const batch = this.gpu.constant(0, n, 1, 0, this.pool.blocks);
    const bindings = { ...this.pool.slabs, 1: keys, 3: batch, 4: this.status.buffer };
    const { ns, status } = await this.run(run, [{ kernel, bindings, groups: groupsOf(n, groupLanes) }]);
    return { ns, count: status[1] ?? 0, restarts: 0 };
  }

  private async searchAll(run: RunSteps, { keys, results, n }: Lookups): Promise<Found> {
    this.scan ??= await PrefixSum.make(this.gpu);
    const counts = await this.counts.get(n + 1);
    const [counting, collecting] = await Promise.all([this.kernels.findAll(false), this.kernels.findAll(true)]);
    const groups = groupsOf(n, counting.groupLanes);
    const bindings = { ...this.pool.slabs, 1: keys, 3: this.gpu.constant(n), 4: this.status.buffer, 5: counts };
    await this.gpu.zero(counts);
    const counted = await this.run(run, [
      { kernel: counting.kernel, bindings, groups },
      ...this.scan.steps(counts, n + 1),
    ]);
    const [total = 0] = await this.gpu.read(counts, 1, n);
    const list = await this.values.get(Math.max(1, total));
    const collected = await this.run(run, [
      { kernel: collecting.kernel, bindings: { ...bindings, 2: results, 6: list }, groups },
    ]);
    return { ns: counted.ns + collected.ns, count: total, restarts: 0, list };
  }

  /**
   * Runs the slices. Where one runs out of slabs, those after it do nothing; the pool grows, and what found no slab and the
   * slices after it run again. If it cannot grow, what found no slab is counted, and the slices after it run.
   */
  private async update(
    run: RunSteps,
    what: "insert" | "mixed",
    slices: readonly MixedSlice[],
    buffers: Step["bindings"],
  ): Promise<OpResult & { readonly changed: number }> {
    const { kernel, groupLanes } = await this.kernels.update(what);
    const pending = await this.pending.get(Math.max(1, ...slices.map(({ first, count }) => first + count)));
    const step = ({ first, count }: MixedSlice, number: number, retry: boolean): Step => {
      const { slabs, addresses, bits, blocks } = this.pool;
      const batch = this.gpu.constant(first, first + count, number, retry ? 1 : 0, blocks);
      const own = { ...slabs, ...addresses, 3: batch, 4: this.status.buffer, 5: bits, 6: pending };
      return { kernel, bindings: { ...buffers, ...own }, groups: groupsOf(count, groupLanes) };
    };
    const result = { ns: 0, count: 0, restarts: 0, changed: 0 };
    let [begin, retry] = [0, false];
    while (begin < slices.length) {
      const left = slices.slice(begin).map((slice, i) => step(slice, begin + i + 1, retry && i === 0));
      const { ns, status } = await this.run(run, left);
      const [refused = 0, changed = 0, missing = 0, halted = 0] = status;
      result.ns += ns;
      result.count += refused;
      result.changed += changed;
      if (missing === 0) return result;
      begin = halted - 1;
      // At worst a slab an operation; and a list that wants several fills them.
      retry = await this.pool.grow(Math.min(missing, this.buckets + missing / pairsPerSlab(this.pairBytes)));
      if (retry) continue;
      result.count += missing;
      begin += 1;
      await this.gpu.zero(pending);
    }
    return result;
  }

  private async run(run: RunSteps, steps: readonly Step[]): ReturnType<RunSteps> {
    const result = await this.status.run(run, steps);
    if (result.status[3] === 0xffffffff) throw new Error("slab hash: a list has no end");
    return result;
  }
}
