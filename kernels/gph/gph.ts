/** GPH, a perfect hashing scheme: one bucket is read for every find. See README.md. */
import { Status } from "../common/bulk.js";
import { fillStep } from "../common/steps.js";
import { groupsOf, WARP_KINDS } from "../common/warp.js";
import { wideBytes, widened } from "../common/wide.js";
import type { Step } from "../device/gpu.js";
import type { Kept, Owner } from "../device/owned.js";
import { defaultsOf } from "../parameters.js";
import type { GpuTable, Lookups, OpResult, Pairs, Params, RunSteps, TableOptions, TableType } from "../table.js";
import { type Compiled, fillKernel, PENDING_WORDS, refineKernel, type Sizes } from "./kernels.js";
import { Cached, INDEXES, type Lookup, MAX_PARTITION_BYTES, Routed } from "./lookups.js";

const KEY_BYTES = 4;
/** Fewer buckets would leave a cell with hardly a mapping whose buckets all differ. */
const MIN_BUCKETS_PER_VIRTUAL = 8;
/** Refinement dispatches in a row that settle no pair, before their pairs count as refused. */
const MAX_IDLE = 100;

/** The paper's buckets / cells, for 1.5 GB. */
const BUCKETS_PER_CELL = 1.6;

const parameters: TableType["parameters"] = [
  { name: "R", default: 8, values: [2, 4, 8, 16], meaning: "virtual buckets of a cell" },
  { name: "M", default: 16, values: [4, 8, 16, 32], meaning: "slots of a bucket" },
  { name: "g", default: 4, values: [1, 2, 4, 8, 16], meaning: "lanes of a lookup group" },
  { name: "h", default: 8, values: [4, 8, 16, 32], meaning: "lanes of an insert group, no more than M" },
  {
    ...{ name: "bucketsPerCell", default: BUCKETS_PER_CELL, from: 0.125, to: 64, integer: false },
    meaning: "buckets / cells; the paper's 1.5 GB have 1.6 (80 multiprocessors of 98,304 cells)",
  },
  {
    name: "cellBits",
    default: 8,
    values: [8, 16],
    meaning: "bits of a cell: log2(R) for its offset, the others for its mapping",
  },
  {
    ...{ name: "index", default: "cache", values: INDEXES },
    meaning:
      "where finds read the cell index: in global memory through the cache, or in workgroup memory, where queries are routed to",
  },
  {
    ...{ name: "pairBytes", default: 8, values: [4, 8, 16], task: true },
    meaning: "bytes of a pair, 4 of them its key's: 4 have no value; of 16 no key may be twice in an insertion",
  },
  {
    ...{ name: "requester", default: true, values: [true, false] },
    meaning: "false: finds read a slot a lane, and check them before they read the next, as DyCuckoo's",
  },
  {
    ...{ name: "perfect", default: true, values: [true, false] },
    meaning: "false: no perfect hashing; a key has two buckets, as in DyCuckoo",
  },
  {
    ...{ name: "refusals", default: false, values: [true, false], task: true },
    meaning: "true: load factors at which some pairs may find no valid relocation, and are refused",
  },
  { name: "warp", default: "auto", values: WARP_KINDS, meaning: "what a warp is made of" },
];

/**
 * Load factors by bits of a cell, slots and virtual buckets, at which none of 300,000 pairs is refused with 1.6 buckets a cell:
 * a simulation of sequential insertions, less two steps of 0.05 (one step higher an H200 refused 4 to 9 of 10^8), or three where an
 * H200 refused some with two (2 virtual buckets: 3 of 1.7·10^7 with 8 slots, 7 of 10^8 with 16). A cell has
 * 2^bits pairs of mapping and offset to choose from.
 */
const SAFE_LOADS: Readonly<Record<number, Readonly<Record<number, Readonly<Record<number, number>>>>>> = {
  8: {
    4: { 2: 0.05, 4: 0.3, 8: 0.4, 16: 0.5 },
    8: { 2: 0.25, 4: 0.45, 8: 0.5, 16: 0.5 },
    16: { 2: 0.4, 4: 0.5, 8: 0.55, 16: 0.5 },
    32: { 2: 0.45, 4: 0.5, 8: 0.55, 16: 0.55 },
  },
  16: {
    4: { 2: 0.05, 4: 0.5, 8: 0.6, 16: 0.65 },
    8: { 2: 0.3, 4: 0.6, 8: 0.65, 16: 0.7 },
    16: { 2: 0.5, 4: 0.7, 8: 0.7, 16: 0.7 },
    32: { 2: 0.6, 4: 0.7, 8: 0.7, 16: 0.7 },
  },
};

