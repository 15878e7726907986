/** Which answers the operations of mixed batches may give, whatever the order in which the lanes of a slice run. On the host. */
import { EMPTY } from "../../kernels/common/steps.js";
import { MIXED_KINDS, type MixedSlice } from "../../kernels/table.js";
import { hex } from "../workload/check.js";
import { compare, Mismatch } from "./harness.js";

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

/** What a slice did to a key, and what its operations answered. */
interface Tally {
  /** What a search may have answered before the slice; EMPTY if the key was absent. */
  readonly before: readonly number[];
  readonly inserted: Set<number>;
  insertions: number;
  erasures: number;
  /** Erasures that say that they erased the key. */
  erased: number;
}

/** What is in a table as far as its answers tell: where operations of one slice raced, a key may have one of several values. */
export class MixedOracle {
  /** By number of the key, its value; EMPTY if it is absent. */
  readonly values: Uint32Array;
  private readonly undecided = new Map<number, readonly number[]>();

  constructor(readonly keys: Uint32Array) {
    this.values = new Uint32Array(keys.length).fill(EMPTY);
  }

  /** Keys that are present, after `settle`. */
  get present(): number {
    return this.values.reduce((sum, value) => sum + (value === EMPTY ? 0 : 1), 0);
  }

  /** What a search may answer now. */
  protected possible(item: number): readonly number[] {
    return this.undecided.get(item) ?? [this.values[item] ?? EMPTY];
  }

  /** Throws Mismatch if an answer is not admissible. @param when begins the message */
  check(batch: HostBatch, results: ArrayLike<number>, when = ""): void {
    for (const { first, count } of batch.slices) {
      const tallies = this.tallies(batch, results, first, first + count);
      for (let at = first; at < first + count; at++) {
        const tally = tallies.get(batch.items[at] ?? 0);
        const [kind, answer] = [batch.kinds[at], results[at] ?? 0];
        if (!tally || isAdmissible(kind, answer, tally)) continue;
        const name = kind === INSERT ? "insert" : kind === ERASE ? "erase" : "find";
        const key = hex(batch.keys[at] ?? 0);
        throw new Mismatch(`${when}${name}(${key}), operation ${at}: ${hex(answer)} ${story(tally)}`);
      }
      for (const [item, tally] of tallies) {
        if (erasedWrongly(tally)) {
          const { erased, erasures } = tally;
          const claim = `${erased} of ${erasures} erasures say that they erased ${hex(this.keys[item] ?? 0)}`;
          throw new Mismatch(`${when}${claim} ${story(tally)}`);
        }
        this.becomes(item, after(tally));
      }
    }
  }

  private tallies(batch: HostBatch, results: ArrayLike<number>, from: number, to: number): Map<number, Tally> {
    const { kinds, values, items } = batch;
    const tallies = new Map<number, Tally>();
    for (let at = from; at < to; at++) {
      const item = items[at] ?? 0;
      let tally = tallies.get(item);
      if (!tally) {
        tally = { before: this.possible(item), inserted: new Set(), insertions: 0, erasures: 0, erased: 0 };
        tallies.set(item, tally);
      }
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

  private becomes(item: number, possible: readonly number[]): void {
    const [value = EMPTY] = possible;
    this.values[item] = value;
    if (possible.length > 1) this.undecided.set(item, possible);
    else this.undecided.delete(item);
  }

  /**
   * Nothing is lost and nothing invented: throws Mismatch if a key has a value that it cannot have.
   * @param answers What the table answers for every key: undecided keys have these values from now on.
   */
  settle(answers: Uint32Array, when: string): void {
    compare(
      this.keys,
      answers,
      (item) => {
        const possible = this.possible(item);
        return possible.find((value) => value === answers[item]) ?? possible[0] ?? EMPTY;
      },
      when,
    );
    this.values.set(answers);
    this.undecided.clear();
  }
}

function isAdmissible(kind: number | undefined, answer: number, { before, inserted, erasures }: Tally): boolean {
  if (kind === INSERT) return answer === 1;
  if (kind === ERASE) return answer <= 1;
  return before.includes(answer) || (answer === EMPTY ? erasures > 0 : inserted.has(answer));
}

/** Each erasure that says so needs a key that was there, or an insertion; and a key that was there is erased by the first. */
function erasedWrongly({ before, insertions, erasures, erased }: Tally): boolean {
  const surely = before.includes(EMPTY) ? 0 : 1;
  return erased < Math.min(surely, erasures) || erased > (maybeThere(before) ? 1 : 0) + insertions;
}

export const maybeThere = (before: readonly number[]) => before.some((value) => value !== EMPTY);

/** What a search may answer after the slice. */
function after({ before, inserted, insertions, erasures, erased }: Tally): readonly number[] {
  if (insertions === 0) return erasures === 0 ? before : [EMPTY];
  // The last insertion's value, unless an erasure came after it; gone for certain if every insertion was erased.
  const all = insertions + (maybeThere(before) ? 1 : 0);
  return [...(erased > 0 ? [EMPTY] : []), ...(erased < all ? inserted : [])];
}

function story({ before, insertions, erasures, erased }: Tally): string {
  const found = before.map(hex).join(" or ");
  return `where the slice found ${found}, and inserts it ${insertions} times and erases it ${erased} times of ${erasures}`;
}
