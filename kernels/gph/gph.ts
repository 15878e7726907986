/** GPH, a perfect hashing scheme: one bucket is read for every find. See README.md. */
import { bulk, Status } from "../common/bulk.js";
import { fillStep, lazily } from "../common/steps.js";
import { wideBytes, widened } from "../common/wide.js";
import { defineTable } from "../define.js";
import { dispatch } from "../device/bind.js";
import type { Kept, Owner } from "../device/owned.js";
import type { GpuTable, Lookups, Making, OpResult, Pairs, Reads, RunSteps } from "../table.js";
import { bucketBytes, type Compiled, fillKernel, laneStep, PENDING_WORDS, refineKernel } from "./kernels.js";
import { cached, type Lookup, MAX_PARTITION_BYTES, routed } from "./lookups.js";
import { conflictOf, type GphParams, parameters, type Sizes, safeLoad, sizesFor } from "./parameters.js";

const KEY_BYTES = 4;
/** Refinement dispatches in a row that settle no pair, before their pairs count as refused. */
const MAX_IDLE = 100;

/** Pairs, at the fullest that it takes, whose cell index is two partitions in workgroup memory, on every device. */
function thresholds(params: GphParams): readonly number[] {
  if (params.index !== "workgroup" || params.cells > 0) return [];
  const cells = (2 * MAX_PARTITION_BYTES * 8) / params.cellBits;
  return [cells * params.bucketsPerCell * params.M * safeLoad(params)];
}

/** Bytes of a value for `widened`, which makes and reads pairs of 16 bytes; others do not need it. */
const wideValueBytes = ({ pairBytes }: GphParams) => (pairBytes === 16 ? 16 - KEY_BYTES : KEY_BYTES);
const indexBytes = ({ cells }: Sizes, { cellBits }: GphParams) => Math.ceil((cells * cellBits) / 32) * 4;
const lockBytes = ({ cells, buckets }: Sizes) => (cells + buckets) * 4;

export const gph = defineTable({
  id: "gph",
  title: "GPH",
  source: "Cao et al., GPH: An Efficient and Effective Perfect Hashing Scheme for GPU Architectures, SIGMOD 2025",
  parameters,
  conflict: conflictOf,
  configure: (params) => ({
    ops: ["insert", "find"],
    maxLoadFactor: params.refusals ? 1 : safeLoad(params),
    ...(params.refusals && { safeLoadFactor: safeLoad(params) }),
    duplicates: true,
    incremental: true,
    keysOnly: params.pairBytes === 4,
    thresholds: thresholds(params),
    tile: params.g,
    access(op) {
      if (op !== "find") return { pattern: "cas", why: "one random 32-bit CAS" };
      const bytes = bucketBytes(params);
      const block = Math.min(bytes, 128);
      const pattern = block < 64 ? `lookup${block}` : `lookup${block}x4`;
      return { pattern, times: bytes / block, why: `one ${bytes}-byte bucket, the key, the result` };
    },
    bytes: (n, loadFactor) =>
      keptBytes(n, loadFactor, params) + n / 8 + wideBytes(n, KEY_BYTES, wideValueBytes(params)),
    held: (n, loadFactor) => keptBytes(n, loadFactor, params),
    create: (gpu, making) => create(gpu, making, params),
  }),
});

/** Bytes of buckets, cell index and locks. */
function keptBytes(n: number, loadFactor: number, params: GphParams): number {
  const sizes = sizesFor(n, loadFactor, params);
  return sizes.buckets * bucketBytes(params) + indexBytes(sizes, params) + lockBytes(sizes);
}

