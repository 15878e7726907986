/** Which answers the operations of mixed batches may give, whatever the order in which the lanes of a slice run. On the host. */
import { EMPTY } from "../../kernels/common/steps.js";
import { MIXED_KINDS, type MixedSlice } from "../../kernels/table.js";
import { hex } from "../scenarios/workload/check.js";
import { Mismatch } from "./bulk.js";
import { compare } from "./harness.js";

const { insert: INSERT, erase: ERASE } = MIXED_KINDS;

/** One batch on the host. */
export interface HostBatch {
  readonly kinds: Uint32Array;
  readonly keys: Uint32Array;
  readonly values: Uint32Array;
  /** Number of each operation's key in the universe. */
  readonly items: Uint32Array;
  readonly slices: readonly MixedSlice[];
}

/**
 * What is in a table as far as its answers tell: where operations of one slice raced, a key may have one of several values. Arrays
 * are by number of the key: a history has millions of operations.
 */
export class MixedOracle {
  /** The key's value; EMPTY if it is absent. */
  readonly values: Uint32Array;
  private readonly undecided = new Map<number, readonly number[]>();
  /** Of the slice that is checked, its operations on the key, and those erasures that say that they erased it. */
  private readonly insertions: Uint32Array;
  private readonly erasures: Uint32Array;
  private readonly erased: Uint32Array;
  /** The slice's last insertion of the key, and of each insertion the one before it; counted from 1. */
  private readonly lastInsertion: Uint32Array;
  private insertionBefore = new Uint32Array();

  constructor(readonly keys: Uint32Array) {
    this.values = new Uint32Array(keys.length).fill(EMPTY);
    this.insertions = new Uint32Array(keys.length);
    this.erasures = new Uint32Array(keys.length);
    this.erased = new Uint32Array(keys.length);
    this.lastInsertion = new Uint32Array(keys.length);
  }

  /** Keys that are present, after `settle`. */
  get present(): number {
    return this.values.reduce((sum, value) => sum + (value === EMPTY ? 0 : 1), 0);
  }

  /** Of each key, 1 if it may be present. */
  protected there(): Uint8Array {
    const there = new Uint8Array(this.keys.length);
    for (let item = 0; item < there.length; item++) there[item] = this.values[item] === EMPTY ? 0 : 1;
    for (const item of this.undecided.keys()) there[item] = this.maybeThere(item) ? 1 : 0;
    return there;
  }

  /** What a search may answer now. */
  private possible(item: number): readonly number[] {
    return this.undecided.get(item) ?? [this.values[item] ?? EMPTY];
  }

  private mayBe(item: number, answer: number): boolean {
    return this.values[item] === answer || this.undecided.get(item)?.includes(answer) === true;
  }

  private maybeThere(item: number): boolean {
    return this.values[item] !== EMPTY || this.undecided.get(item)?.some((value) => value !== EMPTY) === true;
  }

  /** Throws Mismatch if an answer is not admissible. @param when begins the message */
  check(batch: HostBatch, results: ArrayLike<number>, when = ""): void {
    const { kinds, keys, items } = batch;
    for (const { first, count } of batch.slices) {
      this.countOperations(batch, results, first, first + count);
      for (let at = first; at < first + count; at++) {
        const [item, kind, answer] = [items[at] ?? 0, kinds[at], results[at] ?? 0];
        if (this.isAdmissible(batch, item, kind, answer)) continue;
        const name = kind === INSERT ? "insert" : kind === ERASE ? "erase" : "find";
        throw new Mismatch(
          `${when}${name}(${hex(keys[at] ?? 0)}), operation ${at}: ${hex(answer)} ${this.story(item)}`,
        );
      }
      for (let at = first; at < first + count; at++) this.endSlice(batch, items[at] ?? 0, when);
    }
  }