/** Without perfect hashing, by slots; as above (with 4 slots an H200 refused 1 of 10^8 one step higher). */
const SAFE_LOADS_OF_TWO: Readonly<Record<number, number>> = { 4: 0.45, 8: 0.75, 16: 0.85, 32: 0.85 };

function reach({ R, M, cellBits, bucketsPerCell, refusals, perfect }: Params): number {
  if (refusals) return 1;
  if (!perfect) return SAFE_LOADS_OF_TWO[Number(M)] ?? 0;
  const safe = SAFE_LOADS[Number(cellBits)]?.[Number(M)]?.[Number(R)] ?? 0;
  if (Number(bucketsPerCell) <= BUCKETS_PER_CELL) return safe;
  // Of larger cells: a quarter of their buckets' slots.
  return Math.min(safe / 2, Number(R) / (4 * Number(bucketsPerCell)));
}

/** Pairs, at the fullest that it takes, whose cell index is two partitions in workgroup memory, on every device. */
function thresholds(params: Params): readonly number[] {
  if (params.index !== "workgroup") return [];
  const cells = (2 * MAX_PARTITION_BYTES * 8) / Number(params.cellBits);
  return [cells * Number(params.bucketsPerCell) * Number(params.M) * reach({ ...params, refusals: false })];
}

function conflict({ M, g, h, index, perfect, requester, pairBytes }: Params): string {
  if (pairBytes !== 8) {
    if (index === "workgroup" || !perfect || !requester)
      return `pairs of ${pairBytes} bytes have the usual lookups only`;
    const bytes = (Number(M) / Number(g)) * Number(pairBytes);
    if (bytes < 16 || bytes > 128) return `a lane of ${g} would hold ${bytes} bytes; 16 to 128`;
  }
  if (index === "workgroup" && !perfect) return "without perfect hashing there is no cell index";
  if (Number(g) > Number(M)) return `a lookup group of ${g} lanes for ${M} slots`;
  if (Number(h) > Number(M)) return `an insert group of ${h} lanes for ${M} slots`;
  if (Number(M) / Number(g) > 16) return `a lane of ${g} would hold ${Number(M) / Number(g)} slots; 16 at most`;
  return "";
}

function sizesFor(n: number, loadFactor: number, { R, M, bucketsPerCell, perfect }: Params): Sizes {
  const buckets = Math.max(MIN_BUCKETS_PER_VIRTUAL * Number(R), Math.ceil(n / loadFactor / Number(M)));
  // Without perfect hashing there is no cell index; a cell that nothing binds stands for it.
  return { buckets, cells: perfect ? Math.ceil(buckets / Number(bucketsPerCell)) : 1 };
}

const bucketBytes = ({ M, pairBytes }: Params) => Number(M) * Number(pairBytes);
/** Of pairs of 16 bytes, which `widened` makes and reads; the others need nothing of the kind. */
const wideValueBytes = ({ pairBytes }: Params) => (pairBytes === 16 ? 16 - KEY_BYTES : KEY_BYTES);
const indexBytes = ({ cells }: Sizes, { cellBits }: Params) => Math.ceil((cells * Number(cellBits)) / 32) * 4;
const keysOnly = ({ pairBytes }: Params) => pairBytes === 4;
const lockBytes = ({ cells, buckets }: Sizes) => (cells + buckets) * 4;

export const gph: TableType = {
  id: "gph",
  title: "GPH",
  source: "Cao et al., GPH: An Efficient and Effective Perfect Hashing Scheme for GPU Architectures, SIGMOD 2025",
  ops: ["insert", "find"],
  maxLoadFactor: 0.55,
  duplicates: true,
  incremental: true,
  parameters,
  conflict,
  reach,
  refuses: ({ refusals }) => refusals === true,
  takesAll: (params) => reach({ ...params, refusals: false }),
  keysOnly,
  thresholds,
  tile: ({ g }) => Number(g),
  access(op, given = {}) {
    if (op !== "find") return { pattern: "cas", why: "one random 32-bit CAS" };
    const bytes = bucketBytes({ ...defaultsOf(parameters), ...given });
    const block = Math.min(bytes, 128);
    const pattern = block < 64 ? `lookup${block}` : `lookup${block}x4`;
    return { pattern, times: bytes / block, why: `one ${bytes}-byte bucket, the key, the result` };
  },
  bytes(n, loadFactor, given = {}) {
    const params = { ...defaultsOf(parameters), ...given };
    return keptBytes(n, loadFactor, params) + n / 8 + wideBytes(n, KEY_BYTES, wideValueBytes(params));
  },
  held: (n, loadFactor, given = {}) => keptBytes(n, loadFactor, { ...defaultsOf(parameters), ...given }),
  create,
};

/** Bytes of buckets, cell index and locks. */
function keptBytes(n: number, loadFactor: number, params: Params): number {
  const sizes = sizesFor(n, loadFactor, params);
  return sizes.buckets * bucketBytes(params) + indexBytes(sizes, params) + lockBytes(sizes);
}

