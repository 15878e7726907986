/** The class of the slab hash: bulk operations, and what becomes of those that find no slab. */
import { type Said, type Status, step } from "../common/bulk.js";
import { PrefixSum } from "../common/scan.js";
import { rangeOf } from "../common/steps.js";
import type { Bindings, Step } from "../device/gpu.js";
import type { Kept, Owner } from "../device/owned.js";
import type {
  Erasures,
  Found,
  GpuTable,
  Lookups,
  MixedBatch,
  MixedSlice,
  Multimap,
  Nodes,
  Occupancy,
  OpResult,
  Pairs,
  Recordable,
  RunSteps,
  Storage,
} from "../table.js";
import type { Kernels } from "./kernels.js";
import type { Sizes } from "./parameters.js";
import type { SlabPool } from "./pool.js";
import { type Recording, recordingOf } from "./recording.js";
import { pairsPerSlab, SLAB_BYTES } from "./utilisation.js";

/** LANES of kernels/slab-hash/occupancy.wgsl. */
const OCCUPANCY_LANES = 8;

export class SlabHash implements GpuTable {
  private readonly counts: Kept<number, GPUBuffer>;
  private readonly values: Kept<number, GPUBuffer>;
  private readonly isSet: boolean;
  private scan: PrefixSum | null = null;
  /** Null: no operation is recorded. */
  private recording: Recording | null = null;

  constructor(
    private readonly gpu: Owner,
    private readonly sizes: Sizes,
    /** 4: keys alone. */
    readonly pairBytes: number,
    readonly pool: SlabPool,
    private readonly kernels: Kernels,
    private readonly status: Status,
    /** Pairs and slabs of all lists, when they are counted. */
    private readonly counted: GPUBuffer,
  ) {
    this.counts = gpu.kept((own, words: number) => own.alloc("counts of values", words * 4));
    this.values = gpu.kept((own, words: number) => own.alloc("list of values", words * 4));
    this.isSet = pairBytes === 4;
    const { isSet } = this;
    if (isSet) return;
    this.multimap = {
      findAll: (run, lookups) => this.findAll(run, lookups),
      eraseAll: (run, keys) => this.remove(run, "eraseAll", keys),
    };
    this.recordable = async () => {
      this.recording ??= await recordingOf(pool, kernels, status.buffer);
      return this.recording.recordable;
    };
  }

  readonly multimap?: Multimap;
  readonly recordable?: () => Promise<Recordable>;
  readonly nodes: Required<Nodes> = {
    grow: true,
    occupancy: () => this.occupancy(),
    allocated: () => this.pool.used(),
    flush: (run) => this.flush(run),
  };

  get slots(): number {
    return Math.round((this.sizes.expected * SLAB_BYTES) / this.pairBytes);
  }

  get bytes(): number {
    return this.pool.bytes;
  }

  get storage(): Required<Pick<Storage, "marked" | "restorable">> {
    const { pool } = this;
    // All is in the buffers.
    const remember = () => () => undefined;
    return { marked: Object.values(pool.slabs), restorable: { remember, holding: () => pool.buffers } };
  }

  get buckets(): number {
    return this.sizes.buckets;
  }

  clear(): Promise<void> {
    return this.pool.clear();
  }

  async insert(run: RunSteps, { keys, values, n, first = 0 }: Pairs): Promise<OpResult> {
    const { changed, ...result } = await this.updateAll(run, "insert", [{ first, count: n }], { keys, values });
    return this.isSet ? { ...result, distinct: changed } : result;
  }

  mixed(run: RunSteps, { slices, kinds, keys, values, results }: MixedBatch): Promise<OpResult> {
    return this.updateAll(run, "mixed", slices, { kinds, keys, values, results });
  }

  async find(run: RunSteps, { keys, results, n, first }: Lookups): Promise<OpResult> {
    const find = await this.kernels.find();
    const { ns } = await this.run(run, [find(n, { queries: keys, results, range: rangeOf(n, first) })]);
    return { ns, count: 0, restarts: 0 };
  }

  erase(run: RunSteps, keys: Erasures): Promise<OpResult> {
    return this.remove(run, "erase", keys);
  }