  private countOperations({ kinds, items }: HostBatch, results: ArrayLike<number>, from: number, to: number): void {
    for (const counts of [this.insertions, this.erasures, this.erased, this.lastInsertion]) counts.fill(0);
    if (this.insertionBefore.length <= to) this.insertionBefore = new Uint32Array(kinds.length + 1);
    for (let at = from; at < to; at++) {
      const item = items[at] ?? 0;
      if (kinds[at] === INSERT) {
        add(this.insertions, item);
        this.insertionBefore[at + 1] = this.lastInsertion[item] ?? 0;
        this.lastInsertion[item] = at + 1;
      } else if (kinds[at] === ERASE) {
        add(this.erasures, item);
        if (results[at] === 1) add(this.erased, item);
      }
    }
  }

  private isAdmissible({ values }: HostBatch, item: number, kind: number | undefined, answer: number): boolean {
    if (kind === INSERT) return answer === 1;
    if (kind === ERASE) return answer <= 1;
    if (this.mayBe(item, answer)) return true;
    if (answer === EMPTY) return (this.erasures[item] ?? 0) > 0;
    let at = this.lastInsertion[item] ?? 0;
    while (at > 0 && values[at - 1] !== answer) at = this.insertionBefore[at] ?? 0;
    return at > 0;
  }

  /** What a search may answer after the slice. Throws Mismatch if its erasures cannot be right. Of a key only the first call counts. */
  private endSlice({ values }: HostBatch, item: number, when: string): void {
    const [insertions = 0, erasures = 0, erased = 0] = [this.insertions[item], this.erasures[item], this.erased[item]];
    if (insertions === 0 && erasures === 0) return;
    // Each erasure that says so needs a key that was there, or an insertion; and a key that was there is erased by the first.
    const most = (this.maybeThere(item) ? 1 : 0) + insertions;
    const surely = this.mayBe(item, EMPTY) ? 0 : 1;
    if (erased < Math.min(surely, erasures) || erased > most) {
      const claim = `${erased} of ${erasures} erasures say that they erased ${hex(this.keys[item] ?? 0)}`;
      throw new Mismatch(`${when}${claim} ${this.story(item)}`);
    }
    // The last insertion's value, unless an erasure came after it; gone for certain if every insertion was erased.
    const inserted = insertions > 0 && erased < most ? this.inserted(values, item) : [];
    this.becomes(item, insertions === 0 || erased > 0 ? [EMPTY, ...inserted] : inserted);
    this.insertions[item] = 0;
    this.erasures[item] = 0;
  }

  /** The values that the slice inserts for the key, the first one first. */
  private inserted(values: Uint32Array, item: number): number[] {
    const inserted: number[] = [];
    for (let at = this.lastInsertion[item] ?? 0; at > 0; at = this.insertionBefore[at] ?? 0) {
      const value = values[at - 1] ?? 0;
      if (!inserted.includes(value)) inserted.unshift(value);
    }
    return inserted;
  }

  private becomes(item: number, possible: readonly number[]): void {
    const [value = EMPTY] = possible;
    this.values[item] = value;
    if (possible.length > 1) this.undecided.set(item, possible);
    else this.undecided.delete(item);
  }

  private story(item: number): string {
    const found = this.possible(item).map(hex).join(" or ");
    const did = `inserts it ${this.insertions[item]} times and erases it ${this.erased[item]} times of ${this.erasures[item]}`;
    return `where the slice found ${found}, and ${did}`;
  }

  /**
   * Nothing is lost and nothing invented: throws Mismatch if a key has a value that it cannot have.
   * @param answers What the table answers for every key: undecided keys have these values from now on.
   */
  settle(answers: Uint32Array, when: string): void {
    const expected = (item: number) => {
      const answer = answers[item] ?? 0;
      return this.mayBe(item, answer) ? answer : (this.values[item] ?? EMPTY);
    };
    compare(this.keys, answers, expected, when);
    this.values.set(answers);
    this.undecided.clear();
  }
}

function add(counts: Uint32Array, item: number): void {
  counts[item] = (counts[item] ?? 0) + 1;
}