async function create(gpu: Owner, options: TableOptions): Promise<GpuTable> {
  const { n, loadFactor, params } = options;
  const sizes = sizesFor(n, loadFactor, params);
  const buckets = await gpu.alloc("gph buckets", sizes.buckets * bucketBytes(params));
  const cells = await gpu.alloc("gph cell index", indexBytes(sizes, params));
  const locks = await gpu.alloc("gph locks", lockBytes(sizes));
  const specification = { gpu, sizes, options, bytes: buckets.size };
  const [lookup, fill, refine] = await Promise.all([
    (params.index === "workgroup" ? Routed : Cached).make(gpu, specification),
    fillKernel(specification),
    refineKernel(specification),
  ]);
  const table = new Gph(
    gpu,
    params,
    sizes,
    { buckets, cells, locks },
    { lookup, fill, refine },
    await Status.make(gpu),
  );
  await table.clear();
  return widened(gpu, table, KEY_BYTES, wideValueBytes(params));
}

interface Memory {
  readonly buckets: GPUBuffer;
  readonly cells: GPUBuffer;
  /** All clear between operations. */
  readonly locks: GPUBuffer;
}

interface Kernels {
  readonly lookup: Lookup;
  readonly fill: Compiled;
  readonly refine: Compiled;
}

export class Gph implements GpuTable {
  /** A bit a pair that saturation fill left; all clear between operations. */
  private readonly pending: Kept<number, GPUBuffer>;
  /** Extended moves of the last insertion. */
  moves = 0;

  constructor(
    private readonly gpu: Owner,
    private readonly params: Params,
    readonly sizes: Sizes,
    readonly memory: Memory,
    private readonly kernels: Kernels,
    private readonly status: Status,
  ) {
    this.pending = gpu.kept((own, words: number) => own.alloc("gph pending pairs", words * 4));
  }

  get slots(): number {
    return this.sizes.buckets * Number(this.params.M);
  }

  get bytes(): number {
    return this.memory.buckets.size + this.memory.cells.size;
  }

  get indexBytes(): number {
    return this.memory.cells.size;
  }

  private get bound(): Step["bindings"] {
    const { buckets, cells } = this.memory;
    return this.params.perfect ? { 0: buckets, 5: cells } : { 0: buckets };
  }

  async clear(): Promise<void> {
    await this.gpu.run([await fillStep(this.gpu, this.memory.buckets, 0xffffffff)]);
    await this.gpu.zero(this.memory.cells);
  }

  remember(): () => void {
    return () => undefined;
  }

  async find(run: RunSteps, lookups: Lookups): Promise<OpResult> {
    const { ns } = await run(await this.kernels.lookup.steps(lookups, this.bound));
    return { ns, count: 0, restarts: 0 };
  }

  /**
   * Saturation fill and refinement in one pass. Refinement runs again for pairs whose groups died of others' locks too often;
   * `count` are those that have no valid relocation.
   */
  async insert(run: RunSteps, { keys, values, n, first = 0 }: Pairs): Promise<OpResult> {
    const { locks } = this.memory;
    const words = Math.max(1, Math.ceil(n / 32));
    const pending = await this.pending.get(words);
    const range = this.gpu.constant(first, first + n, 0);
    const own = keysOnly(this.params) ? {} : { 2: values };
    const bindings = { ...this.bound, 1: keys, 3: range, 4: this.status.buffer, 6: pending, ...own };
    const fill = step(this.kernels.fill, n, bindings);
    const refine = step(this.kernels.refine, Math.ceil(words / PENDING_WORDS) * this.kernels.refine.groupLanes, {
      ...bindings,
      7: locks,
    });
    const result = { ns: 0, count: 0, restarts: 0 };
    this.moves = 0;
    let left = Number.POSITIVE_INFINITY;
    for (let idle = 0; left > 0 && idle < MAX_IDLE; ) {
      const steps = left === Number.POSITIVE_INFINITY ? [fill, refine] : [refine];
      const { ns, status } = await this.status.run(run, steps);
      const [refused = 0, moves = 0, waiting = 0, bound = 0] = status;
      if (bound !== 0) throw new Error("gph: saturation fill reached the bound of its loop");
      result.ns += ns;
      result.count += refused;
      this.moves += moves;
      idle = waiting < left ? 0 : idle + 1;
      left = waiting;
    }
    if (left > 0) await this.gpu.zero(pending);
    return { ...result, count: result.count + left };
  }
}

function step({ kernel, groupLanes }: Compiled, lanes: number, bindings: Step["bindings"]): Step {
  return { kernel, bindings, groups: groupsOf(lanes, groupLanes) };
}
