/** The class of the folder's tables: operations, and when and how they are resized. */
import { bulk, type Status } from "../common/bulk.js";
import { EMPTY, fillStep, groupsFor } from "../common/steps.js";
import { DoesNotFit } from "../device/errors.js";
import type { Step } from "../device/gpu.js";
import { type Kept, type Owned, type Owner, owned } from "../device/owned.js";
import type { Erasures, Filling, GpuTable, Lookups, OpResult, Pairs, Resizing, RunSteps } from "../table.js";
import { BUCKET, largest, slotsOf, smallest } from "./filling.js";
import type { Cooperative, Kernels } from "./kernels.js";
import type { Ordering } from "./order.js";
import { bucketBytes, bytesOf, makeSubTable, type SubTable, SubTables } from "./sub-tables.js";

/** When a table is resized, and how much of it. */
export interface Policy {
  /** The filled factor is held between these. */
  readonly alpha: number;
  readonly beta: number;
  /** All sub-tables are resized, and all pairs inserted anew; else one sub-table. */
  readonly whole: boolean;
}

/** Pairs first … first + n - 1; the value of pair i is word i + shift. */
interface Source extends Pairs {
  readonly first: number;
  readonly shift: number;
}

type Direction = "up" | "down";

/** An operation so far. */
class Tally {
  ns = 0;
  /** Reserved keys. */
  refused = 0;
  readonly resizing: { -readonly [K in keyof Resizing]: Resizing[K] };

  constructor(bytes: number) {
    this.resizing = { ns: 0, upsizes: 0, downsizes: 0, failed: 0, peakBytes: bytes };
  }

  holds(bytes: number): void {
    this.resizing.peakBytes = Math.max(this.resizing.peakBytes, bytes);
  }

  result(count: number, resizes: boolean): OpResult {
    return { ns: this.ns, count, restarts: 0, ...(resizes && { resizing: this.resizing }) };
  }
}

export class CuckooTable implements GpuTable {
  /** A bit an insertion that is not done yet, of a batch and of a rehash that it needs; all clear between operations. */
  private readonly pending: Kept<number, GPUBuffer>;
  private readonly pendingAgain: Kept<number, GPUBuffer>;
  private readonly initial: readonly number[];
  private readonly initialBytes: number;
  readonly remember?: () => () => void;
  readonly resize?: NonNullable<GpuTable["resize"]>;

  constructor(
    private readonly gpu: Owner,
    private readonly seed: number,
    private memory: Owned<SubTables>,
    private readonly kernels: Kernels,
    private readonly status: Status,
    /** Null: the table keeps its size. */
    private readonly policy: Policy | null,
    /** Of large batches; null: these are inserted as they come. */
    private readonly ordering: Ordering | null = null,
  ) {
    this.initial = [...memory.buckets];
    this.initialBytes = memory.bytes;
    const bits = () => gpu.kept((own, items: number) => own.alloc("pending insertions", Math.ceil(items / 32) * 4));
    this.pending = bits();
    this.pendingAgain = bits();
    if (policy) this.resize = (run, direction, how) => this.resizeOnce(run, direction, how);
    else this.remember = () => this.remembered();
  }

  get slots(): number {
    return slotsOf(this.memory.buckets);
  }

  get bytes(): number {
    return this.memory.bytes;
  }

  get blockBytes(): number {
    return this.memory.keyBytes;
  }

  /** What the sub-tables hold, for tests. */
  get subTables(): SubTables {
    return this.memory;
  }

  filling(): Filling {
    const { buckets, pairs, bytes } = this.memory;
    const subTables = buckets.map((size, i) => ({ pairs: pairs[i] ?? 0, slots: size * BUCKET }));
    return { pairs: this.pairs, slots: this.slots, bytes, subTables };
  }

  /** Empties the table; one that has been resized gets the size that it began with. Throws DoesNotFit. */
  async clear(): Promise<void> {
    const { buckets, bytes } = this.memory;
    // Of a table that has come back to its sizes the locks may still be those of a larger one.
    if (buckets.join() !== this.initial.join() || bytes > this.initialBytes) {
      const next = await this.make(this.initial);
      this.memory.destroy();
      this.memory = next;
    }
    await this.memory.clear();
  }

