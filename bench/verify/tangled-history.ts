/**
 * Slices that insert, erase and search for one key several times each, in no order: the most that operations of one dispatch can
 * be mixed. Which answers are admissible follows from what the slice did to the key; what it left is asked for, and taken over if
 * it is admissible. The oracle is on the host. Histories whose answers are all one of two are in mixed-history.ts.
 */
import { keyConstants, keyOfWith, mix } from "../../datasets/random.js";
import { type Uniform, uniform } from "../../datasets/rng.js";
import { EMPTY } from "../../kernels/common/steps.js";
import { MIXED_KINDS, type MixedSlice } from "../../kernels/table.js";
import { hex, Mismatch } from "./harness.js";

const { insert: INSERT, find: FIND, erase: ERASE } = MIXED_KINDS;

export interface TangledOptions {
  /** Keys that may be inserted; a tenth as many more are only ever asked for and erased. */
  readonly universe: number;
  /** Operations of a slice. */
  readonly slice: number;
  readonly seed: number;
  /** The table is a set: a present key is answered by 1. */
  readonly member: boolean;
  /** The table takes every key once: a slice inserts a key only if it was absent before it, and once. */
  readonly insertsOnce: boolean;
}

/** A slice on the host. */
export interface TangledSlice {
  readonly kinds: Uint32Array;
  readonly keys: Uint32Array;
  readonly values: Uint32Array;
  readonly slices: readonly MixedSlice[];
  /** Number of the key in the universe. */
  readonly items: Uint32Array;
}

/** What a slice did to a key, and what its operations answered. */
interface Tally {
  /** Values that were inserted. */
  readonly inserted: Set<number>;
  insertions: number;
  erasures: number;
  /** Erasures that say that they erased the key. */
  erased: number;
}

export class TangledHistory {
  readonly keys: Uint32Array;
  /** By number of the key; EMPTY if it is absent. */
  readonly values: Uint32Array;
  private readonly draw: Uniform;
  private slicesMade = 0;

  constructor(private readonly options: TangledOptions) {
    const { universe, seed } = options;
    const all = universe + Math.ceil(universe / 10);
    const constants = keyConstants(seed);
    this.keys = Uint32Array.from({ length: all }, (_, i) => keyOfWith(i, constants));
    this.values = new Uint32Array(all).fill(EMPTY);
    this.draw = uniform(seed);
  }

  /** Keys that are present. */
  get present(): number {
    return this.values.reduce((sum, value) => sum + (value === EMPTY ? 0 : 1), 0);
  }

  /** The next slice; `settle` has to follow. */
  next(): TangledSlice {
    const { slice, member, universe, insertsOnce } = this.options;
    const words = () => new Uint32Array(slice);
    const batch = { kinds: words(), keys: words(), values: words(), items: words() };
    const salt = Math.imul(++this.slicesMade, 0x9e3779b1);
    const inserted = new Uint8Array(this.keys.length);
    for (let at = 0; at < slice; at++) {
      const item = this.pick(batch.items, at);
      const once = this.values[item] === EMPTY && inserted[item] === 0;
      const kind = this.kind(item < universe && (once || !insertsOnce));
      if (kind === INSERT) inserted[item] = 1;
      batch.items[at] = item;
      batch.kinds[at] = kind;
      batch.keys[at] = this.keys[item] ?? 0;
      // Every insertion has a value of its own, and the top bit is clear: no value is EMPTY.
      batch.values[at] = member ? 1 : mix(at ^ salt) >>> 1;
    }
    return { ...batch, slices: [{ first: 0, count: slice }] };
  }

  private below(count: number): number {
    return Math.floor(this.draw() * count);
  }

  /** Any key, or one that the slice has already, often of the same warp. */
  private pick(items: Uint32Array, at: number): number {
    if (at === 0 || this.draw() < 0.4) return this.below(this.keys.length);
    const back = this.draw() < 0.5 ? Math.min(32, at) : at;
    return items[at - 1 - this.below(back)] ?? 0;
  }

