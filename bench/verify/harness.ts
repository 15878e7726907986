/** A table beside a Map: every bulk operation goes to both, and every answer is compared. */
import { DELETED, EMPTY } from "../../kernels/common/steps.js";
import { configure } from "../../kernels/define.js";
import type { Gpu } from "../../kernels/device/gpu.js";
import type { LookupOp } from "../../kernels/operations.js";
import type { GpuTable, Params, TableType } from "../../kernels/table.js";
import { hex } from "../scenarios/workload/check.js";
import { type Bulk, type Making, Mismatch, type MixedArrays, withTable } from "./bulk.js";
import { checkFlush, type OnAnother } from "./flush.js";

/** A set says 1 of a key that it has, a table without values the key itself. */
export function answerOf(type: TableType, params: Params = {}): (key: number, value: number) => number {
  if (type.answers === "member") return () => 1;
  if (configure(type, params).keysOnly) return (key) => key;
  return (_, value) => value;
}

/** Throws Mismatch at the first answer that is not the expected one. @param when begins the message */
export function compare(
  keys: ArrayLike<number>,
  answers: Uint32Array,
  expected: (i: number) => number,
  when = "",
): void {
  const wrong = answers.findIndex((answer, i) => answer !== expected(i));
  if (wrong < 0) return;
  const [query, got] = [`query ${wrong} of ${keys.length}`, hex(answers[wrong] ?? 0)];
  throw new Mismatch(`${when}find(${hex(keys[wrong] ?? 0)}), ${query}: ${got}, expected ${hex(expected(wrong))}`);
}

export class Harness {
  private readonly oracle = new Map<number, number>();

  private constructor(
    private readonly bulk: Bulk,
    /** What a search for the key answers that was inserted with that value. */
    readonly answerFor: (key: number, value: number) => number,
    /** Does work with another one like it, empty. */
    private readonly onAnother: OnAnother,
  ) {}

  /**
   * Runs a case on an empty table for n pairs and frees it.
   * @param loadFactor is lowered to what the table can reach, or to `making.most`
   */
  static on(
    gpu: Gpu,
    type: TableType,
    n: number,
    loadFactor: number,
    work: (table: Harness) => Promise<void>,
    making: Making & { readonly most?: number } = {},
  ): Promise<void> {
    const size = { ...making, n, loadFactor: Math.min(loadFactor, making.most ?? type.safeLoadFactor) };
    const answerFor = answerOf(type, making.params);
    return withTable(gpu, type, size, (bulk) =>
      work(new Harness(bulk, answerFor, (check) => withTable(gpu, type, size, check))),
    );
  }

  get table(): GpuTable {
    return this.bulk.table;
  }

  /** Inserts in bulk; `first`: pairs of others before these, in the same buffers. */
  async insert(keys: readonly number[], values: readonly number[], first = 0): Promise<void> {
    await this.takes(keys, values, first);
    this.knows(keys.map((key, i) => [key, values[i] ?? 0] as const).filter(([key]) => key < DELETED));
  }

  /** Tells the oracle of pairs that were inserted past it. */
  knows(pairs: Iterable<readonly [key: number, value: number]>): void {
    for (const [key, value] of pairs) this.oracle.set(key, this.answerFor(key, value));
  }

  /** Inserts in bulk past the oracle. Throws Mismatch if the table refuses a pair. */
  async takes(keys: ArrayLike<number>, values: ArrayLike<number>, first = 0): Promise<void> {
    const refused = await this.refused(keys, values, first);
    if (refused > 0) throw new Mismatch(`insert refused ${refused} of ${keys.length} pairs`);
  }

  /** Inserts in bulk past the oracle; how many pairs the table refused. */
  async refused(keys: ArrayLike<number>, values: ArrayLike<number>, first = 0): Promise<number> {
    return (await this.bulk.insert(keys, values, first)).count;
  }

  /**
   * Inserts in bulk past the oracle, and asks for all: what was refused is not there, and everything else is. Throws Mismatch if that is
   * not so; how many pairs the table refused.
   */
  async takesOrRefuses(keys: ArrayLike<number>, values: ArrayLike<number>): Promise<number> {
    const refused = await this.refused(keys, values);
    const answers = await this.answers(keys);
    const valueAt = (i: number) => this.answerFor(keys[i] ?? 0, values[i] ?? 0);
    compare(keys, answers, (i) => (answers[i] === EMPTY ? EMPTY : valueAt(i)));
    const absent = answers.reduce((sum, answer) => sum + (answer === EMPTY ? 1 : 0), 0);
    if (absent !== refused) throw new Mismatch(`it refused ${refused} pairs, and ${absent} are not there`);
    return refused;
  }

  /** Runs a mixed batch past the oracle; every operation's answer. */
  async mixed(batch: MixedArrays): Promise<Uint32Array> {
    const { count, answers } = await this.bulk.mixed(batch);
    if (count > 0) throw new Mismatch(`${count} insertions of a mixed batch found no slot`);
    return answers;
  }

  /** Finds in bulk and compares every answer with the Map's. */
  async find(keys: readonly number[]): Promise<void> {
    compare(keys, await this.answers(keys), (i) => {
      const key = keys[i] ?? 0;
      return key >= DELETED ? EMPTY : (this.oracle.get(key) ?? EMPTY);
    });
  }

  answers(keys: ArrayLike<number>, op: LookupOp = "find"): Promise<Uint32Array> {
    return this.bulk.ask(op, keys);
  }

  /** Erases in bulk; the number of erased keys must be the Map's. */
  async erase(keys: readonly number[]): Promise<void> {
    let expected = 0;
    for (const key of keys) if (this.oracle.delete(key)) expected++;
    await this.loses(keys, expected);
  }

  /** Erases in bulk past the oracle. Throws Mismatch if the table says another number of erased keys. */
  async loses(keys: ArrayLike<number>, expected: number): Promise<void> {
    const count = await this.erased(keys);
    if (count !== expected) throw new Mismatch(`erase said ${count} keys, expected ${expected}`);
  }

  /** Erases in bulk past the oracle; how many keys the table says it erased. */
  async erased(keys: ArrayLike<number>): Promise<number> {
    return (await this.bulk.erase(keys)).count;
  }

  /** Packs what erased keys have left. Throws Mismatch as `checkFlush` does. */
  flush(): Promise<void> {
    return checkFlush(this.bulk, [...this.oracle], this.onAnother);
  }

  /** Pairs that the table should have. */
  get size(): number {
    return this.oracle.size;
  }

  has(key: number): boolean {
    return this.oracle.has(key);
  }

  async clear(): Promise<void> {
    await this.table.clear();
    this.oracle.clear();
  }
}