async function create(gpu: Owner, { n, loadFactor, seed, counting }: Making, params: GphParams): Promise<GpuTable> {
  const sizes = sizesFor(n, loadFactor, params);
  const buckets = await gpu.alloc("gph buckets", sizes.buckets * bucketBytes(params));
  const cells = await gpu.alloc("gph cell index", indexBytes(sizes, params));
  const locks = await gpu.alloc("gph locks", lockBytes(sizes));
  const status = await Status.make(gpu);
  const bound = { table: buckets, cells, locks, status: status.buffer };
  const specification = { gpu, sizes, params, seed, counting, bound };
  const lookup = await (params.index === "workgroup" ? routed : cached)(specification);
  const kernels = {
    fill: lazily(() => fillKernel(specification)),
    refine: lazily(() => refineKernel(specification)),
  };
  const table = new Gph(gpu, params, sizes, { buckets, cells, locks }, lookup, kernels, status);
  await table.clear();
  return widened(gpu, table, KEY_BYTES, wideValueBytes(params));
}

interface Memory {
  readonly buckets: GPUBuffer;
  readonly cells: GPUBuffer;
  /** All clear between operations. */
  readonly locks: GPUBuffer;
}

type Kernels = Readonly<Record<"fill" | "refine", () => Promise<Compiled>>>;

export class Gph implements GpuTable {
  /** A bit a pair that saturation fill left; all clear between operations. */
  private readonly pending: Kept<number, GPUBuffer>;
  /** Extended moves of the last insertion. */
  moves = 0;

  constructor(
    private readonly gpu: Owner,
    private readonly params: GphParams,
    readonly sizes: Sizes,
    readonly memory: Memory,
    private readonly lookup: Lookup,
    private readonly kernels: Kernels,
    private readonly status: Status,
  ) {
    this.pending = gpu.kept((own, words: number) => own.alloc("gph pending pairs", words * 4));
  }

  get slots(): number {
    return this.sizes.buckets * this.params.M;
  }

  get bytes(): number {
    return this.memory.buckets.size + this.memory.cells.size;
  }

  get reads(): Reads {
    return { indexBytes: this.memory.cells.size };
  }

  async clear(): Promise<void> {
    await this.gpu.run([await fillStep(this.gpu, this.memory.buckets, 0xffffffff)]);
    await this.gpu.zero(this.memory.cells);
  }

  remember(): () => void {
    return () => undefined;
  }

  async find(run: RunSteps, lookups: Lookups): Promise<OpResult> {
    const { untimed, timed } = await this.lookup.steps(lookups);
    if (untimed.length > 0) await this.gpu.run([...untimed]);
    return bulk(run, ...timed);
  }

  /**
   * Saturation fill and refinement in one pass. Refinement runs again for pairs whose groups died of others' locks too often;
   * `count` are those that have no valid relocation.
   */
  async insert(run: RunSteps, { keys, values, n, first = 0 }: Pairs): Promise<OpResult> {
    const [fill, refine] = await Promise.all([this.kernels.fill(), this.kernels.refine()]);
    const words = Math.max(1, Math.ceil(n / 32));
    const pending = await this.pending.get(words);
    const range = { first, end: first + n };
    const pairs = { keys, pending, ...(this.params.pairBytes !== 4 && { values }) };
    const filling = laneStep(fill, n, { ...pairs, range });
    const refining = dispatch(refine.kernel, Math.ceil(words / PENDING_WORDS), {
      ...pairs,
      range: { ...range, zero: 0 },
    });
    const result = { ns: 0, count: 0, restarts: 0, overflowed: 0 };
    this.moves = 0;
    let left = Number.POSITIVE_INFINITY;
    for (let idle = 0; left > 0 && idle < MAX_IDLE; ) {
      const steps = left === Number.POSITIVE_INFINITY ? [filling, refining] : [refining];
      const { ns, said } = await this.status.run(run, steps);
      if (said.bound > 0) throw new Error("gph: saturation fill reached the bound of its loop");
      result.ns += ns;
      result.count += said.refused;
      result.overflowed += said.failed;
      this.moves += said.changed;
      idle = said.left < left ? 0 : idle + 1;
      left = said.left;
    }
    if (left > 0) await this.gpu.zero(pending);
    return { ...result, count: result.count + left, overflowed: result.overflowed + left };
  }
}
