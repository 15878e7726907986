/** When a table is resized, and how: one sub-table by moving its pairs, or all of them by inserting all pairs anew (Li et al., 4). */
import { EMPTY, fillStep, groupsFor } from "../common/steps.js";
import { dispatch } from "../device/bind.js";
import { DoesNotFit } from "../device/errors.js";
import type { Owner } from "../device/owned.js";
import type { OpResult, RunSteps } from "../table.js";
import { type Contents, sourceOf, Tally } from "./contents.js";
import { BUCKET, largest, smallest } from "./filling.js";
import type { Kernels } from "./kernels.js";
import { bucketBytes, bytesOf, makeSubTable, type SubTable } from "./sub-tables.js";

/** When a table is resized, and how much of it. */
export interface Policy {
  /** The filled factor is held between these. */
  readonly alpha: number;
  readonly beta: number;
  /** All sub-tables are resized, and all pairs inserted anew; else one sub-table. */
  readonly whole: boolean;
}

type Direction = "up" | "down";

/** The sub-table to resize, and its buckets before and after. */
interface Target {
  readonly i: number;
  readonly before: number;
  readonly after: number;
}

export class Resizer {
  constructor(
    private readonly gpu: Owner,
    private readonly contents: Contents,
    private readonly kernels: Kernels,
    private readonly policy: Policy,
  ) {}

  /** One resize. Down only where sub-tables have an even number of buckets. */
  async once(run: RunSteps, direction: Direction, how: "relocate" | "rehash"): Promise<OpResult> {
    const tally = new Tally(this.contents.memory.bytes);
    if (direction === "down" && !this.halves) tally.resizing.failed += 1;
    else if (how === "relocate" || this.policy.whole) await this.step(run, direction, tally);
    else await this.rehashOne(run, direction, tally);
    return tally.result(0, true);
  }

  /** Grows once, or until so many pairs more are within the bound. False if it could not grow at all. */
  async growFor(run: RunSteps, left: number, tally: Tally): Promise<boolean> {
    const { contents } = this;
    let grown = false;
    do {
      if (!(await this.step(run, "up", tally))) return grown;
      grown = true;
    } while (contents.pairs + left > this.policy.beta * contents.slots);
    return true;
  }

  /** Whether `settle` has nothing to do when up to so many pairs are gone. */
  stays(gone: number): boolean {
    const { pairs, slots } = this.contents;
    return pairs <= this.policy.beta * slots && pairs - gone >= this.policy.alpha * slots;
  }

  /** Resizes until the filled factor is within its bounds, as far as there is memory, and a smaller size. */
  async settle(run: RunSteps, tally: Tally): Promise<void> {
    const { contents } = this;
    const { alpha, beta } = this.policy;
    while (contents.pairs > beta * contents.slots && (await this.step(run, "up", tally)));
    while (contents.pairs < alpha * contents.slots && this.halves && (await this.step(run, "down", tally)));
  }

  private get halves(): boolean {
    const { buckets } = this.contents.memory;
    return (buckets[largest(buckets)] ?? 1) % 2 === 0;
  }

  /** One resize. False, and the table is as it was, if it could not be done. */
  private async step(run: RunSteps, direction: Direction, tally: Tally): Promise<boolean> {
    const { resizing } = tally;
    const before = tally.ns;
    const share = this.policy.whole ? 1 : this.shareOf(this.target(direction));
    let done = false;
    try {
      done = await (this.policy.whole ? this.rehash(run, direction, tally) : this.relocate(run, direction, tally));
    } catch (error) {
      if (!(error instanceof DoesNotFit)) throw error;
    }
    resizing.ns += tally.ns - before;
    if (done) tally.resized(direction, share);
    else resizing.failed += 1;
    return done;
  }

  /** Doubles the smallest sub-table or halves the largest. Throws DoesNotFit. */
  private async relocate(run: RunSteps, direction: Direction, tally: Tally): Promise<boolean> {
    const { memory } = this.contents;
    const target = this.target(direction);
    const next = await makeSubTable(this.gpu, target.after);
    tally.holds(memory.bytes + bucketBytes(target.after));
    try {
      if (direction === "down") return await this.downsize(run, target, next, tally);
      await this.upsize(run, target, next, tally);
      (await memory.replace(target.i, next, target.after)).destroy();
      return true;
    } catch (error) {
      next.destroy();
      throw error;
    }
  }

  private target(direction: Direction): Target {
    const { buckets } = this.contents.memory;
    const i = direction === "up" ? smallest(buckets) : largest(buckets);
    const before = buckets[i] ?? 1;
    return { i, before, after: direction === "up" ? 2 * before : before / 2 };
  }

  /** Of the table's pairs those in the sub-table. */
  private shareOf({ i }: Target): number {
    const { contents } = this;
    return contents.pairs > 0 ? (contents.memory.pairs[i] ?? 0) / contents.pairs : 0;
  }

