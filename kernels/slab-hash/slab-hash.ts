/** The slab hash. See README.md. */

import { Status } from "../common/bulk.js";
import { inCache, variant } from "../common/steps.js";
import { WARP_KINDS, warpConditions } from "../common/warp.js";
import type { DeviceInfo, Kernel, Step } from "../device/gpu.js";
import type { Kept, Owner } from "../device/owned.js";
import { defaultsOf } from "../parameters.js";
import type {
  Erasures,
  GpuTable,
  Lookups,
  MixedBatch,
  MixedSlice,
  OpResult,
  Pairs,
  Params,
  RunSteps,
  TableOptions,
  TableType,
} from "../table.js";
import { ALLOCATORS, blocksFor, poolBytes, SlabPool } from "./pool.js";
import { bucketsFor, expectedSlabs, SLAB_BYTES } from "./utilisation.js";

const PAIR_BYTES = 8;
/** Lanes that read a slab together. */
const TILES = [4, 8, 32] as const;
/** Fastest on an H200. */
const USUAL_TILES = { find: 4, update: 8 } as const;

const parameters: TableType["parameters"] = [
  {
    ...{ name: "tile", default: "auto", values: TILES },
    meaning: "lanes that read a slab together: 32 as in the paper; auto: 4 in bulk searches, 8 elsewhere",
  },
  {
    ...{ name: "buckets", default: 0, from: 0, to: 2 ** 24, integer: true },
    meaning: "base slabs; 0: as many as reach the load factor, which is the memory utilisation",
  },
  { name: "unique", default: true, values: [true, false], meaning: "insertions are REPLACE; false: INSERT" },
  { name: "allocator", default: "slab-alloc-light", values: ALLOCATORS, meaning: "where slabs come from" },
  { name: "warp", default: "auto", values: WARP_KINDS, meaning: "what a warp is made of" },
];

interface Sizes {
  readonly buckets: number;
  /** Memory blocks of the pool at first. */
  readonly blocks: number;
  /** Slabs in use when the table holds its pairs. */
  readonly expected: number;
}

function sizesFor(n: number, loadFactor: number, params: Params): Sizes {
  const buckets = Number(params.buckets) || bucketsFor(n, loadFactor, PAIR_BYTES);
  const expected = expectedSlabs(n, buckets, PAIR_BYTES);
  // A list is rarely more than a slab from the mean: six standard deviations of their sum.
  const more = expected - buckets + 6 * Math.sqrt(buckets);
  return { buckets, blocks: blocksFor(more), expected };
}

export const slabHash: TableType = {
  id: "slab-hash",
  title: "Slab hash",
  source: "Ashkiani et al., A Dynamic Hash Table for the GPU, IPDPS 2018",
  ops: ["insert", "find", "erase", "mixed"],
  // 15/16 is reached as the number of buckets becomes 1; here a list has 58 slabs.
  maxLoadFactor: 0.93,
  duplicates: true,
  incremental: true,
  parameters,
  access: (op) =>
    op === "find"
      ? { pattern: "lookup128x8", why: "one 128-byte slab, the key, the result" }
      : { pattern: "cas", why: "one random 32-bit CAS" },
  bytes(n, loadFactor, params = {}) {
    const { buckets, blocks } = sizesFor(n, loadFactor, { ...defaultsOf(parameters), ...params });
    return poolBytes(buckets, blocks);
  },
  create,
};

async function create(gpu: Owner, options: TableOptions): Promise<GpuTable> {
  const sizes = sizesFor(options.n, options.loadFactor, options.params);
  const pool = await SlabPool.make(gpu, sizes.buckets, sizes.blocks);
  const table = new SlabHash(gpu, options, sizes, pool, await Status.make(gpu));
  await pool.clear();
  return table;
}

/** Operations that change the table: conditions of update.wgsl. */
const UPDATES = {
  insert: { INSERTS: true },
  erase: { ERASES: true },
  mixed: {},
} as const;

class SlabHash implements GpuTable {
  /** A bit an operation that found no slab; all clear between operations. */
  private readonly pending: Kept<number, GPUBuffer>;

  constructor(
    private readonly gpu: Owner,
    private readonly options: TableOptions,
    private readonly sizes: Sizes,
    private readonly pool: SlabPool,
    private readonly status: Status,
  ) {
    this.pending = gpu.kept((own, operations: number) => own.alloc("pending operations", Math.ceil(operations / 8)));
  }

  get slots(): number {
    return Math.round((this.sizes.expected * SLAB_BYTES) / PAIR_BYTES);
  }

  get bytes(): number {
    return this.pool.bytes;
  }

  clear(): Promise<void> {
    return this.pool.clear();
  }

  async insert(run: RunSteps, { keys, values, n, first = 0 }: Pairs): Promise<OpResult> {
    return this.update(run, "insert", [{ first, count: n }], { 1: keys, 2: values });
  }