  /** Gives back the slabs that erased keys have left; `count`: how many. The slots of erased keys can be used again. */
  private async flush(run: RunSteps): Promise<OpResult> {
    const flush = step(await this.kernels.flush(), this.buckets, { slabs: this.pool.total });
    const { ns, said } = await this.run(run, [flush]);
    return { ns, count: said.changed, restarts: 0 };
  }

  private async occupancy(): Promise<Occupancy> {
    const kernel = await this.kernels.occupancy();
    const { gpu, counted } = this;
    const count = step(kernel, OCCUPANCY_LANES * this.buckets, { slabs: this.pool.total, counted });
    void gpu.defer([{ buffer: counted, zero: counted.size }]);
    const { more } = await this.run((...pass) => gpu.timeNext(...pass), [count], counted);
    const [pairs = 0, slabs = 0] = more;
    const bytes = slabs * SLAB_BYTES;
    return {
      pairs,
      lists: this.buckets,
      nodes: slabs,
      perNode: pairsPerSlab(this.pairBytes),
      bytes,
      utilisation: (pairs * this.pairBytes) / bytes,
    };
  }

  private async remove(run: RunSteps, what: "erase" | "eraseAll", { keys, n, first }: Erasures): Promise<OpResult> {
    const erase = await this.kernels.update(what, { keys });
    const batch = { ...rangeOf(n, first), slice: 1, retry: 0, blocks: this.pool.blocks };
    const { ns, said } = await this.run(run, [erase(n, { batch })]);
    return { ns, count: said.changed, restarts: 0 };
  }

  private async findAll(run: RunSteps, { keys, results, n }: Lookups): Promise<Found> {
    this.scan ??= await PrefixSum.make(this.gpu);
    const counts = await this.counts.get(n + 1);
    const [count, collect] = await Promise.all([this.kernels.countAll(), this.kernels.collectAll()]);
    const asked = { queries: keys, n, counts };
    await this.gpu.zero(counts);
    const counted = await this.run(run, [count(n, asked), ...this.scan.steps(counts, n + 1)]);
    const [total = 0] = await this.gpu.read(counts, 1, n);
    const list = await this.values.get(Math.max(1, total));
    const collected = await this.run(run, [collect(n, { ...asked, ranges: results, list })]);
    return { ns: counted.ns + collected.ns, count: total, restarts: 0, list };
  }

  private async updateAll(...update: Parameters<SlabHash["update"]>): ReturnType<SlabHash["update"]> {
    const result = await this.update(...update);
    await this.recording?.refresh();
    return result;
  }

  /**
   * Runs the slices. Where one runs out of slabs, those after it do nothing; the pool grows, and what found no slab and the
   * slices after it run again. If it cannot grow, what found no slab is counted, and the slices after it run.
   */
  private async update(
    run: RunSteps,
    what: "insert" | "mixed",
    slices: readonly MixedSlice[],
    buffers: Bindings,
  ): Promise<OpResult & { readonly changed: number }> {
    await this.pool.reserve(Math.max(1, ...slices.map(({ first, count }) => first + count)));
    const result = { ns: 0, count: 0, restarts: 0, changed: 0 };
    let [begin, grown] = [0, false];
    while (begin < slices.length) {
      const update = await this.kernels.update(what, buffers);
      const { blocks } = this.pool;
      const [retried, from] = [grown, begin];
      const left = slices.slice(from).map(({ first, count }, i) => {
        const retry = retried && i === 0 ? 1 : 0;
        return update(count, { batch: { first, end: first + count, slice: from + i + 1, retry, blocks } });
      });
      const { ns, said } = await this.run(run, left);
      result.ns += ns;
      result.count += said.refused;
      result.changed += said.changed;
      if (said.left === 0) return result;
      begin = said.halted - 1;
      // At worst a slab an operation; and a list that wants several fills them.
      grown = await this.pool.grow(Math.min(said.left, this.buckets + said.left / pairsPerSlab(this.pairBytes)));
      if (grown) continue;
      result.count += said.left;
      begin += 1;
      await this.pool.settle();
    }
    return result;
  }

  private async run(run: RunSteps, steps: readonly Step[], more?: GPUBuffer): Promise<Said> {
    const result = await this.status.run(run, steps, more);
    if (result.said.bound) throw new Error("slab hash: a list has no end");
    return result;
  }
}