  private async upsize(run: RunSteps, { i, before }: Target, next: SubTable, tally: Tally): Promise<void> {
    const { memory } = this.contents;
    const upsize = dispatch(await this.kernels.upsize(), groupsFor((before * BUCKET) / 4), {
      old: memory.buffer(i),
      resized: next.words,
      before: { buckets: before, salt: memory.salt(i) },
    });
    tally.ns += (await run([upsize])).ns;
  }

  /**
   * Halves the sub-table, to `next`. Residuals whose other bucket is full evict a pair there, in a pass of its own. False, and the
   * table holds what it held, if one finds no room. Throws DoesNotFit.
   */
  private async downsize(run: RunSteps, target: Target, next: SubTable, tally: Tally): Promise<boolean> {
    const { i, before, after } = target;
    const { contents } = this;
    const { memory } = contents;
    const had = memory.pairs[i] ?? 0;
    const pending = await contents.pendingAgain.get(before * BUCKET);
    const downsize = dispatch(await this.kernels.downsize(memory.bound(i)), groupsFor(after * BUCKET), {
      old: memory.buffer(i),
      resized: next.words,
      before: { buckets: before, number: i },
      pending,
    });
    const { left: crowded } = await contents.change(run, [downsize], tally);
    const old = await memory.replace(i, next, after);
    if (crowded > 0) {
      const evict = await contents.batch(["evict"], sourceOf(old.words, before), pending, { retry: 1 });
      const { left } = await contents.change(run, evict, tally);
      if (left > 0) {
        await this.takeBack(run, target, old, had, tally);
        return false;
      }
      // They were still counted where they came from.
      memory.recount(memory.pairs.map((pairs, table) => (table === i ? pairs - crowded : pairs)));
    }
    old.destroy();
    return true;
  }

  /**
   * Sub-table i is again the old one, which has all its keys: what other sub-tables have of these goes, and pairs that were
   * evicted from there into the halved one go back. For each of them there is room: a residual had its slot.
   */
  private async takeBack(
    run: RunSteps,
    { i, before, after }: Target,
    old: SubTable,
    had: number,
    tally: Tally,
  ): Promise<void> {
    const { contents } = this;
    const { memory } = contents;
    const halved = await memory.replace(i, old, before);
    const pending = await contents.pendingAgain.get(before * BUCKET);
    await this.gpu.zero(pending);
    memory.recount(memory.pairs.with(i, had));
    const n = before * BUCKET;
    const spared = { keys_in: old.words, batch: { first: 0, end: n, spared: i } };
    const erase = await this.kernels.step("takeBack", memory.bound(i), n, spared);
    // Most of these keys are in the old sub-table: both buckets have to be looked at.
    const insert = await contents.batch(["insert", "evict"], sourceOf(halved.words, after), pending);
    const { left } = await contents.change(run, [erase, ...insert], tally);
    halved.destroy();
    if (left > 0) throw new Error(`${left} pairs found no room where they had been`);
  }

  /** Doubles or halves all sub-tables, and inserts all pairs anew. Throws DoesNotFit. */
  private async rehash(run: RunSteps, direction: Direction, tally: Tally): Promise<boolean> {
    const { contents } = this;
    const before = contents.memory;
    const sizes = before.buckets.map((size) => (direction === "up" ? 2 * size : size / 2));
    tally.holds(before.bytes + bytesOf(sizes, true));
    const next = await contents.make(sizes);
    contents.memory = next;
    let done = false;
    try {
      let left = 0;
      tally.ns += (await run(await next.clearing())).ns;
      for (const [i, size] of before.buckets.entries()) {
        const source = sourceOf(before.buffer(i), size);
        left += await contents.place(run, source, tally, contents.pendingAgain, null);
      }
      done = left === 0;
      return done;
    } finally {
      contents.memory = done ? next : before;
      (done ? before : next).destroy();
    }
  }

  /** What `relocate` is compared with: the pairs of the one sub-table are inserted anew. Throws DoesNotFit. */
  private async rehashOne(run: RunSteps, direction: Direction, tally: Tally): Promise<void> {
    const { contents } = this;
    const { memory } = contents;
    const target = this.target(direction);
    const { i, before, after } = target;
    const share = this.shareOf(target);
    const next = await makeSubTable(this.gpu, after);
    tally.holds(memory.bytes + bucketBytes(after));
    let old: SubTable;
    try {
      old = await memory.replace(i, next, after);
    } catch (error) {
      next.destroy();
      throw error;
    }
    memory.recount(memory.pairs.with(i, 0));
    tally.ns += (await run([await fillStep(this.gpu, next.words, EMPTY)])).ns;
    const grow = (left: number) => this.growFor(run, left, tally);
    const left = await contents.place(run, sourceOf(old.words, before), tally, contents.pending, grow);
    old.destroy();
    tally.resizing.ns = tally.ns;
    tally.resized(direction, share);
    if (left > 0) throw new DoesNotFit(`${left} pairs of a sub-table that was rehashed`);
  }
}