  async find(run: RunSteps, { keys, results, n }: Lookups): Promise<OpResult> {
    const { kernel, groupLanes } = await this.finder();
    const bindings = { 0: this.pool.slabs, 1: keys, 2: results, 3: this.gpu.constant(n), 4: this.status.buffer };
    const { ns, status } = await this.status.run(run, [{ kernel, bindings, groups: groupsOf(n, groupLanes) }]);
    checkBound(status);
    return { ns, count: 0, restarts: 0 };
  }

  async erase(run: RunSteps, { keys, n }: Erasures): Promise<OpResult> {
    const { kernel, groupLanes } = await this.updater("erase");
    const batch = this.gpu.constant(0, n, 1, 0, this.pool.blocks);
    const bindings = { 0: this.pool.slabs, 1: keys, 3: batch, 4: this.status.buffer };
    const { ns, status } = await this.status.run(run, [{ kernel, bindings, groups: groupsOf(n, groupLanes) }]);
    checkBound(status);
    return { ns, count: status[1] ?? 0, restarts: 0 };
  }

  mixed(run: RunSteps, { kinds, keys, values, results, slices }: MixedBatch): Promise<OpResult> {
    return this.update(run, "mixed", slices, { 1: keys, 2: values, 7: kinds, 8: results });
  }

  /**
   * Runs the slices. Where one runs out of slabs, those after it do nothing; the pool grows, and what found no slab and the
   * slices after it run again. If it cannot grow, what found no slab is counted, and the slices after it run.
   */
  private async update(
    run: RunSteps,
    what: "insert" | "mixed",
    slices: readonly MixedSlice[],
    buffers: Readonly<Record<number, GPUBuffer>>,
  ): Promise<OpResult> {
    const { kernel, groupLanes } = await this.updater(what);
    const pending = await this.pending.get(Math.max(1, ...slices.map(({ first, count }) => first + count)));
    const step = (number: number, retry: boolean): Step => {
      const { first, count } = slices[number] ?? { first: 0, count: 0 };
      const batch = this.gpu.constant(first, first + count, number + 1, retry ? 1 : 0, this.pool.blocks);
      const own = { 0: this.pool.slabs, 3: batch, 4: this.status.buffer, 5: this.pool.bits, 6: pending };
      return { kernel, bindings: { ...buffers, ...own }, groups: groupsOf(count, groupLanes) };
    };
    let [ns, count, begin, retry] = [0, 0, 0, false];
    for (;;) {
      const steps = slices.slice(begin).map((_, i) => step(begin + i, retry && i === 0));
      const { ns: took, status } = await this.status.run(run, steps);
      checkBound(status);
      ns += took;
      count += status[0] ?? 0;
      const missing = status[2] ?? 0;
      if (missing === 0) return { ns, count, restarts: 0 };
      begin = (status[3] ?? 1) - 1;
      retry = await this.pool.grow(missing);
      if (retry) continue;
      count += missing;
      await this.gpu.zero(pending);
      begin += 1;
      if (begin === slices.length) return { ns, count, restarts: 0 };
    }
  }

  private finder(): Promise<Compiled> {
    const tile = this.tileOf("find");
    return this.compile("find", tile, { WORDS: tile === 32, WIDE: tile === 4 });
  }

  private updater(what: keyof typeof UPDATES): Promise<Compiled> {
    const tile = this.tileOf("update");
    const looks = tile === 32 ? 1 : 16 / tile;
    const { unique, allocator } = this.options.params;
    return this.compile("update", tile, {
      ...{ INSERTS: false, ERASES: false, ALL: false, ...UPDATES[what] },
      ...{ EVEN: tile < 32, LOOKS_1: looks === 1, LOOKS_2: looks === 2, LOOKS_4: looks === 4 },
      ...{ UNIQUE: unique === true, BUMP: allocator === "bump" },
    });
  }

  private tileOf(what: keyof typeof USUAL_TILES): number {
    const { tile } = this.options.params;
    return typeof tile === "number" ? tile : USUAL_TILES[what];
  }

  private async compile(name: string, tile: number, conditions: Readonly<Record<string, boolean>>): Promise<Compiled> {
    const { gpu, options, sizes } = this;
    const warp = warpFor(gpu.info, tile, options.params);
    const source = {
      file: `kernels/slab-hash/${name}.wgsl`,
      conditions: { KEYS: false, ...conditions, ...warp.conditions },
      constants: { TILE: tile, ...warp.constants },
      sizes: { buckets: sizes.buckets, seed: options.seed },
      fixed: inCache(this.pool.bytes),
    };
    return { kernel: await variant(gpu, source, options.counting), groupLanes: warp.groupLanes };
  }
}

interface Compiled {
  readonly kernel: Kernel;
  readonly groupLanes: number;
}

/** Subgroups that hold a tile serve as warps, whatever their width; a virtual warp has the paper's 32 lanes. */
function warpFor(info: DeviceInfo, tile: number, { warp = "auto" }: Params) {
  const own = Math.min(32, info.subgroupMin);
  return warpConditions(info, own >= tile && warp !== "virtual" ? own : 32, warp);
}

function groupsOf(items: number, lanes: number): number {
  return Math.max(1, Math.ceil(items / lanes));
}

function checkBound(status: Uint32Array): void {
  if (status[3] === 0xffffffff) throw new Error("slab hash: a list has no end");
}