  async insert(run: RunSteps, { keys, values, n, first = 0 }: Pairs): Promise<OpResult> {
    const tally = new Tally(this.bytes);
    let pairs: Pairs = { keys, values, n, first };
    if (this.ordering?.takes(n, this.slots)) {
      this.memory.share(n);
      const { steps, ordered } = await this.ordering.steps(pairs, this.memory);
      tally.ns += (await run(steps)).ns;
      pairs = ordered;
    }
    const left = await this.place(run, { first, ...pairs, shift: 0 }, tally, true);
    if (this.policy) await this.settle(run, this.policy, tally);
    return tally.result(left + tally.refused, this.policy !== null);
  }

  async find(run: RunSteps, { keys, results, n }: Lookups): Promise<OpResult> {
    const bindings = { ...this.memory.bound(), 10: keys, 11: results, 13: this.gpu.constant(n) };
    return bulk(run, await this.kernels.step("find", n, bindings));
  }

  async erase(run: RunSteps, { keys, n }: Erasures): Promise<OpResult> {
    const tally = new Tally(this.bytes);
    const { memory } = this;
    const own = { 10: keys, 13: this.gpu.constant(n, 0), 14: this.status.buffer };
    const step = await this.kernels.step("erase", n, { ...memory.boundKeys(), ...memory.locks, ...own });
    const { ns, status } = await this.status.run(run, [step]);
    tally.ns += ns;
    await memory.count();
    if (this.policy) await this.settle(run, this.policy, tally);
    return tally.result(status[1] ?? 0, this.policy !== null);
  }

  private get pairs(): number {
    return this.memory.pairs.reduce((all, one) => all + one, 0);
  }

  /** Down only where sub-tables have an even number of buckets. */
  private async resizeOnce(run: RunSteps, direction: Direction, how: "relocate" | "rehash" = "relocate") {
    const tally = new Tally(this.bytes);
    if (direction === "down" && !this.halves) tally.resizing.failed += 1;
    else if (how === "relocate" || this.policy?.whole) await this.step(run, direction, tally);
    else await this.rehashOne(run, direction, tally);
    return tally.result(0, true);
  }

  private remembered(): () => void {
    const pairs = [...this.memory.pairs];
    return () => {
      this.memory.pairs = pairs;
    };
  }

  private make(buckets: readonly number[]): Promise<Owned<SubTables>> {
    return owned(this.gpu, (own) => SubTables.make(own, buckets, this.memory.several, this.seed));
  }

  /**
   * Inserts; where pairs find no room the table grows, and they are inserted again. How many did not get in: they are the
   * input's, and what was in the table still is.
   */
  private async place(run: RunSteps, source: Source, tally: Tally, grows: boolean): Promise<number> {
    const { first, n } = source;
    const pending = await (grows ? this.pending : this.pendingAgain).get(Math.max(1, first + n));
    for (let [retry, incoming] = [0, n]; ; retry = 1) {
      this.memory.share(incoming);
      const { ns, status } = await this.status.run(run, await this.insertion(source, pending, retry));
      const [refused = 0, , , left = 0] = status;
      tally.ns += ns;
      tally.refused += refused;
      await this.memory.count();
      if (left === 0) return 0;
      incoming = left;
      if (!grows || !this.policy || !(await this.growFor(run, left, this.policy, tally))) {
        await this.gpu.zero(pending);
        return left;
      }
    }
  }

  private insertion(source: Source, pending: GPUBuffer, retry: number): Promise<Step[]> {
    const rehash = source.shift > 0;
    // What comes into an empty table goes to second buckets only where the first ones are full, and full they stay.
    const looksOnce = rehash || (retry === 0 && this.pairs === 0);
    // EMPTY slots of a table are no keys that were refused.
    const refuses = retry === 0 && !rehash ? 1 : 0;
    const insert = looksOnce ? "insertNew" : "insert";
    return this.batch([insert, "evict"], source, pending, { retry, refuses });
  }