  private kind(mayInsert: boolean): number {
    const dice = this.draw();
    if (dice < 0.35) return mayInsert ? INSERT : FIND;
    return dice < 0.6 ? ERASE : FIND;
  }

  /**
   * Throws Mismatch if an answer is not admissible, or what the slice left.
   * @param left What the table answers for every key after the slice.
   */
  settle(slice: TangledSlice, results: Uint32Array, left: Uint32Array): void {
    const tallies = this.tallies(slice, results);
    for (const [at, item] of slice.items.entries()) {
      const tally = tallies.get(item);
      if (tally) this.checkAnswer(slice, at, results[at] ?? 0, tally);
    }
    for (const [item, tally] of tallies) this.checkErasures(item, tally);
    for (const item of this.keys.keys()) {
      this.checkLeft(item, left[item] ?? 0, tallies.get(item));
      this.values[item] = left[item] ?? 0;
    }
  }

  private tallies({ kinds, values, items }: TangledSlice, results: Uint32Array): Map<number, Tally> {
    const tallies = new Map<number, Tally>();
    for (const [at, item] of items.entries()) {
      const tally = tallies.get(item) ?? { inserted: new Set(), insertions: 0, erasures: 0, erased: 0 };
      tallies.set(item, tally);
      if (kinds[at] === INSERT) {
        tally.insertions++;
        tally.inserted.add(values[at] ?? 0);
      } else if (kinds[at] === ERASE) {
        tally.erasures++;
        tally.erased += results[at] === 1 ? 1 : 0;
      }
    }
    return tallies;
  }

  private checkAnswer({ kinds, items }: TangledSlice, at: number, answer: number, tally: Tally): void {
    const item = items[at] ?? 0;
    const before = this.values[item] ?? EMPTY;
    const kind = kinds[at];
    const admissible =
      kind === INSERT
        ? answer === 1
        : kind === ERASE
          ? answer <= 1
          : answer === EMPTY
            ? before === EMPTY || tally.erasures > 0
            : answer === before || tally.inserted.has(answer);
    if (admissible) return;
    const name = kind === INSERT ? "insert" : kind === ERASE ? "erase" : "find";
    throw new Mismatch(`${name}(${this.name(item)}), operation ${at}: ${hex(answer)} ${this.story(item, tally)}`);
  }

  /** Every erasure that says so needs a key that was there, or an insertion; and a key that was there is erased by the first. */
  private checkErasures(item: number, tally: Tally): void {
    const { insertions, erasures, erased } = tally;
    const there = this.values[item] === EMPTY ? 0 : 1;
    if (erased >= Math.min(there, erasures) && erased <= there + insertions) return;
    throw new Mismatch(
      `${erased} of ${erasures} erasures say that they erased ${this.name(item)} ${this.story(item, tally)}`,
    );
  }

  /** `answer`: what the slice left of the key. */
  private checkLeft(item: number, answer: number, tally: Tally | undefined): void {
    const before = this.values[item] ?? EMPTY;
    if (this.mayLeave(before, answer, tally)) return;
    const story = tally ? this.story(item, tally) : `where the slice did not touch ${hex(before)}`;
    throw new Mismatch(`after a slice find(${this.name(item)}): ${hex(answer)} ${story}`);
  }

  private mayLeave(before: number, answer: number, tally: Tally | undefined): boolean {
    if (!tally || tally.insertions + tally.erased === 0) return answer === before;
    const { insertions, erased, inserted } = tally;
    // The last insertion's value, unless an erasure came after it; gone for certain if every insertion was erased.
    if (answer === EMPTY) return erased > 0;
    return inserted.has(answer) && erased < insertions + (before === EMPTY ? 0 : 1);
  }

  private name(item: number): string {
    return hex(this.keys[item] ?? 0);
  }

  private story(item: number, { insertions, erasures, erased }: Tally): string {
    const before = this.values[item] ?? EMPTY;
    return `where the slice found ${hex(before)}, and inserts it ${insertions} times and erases it ${erased} times of ${erasures}`;
  }
}
