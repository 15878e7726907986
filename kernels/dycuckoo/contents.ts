/** The pairs of a table: the sub-tables that hold them, and how batches of pairs come in. */
import type { Status } from "../common/bulk.js";
import type { Step } from "../device/gpu.js";
import { type Kept, type Owned, type Owner, owned } from "../device/owned.js";
import type { StatusWords } from "../device/status.js";
import type { OpResult, Pairs, Resizing, RunSteps } from "../table.js";
import { BUCKET, slotsOf } from "./filling.js";
import type { Cooperative, Kernels } from "./kernels.js";
import { SubTables } from "./sub-tables.js";

/** Pairs first … first + n - 1; the value of pair i is word i + shift. */
export interface Source extends Pairs {
  readonly first: number;
  readonly shift: number;
}

/** A sub-table's pairs, as an input: keys, then values. */
export function sourceOf(words: GPUBuffer, buckets: number): Source {
  return { keys: words, values: words, first: 0, n: buckets * BUCKET, shift: buckets * BUCKET };
}

/**
 * What kernels bind of a batch of insertions.
 * @param options.retry 1: only pairs whose bit is set. @param options.refuses 1: reserved keys are counted
 */
export function batchOf({ keys, values, n, first, shift }: Source, { retry = 0, refuses = 0 }) {
  return { keys_in: keys, values_in: values, batch: { first, end: first + n, retry, zero: 0, shift, refuses } };
}

/** An operation so far. */
export class Tally {
  ns = 0;
  /** Reserved keys. */
  refused = 0;
  readonly resizing: { -readonly [K in keyof Resizing]: Resizing[K] };

  constructor(bytes: number) {
    this.resizing = {
      ns: 0,
      upsizes: 0,
      downsizes: 0,
      failed: 0,
      peakBytes: bytes,
      upsizedShare: 0,
      downsizedShare: 0,
    };
  }

  holds(bytes: number): void {
    this.resizing.peakBytes = Math.max(this.resizing.peakBytes, bytes);
  }

  /** @param share of the table's pairs that were in what was resized */
  resized(direction: "up" | "down", share: number): void {
    const { resizing } = this;
    const [count, most] =
      direction === "up" ? (["upsizes", "upsizedShare"] as const) : (["downsizes", "downsizedShare"] as const);
    resizing[count] += 1;
    resizing[most] = Math.max(resizing[most], share);
  }

  result(count: number, resizes: boolean): OpResult {
    return { ns: this.ns, count, restarts: 0, ...(resizes && { resizing: this.resizing }) };
  }
}

/** Passes of an insertion into a table that keeps its size for the pairs that found no room. */
const RETRIES = 2;

/** Makes room for so many pairs that found none; false if it cannot. */
export type Grow = (left: number) => Promise<boolean>;

export class Contents {
  /** A bit an insertion that is not done yet, of a batch and of a rehash that it needs; all clear between operations. */
  readonly pending: Kept<number, GPUBuffer>;
  readonly pendingAgain: Kept<number, GPUBuffer>;
  /** Insertions were recorded: there may be more pairs than the host knows of. */
  recorded = false;

  constructor(
    private readonly gpu: Owner,
    private readonly seed: number,
    public memory: Owned<SubTables>,
    private readonly kernels: Kernels,
    private readonly status: Status,
  ) {
    const bits = () => gpu.kept((own, items: number) => own.alloc("pending insertions", Math.ceil(items / 32) * 4));
    this.pending = bits();
    this.pendingAgain = bits();
  }

  get pairs(): number {
    return this.memory.pairs.reduce((all, one) => all + one, 0);
  }

  get slots(): number {
    return slotsOf(this.memory.buckets, this.memory.bucketSlots);
  }

  /** Sub-tables of so many buckets, whose slots are not EMPTY yet. Throws DoesNotFit. */
  make(buckets: readonly number[]): Promise<Owned<SubTables>> {
    const { layout } = this.memory;
    return owned(this.gpu, (own) => SubTables.make(own, buckets, layout, this.seed));
  }

  /** Runs steps after which the sub-tables hold other pairs; what their kernels said. */
  async change(run: RunSteps, steps: readonly Step[], tally: Tally): Promise<StatusWords> {
    const { memory } = this;
    const { ns, said, more } = await this.status.run(run, steps, memory.counts);
    tally.ns += ns;
    memory.count(more);
    return said;
  }

  /**
   * Inserts; where pairs find no room the table grows, and they are inserted again. In a table that keeps its size they are tried again by
   * themselves: others' locks may have been in their way. How many did not get in: they are the input's, and what was in the table still is.
   */
  async place(
    run: RunSteps,
    source: Source,
    tally: Tally,
    bits: Kept<number, GPUBuffer>,
    grow: Grow | null,
  ): Promise<number> {
    const pending = await bits.get(Math.max(1, (source.first % 32) + source.n));
    let alone = RETRIES;
    for (let [retry, incoming] = [0, source.n]; ; retry = 1) {
      this.memory.share(incoming);
      const { refused, left } = await this.change(run, await this.insertion(source, pending, retry), tally);
      tally.refused += refused;
      if (left === 0) return 0;
      const fewer = left < incoming;
      incoming = left;
      if (await (grow ? grow(left) : fewer && alone-- > 0)) continue;
      await this.gpu.zero(pending);
      return left;
    }
  }

  private async insertion(source: Source, pending: GPUBuffer, retry: number): Promise<Step[]> {
    const rehash = source.shift > 0;
    const first = retry === 0 && !rehash;
    // EMPTY slots of a table are not keys that were refused.
    const options = { retry, refuses: first ? 1 : 0 };
    if (first && this.recorded)
      return [
        await this.kernels.vacant(this.memory.bound()),
        ...(await this.batch(["insertAsking", "evict"], source, pending, options)),
      ];
    // What comes into an empty table goes to second buckets only where the first ones are full, and full they stay.
    const looksOnce = rehash || (first && this.pairs === 0);
    return this.batch([looksOnce ? "insertNew" : "insert", "evict"], source, pending, options);
  }

  /** @param options.retry 1: only pairs whose bit of `pending` is set. */
  batch(
    kernels: readonly Extract<Cooperative, "insert" | "insertNew" | "insertAsking" | "evict">[],
    source: Source,
    pending: GPUBuffer,
    options: Parameters<typeof batchOf>[1] = {},
  ): Promise<Step[]> {
    const bound = this.memory.bound();
    const bindings = { ...batchOf(source, options), pending };
    return Promise.all(kernels.map((kernel) => this.kernels.step(kernel, bound, source.n, bindings)));
  }
}