  /** @param retry 1: only pairs whose bit of `pending` is set. */
  private batch(
    kernels: readonly Cooperative[],
    { keys, values, n, first, shift }: Source,
    pending: GPUBuffer,
    { retry, refuses }: { readonly retry: number; readonly refuses: number },
  ): Promise<Step[]> {
    const { memory, gpu, status } = this;
    const batch = gpu.constant(first, first + n, retry, 0, shift, refuses);
    const own = { 10: keys, 11: values, 13: batch, 14: status.buffer, 15: pending };
    const bindings = { ...memory.bound(), ...memory.locks, ...own };
    return Promise.all(kernels.map((kernel) => this.kernels.step(kernel, n, bindings)));
  }

  /** Grows once, or until so many pairs more are within the bound. False if it could not grow at all. */
  private async growFor(run: RunSteps, left: number, { beta }: Policy, tally: Tally): Promise<boolean> {
    let grown = false;
    do {
      if (!(await this.step(run, "up", tally))) return grown;
      grown = true;
    } while (this.pairs + left > beta * this.slots);
    return true;
  }

  /** Resizes until the filled factor is within its bounds, as far as there is memory, and a smaller size. */
  private async settle(run: RunSteps, { alpha, beta }: Policy, tally: Tally): Promise<void> {
    while (this.pairs > beta * this.slots && (await this.step(run, "up", tally)));
    while (this.pairs < alpha * this.slots && this.halves && (await this.step(run, "down", tally)));
  }

  private get halves(): boolean {
    const { buckets } = this.memory;
    return (buckets[largest(buckets)] ?? 1) % 2 === 0;
  }

  /** One resize. False, and the table is as it was, if it could not be done. */
  private async step(run: RunSteps, direction: Direction, tally: Tally): Promise<boolean> {
    const { resizing } = tally;
    const before = tally.ns;
    let done = false;
    try {
      done = await (this.policy?.whole ? this.rehash(run, direction, tally) : this.relocate(run, direction, tally));
    } catch (error) {
      if (!(error instanceof DoesNotFit)) throw error;
    }
    resizing.ns += tally.ns - before;
    if (!done) resizing.failed += 1;
    else if (direction === "up") resizing.upsizes += 1;
    else resizing.downsizes += 1;
    return done;
  }

  /** Doubles the smallest sub-table or halves the largest. Throws DoesNotFit. */
  private async relocate(run: RunSteps, direction: Direction, tally: Tally): Promise<boolean> {
    const { i, before, after } = this.target(direction);
    const next = await makeSubTable(this.gpu, after);
    tally.holds(this.bytes + bucketBytes(after));
    try {
      if (direction === "down") return await this.downsize(run, i, next, after, tally);
      await this.upsize(run, i, before, next, tally);
      (await this.memory.replace(i, next, after)).destroy();
      return true;
    } catch (error) {
      next.destroy();
      throw error;
    }
  }

  private target(direction: Direction): { readonly i: number; readonly before: number; readonly after: number } {
    const { buckets } = this.memory;
    const i = direction === "up" ? smallest(buckets) : largest(buckets);
    const before = buckets[i] ?? 1;
    return { i, before, after: direction === "up" ? 2 * before : before / 2 };
  }

  private async upsize(run: RunSteps, i: number, before: number, next: SubTable, tally: Tally): Promise<void> {
    const { memory, gpu } = this;
    const bindings = { 0: memory.buffer(i), 1: next.words, 13: gpu.constant(before, memory.salt(i)) };
    const step = { kernel: await this.kernels.resizing("upsize"), bindings, groups: groupsFor((before * BUCKET) / 4) };
    tally.ns += (await run([step])).ns;
  }

  /**
   * Halves sub-table i, to `next`. Residuals whose other bucket is full evict a pair there, in a pass of its own. False, and the
   * table holds what it held, if one finds no room. Throws DoesNotFit.
   */
  private async downsize(run: RunSteps, i: number, next: SubTable, after: number, tally: Tally): Promise<boolean> {
    const { memory, gpu, status } = this;
    const before = 2 * after;
    const had = memory.pairs[i] ?? 0;
    const pending = await this.pendingAgain.get(before * BUCKET);
    const own = { 10: memory.buffer(i), 11: next.words, 13: gpu.constant(before, i), 14: status.buffer, 15: pending };
    const bindings = { ...memory.bound(i), ...memory.locks, ...own };
    const halving = { kernel: await this.kernels.resizing("downsize"), bindings, groups: groupsFor(after * BUCKET) };
    const moved = await status.run(run, [halving]);
    tally.ns += moved.ns;
    await memory.count();
    const old = await memory.replace(i, next, after);
    const crowded = moved.status[2] ?? 0;
    if (crowded > 0) {
      const evicting = this.batch(["evict"], sourceOf(old.words, before), pending, { retry: 1, refuses: 0 });
      const evicted = await status.run(run, await evicting);
      tally.ns += evicted.ns;
      await memory.count();
      if (evicted.status[3]) {
        await this.takeBack(run, { i, old, before, had, pending }, tally);
        return false;
      }
      // They were still counted where they came from.
      memory.recount(memory.pairs.map((pairs, table) => (table === i ? pairs - crowded : pairs)));
    }
    old.destroy();
    return true;
  }

