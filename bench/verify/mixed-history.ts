/** Random mixed batches over a universe of keys. */
import { keyConstants, keyRange, mix } from "../../datasets/random.js";
import { type Uniform, uniform } from "../../datasets/rng.js";
import { MIXED_KINDS, type MixedSlice } from "../../kernels/table.js";
import { type HostBatch, MixedOracle } from "./mixed-oracle.js";

const { insert: INSERT, find: FIND, erase: ERASE } = MIXED_KINDS;

export interface HistoryOptions {
  /** Keys that may be inserted; a tenth as many more are only ever asked for and erased. */
  readonly universe: number;
  /** Operations of a slice, at most. */
  readonly slice: number;
  /**
   * `apart`: no search asks for a key that its slice changes. `racing`: a key is inserted once (if it was absent) or erased by
   * several lanes, beside searches for it, so that every answer is one of two. `tangled`: it is inserted, erased and searched for
   * several times in one slice.
   */
  readonly mixing: "apart" | "racing" | "tangled";
  readonly erase: boolean;
  /** Also a tangled slice inserts a key only if it was absent before it, and once. */
  readonly insertsOnce: boolean;
  readonly seed: number;
  /** The table is a set: a present key is answered by 1. */
  readonly member: boolean;
}

/** The kind of the operations that a slice has changed a key by; ASKED only where searches must not race. */
const UNTOUCHED = 0;
const INSERTED = 1;
const ERASED = 2;
const ASKED = 3;

/** What the slices that are being made know of each key. */
interface Making {
  /** Whether it may be present before the slice. */
  readonly there: Uint8Array;
  readonly touched: Uint8Array;
}

/** Random batches. Keys come back in later slices, with other values. */
export class MixedHistory extends MixedOracle {
  private readonly draw: Uniform;
  private slicesMade = 0;

  constructor(private readonly options: HistoryOptions) {
    const { universe, seed } = options;
    super(keyRange(0, universe + Math.ceil(universe / 10), keyConstants(seed)));
    this.draw = uniform(seed);
  }

  /**
   * The next slices: `check` has to follow.
   * @param first Operations before them, which belong to no slice.
   */
  next(slices: number, first = 0): HostBatch {
    const { mixing, slice } = this.options;
    const made: MixedSlice[] = [];
    let total = first;
    for (let i = 0; i < slices; i++) {
      const count = mixing === "tangled" ? slice : 1 + this.below(slice);
      made.push({ first: total, count });
      total += count;
    }
    const words = () => new Uint32Array(total);
    const batch = { kinds: words(), keys: words(), values: words(), items: words(), slices: made };
    const making = { there: this.there(), touched: new Uint8Array(this.keys.length) };
    for (const one of made) this.fillSlice(batch, one, making);
    return batch;
  }

  private fillSlice(batch: HostBatch, { first, count }: MixedSlice, making: Making): void {
    const { kinds, keys, values, items } = batch;
    const { there, touched } = making;
    const salt = Math.imul(++this.slicesMade, 0x9e3779b1);
    for (let at = first; at < first + count; at++) {
      const item = this.pick(items, first, at, touched);
      items[at] = item;
      kinds[at] = this.kindFor(item, making);
      keys[at] = this.keys[item] ?? 0;
      // Every insertion has a value of its own, and the top bit is clear: no value is EMPTY.
      values[at] = this.options.member ? 1 : mix(at ^ salt) >>> 1;
    }
    for (const item of items.subarray(first, first + count)) {
      if (touched[item] === INSERTED) there[item] = 1;
      else if (touched[item] === ERASED) there[item] = 0;
      touched[item] = UNTOUCHED;
    }
  }

  private below(count: number): number {
    return Math.floor(this.draw() * count);
  }

  /** Any key; where there may be races, half the time one that the slice has already, often of the same warp. */
  private pick(items: Uint32Array, first: number, at: number, touched: Uint8Array): number {
    const { mixing, universe } = this.options;
    if (mixing !== "apart" && at > first && this.draw() < 0.5) {
      const back = this.draw() < 0.5 ? Math.min(32, at - first) : at - first;
      return items[at - 1 - this.below(back)] ?? 0;
    }
    const item = this.below(this.keys.length);
    const changed = touched[item] === INSERTED || touched[item] === ERASED;
    return changed && mixing === "apart" ? universe + this.below(this.keys.length - universe) : item;
  }

  private kindFor(item: number, making: Making): number {
    const { touched } = making;
    const kind = this.options.mixing === "tangled" ? this.anyKind(item, making) : this.onlyKind(item, making);
    if (kind === INSERT) touched[item] = INSERTED;
    else if (kind === ERASE) touched[item] ||= ERASED;
    else if (this.options.mixing === "apart") touched[item] ||= ASKED;
    return kind;
  }

  private anyKind(item: number, { there, touched }: Making): number {
    const { universe, insertsOnce } = this.options;
    const dice = this.draw();
    const taken = insertsOnce && (there[item] === 1 || touched[item] === INSERTED);
    if (dice < 0.35) return item < universe && !taken ? INSERT : FIND;
    return dice < 0.6 ? ERASE : FIND;
  }

  /** Of a key that the slice erases, another erasure or a search. */
  private onlyKind(item: number, { there, touched }: Making): number {
    const { erase, universe } = this.options;
    const dice = this.draw();
    if (touched[item] === ERASED) return dice < 0.75 ? ERASE : FIND;
    if (touched[item] !== UNTOUCHED || item >= universe) return FIND;
    if (there[item] === 1) return erase && dice < 0.2 ? ERASE : FIND;
    if (dice < 0.8) return INSERT;
    return erase && dice < 0.9 ? ERASE : FIND;
  }
}