  /**
   * Sub-table i is again the one before, which has all its keys: what other sub-tables have of these goes, and pairs that were
   * evicted from there into the halved one go back. For each of them there is room: a residual had its slot.
   */
  private async takeBack(
    run: RunSteps,
    { i, old, before, had, pending }: { i: number; old: SubTable; before: number; had: number; pending: GPUBuffer },
    tally: Tally,
  ): Promise<void> {
    const { memory, gpu, status } = this;
    const halved = await memory.replace(i, old, before);
    await gpu.zero(pending);
    memory.recount(memory.pairs.with(i, had));
    const own = { 10: old.words, 13: gpu.constant(before * BUCKET, i), 14: status.buffer };
    const spared = { ...memory.bound(i), ...memory.locks, ...own };
    const erased = await status.run(run, [await this.kernels.step("takeBack", before * BUCKET, spared)]);
    const source = sourceOf(halved.words, before / 2);
    // Most of these keys are in the old sub-table: both buckets have to be looked at.
    const inserting = this.batch(["insert", "evict"], source, pending, { retry: 0, refuses: 0 });
    const inserted = await status.run(run, await inserting);
    tally.ns += erased.ns + inserted.ns;
    await memory.count();
    halved.destroy();
    if (inserted.status[3]) throw new Error(`${inserted.status[3]} pairs found no room where they had been`);
  }

  /** Doubles or halves all sub-tables, and inserts all pairs anew. Throws DoesNotFit. */
  private async rehash(run: RunSteps, direction: Direction, tally: Tally): Promise<boolean> {
    const before = this.memory;
    const sizes = before.buckets.map((size) => (direction === "up" ? 2 * size : size / 2));
    tally.holds(before.bytes + bytesOf(sizes, true));
    const next = await this.make(sizes);
    this.memory = next;
    try {
      let left = 0;
      tally.ns += (await run(await next.clearing())).ns;
      for (const [i, size] of before.buckets.entries()) {
        left += await this.place(run, sourceOf(before.buffer(i), size), tally, false);
      }
      if (left === 0) {
        before.destroy();
        return true;
      }
    } catch (error) {
      this.memory = before;
      next.destroy();
      throw error;
    }
    this.memory = before;
    next.destroy();
    return false;
  }

  /** What `relocate` is compared with: the pairs of the one sub-table are inserted anew. Throws DoesNotFit. */
  private async rehashOne(run: RunSteps, direction: Direction, tally: Tally): Promise<void> {
    const { i, before, after } = this.target(direction);
    const next = await makeSubTable(this.gpu, after);
    tally.holds(this.bytes + bucketBytes(after));
    let old: SubTable;
    try {
      old = await this.memory.replace(i, next, after);
    } catch (error) {
      next.destroy();
      throw error;
    }
    this.memory.recount(this.memory.pairs.with(i, 0));
    const { ns } = await run([await fillStep(this.gpu, next.words, EMPTY)]);
    tally.ns += ns;
    const left = await this.place(run, sourceOf(old.words, before), tally, true);
    old.destroy();
    tally.resizing.ns = tally.ns;
    tally.resizing[direction === "up" ? "upsizes" : "downsizes"] += 1;
    if (left > 0) throw new DoesNotFit(`${left} pairs of a sub-table that was rehashed`);
  }
}

/** A sub-table's pairs, as an input: keys, then values. */
function sourceOf(words: GPUBuffer, buckets: number): Source {
  return { keys: words, values: words, first: 0, n: buckets * BUCKET, shift: buckets * BUCKET };
}
