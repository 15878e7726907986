/** A table in which a key may have several pairs, beside a Map of lists: every bulk operation goes to both. */
import { EMPTY } from "../../kernels/common/steps.js";
import type { Gpu } from "../../kernels/device/gpu.js";
import type { TableType } from "../../kernels/table.js";
import { hex } from "../scenarios/workload/check.js";
import { type Bulk, Mismatch, withTable } from "./bulk.js";
import { checkFlush } from "./flush.js";

const LOAD_FACTOR = 0.8;

export class Multimap {
  private readonly oracle = new Map<number, number[]>();

  private constructor(
    private readonly bulk: Bulk,
    private readonly onAnother: Parameters<typeof checkFlush>[2],
  ) {}

  /** Does `work` with a table for n pairs, which is then freed. */
  static on(gpu: Gpu, type: TableType, n: number, work: (it: Multimap) => Promise<void>): Promise<void> {
    const size = { n, loadFactor: LOAD_FACTOR, params: type.multimapParams };
    return withTable(gpu, type, size, (bulk) => work(new Multimap(bulk, (check) => withTable(gpu, type, size, check))));
  }

  /** Every pair is added, whether the key is there or not. */
  async insert(keys: readonly number[], values: readonly number[]): Promise<void> {
    const { count } = await this.bulk.insert(keys, values);
    if (count > 0) throw new Mismatch(`insert refused ${count} of ${keys.length} pairs`);
    for (const [i, key] of keys.entries()) this.oracle.set(key, [...(this.oracle.get(key) ?? []), values[i] ?? 0]);
  }

  /** Each key of the batch takes one of its pairs, whichever; several of one key several pairs. */
  async erase(keys: readonly number[]): Promise<void> {
    const { count } = await this.bulk.erase(keys);
    const times = new Map<number, number>();
    for (const key of keys) times.set(key, (times.get(key) ?? 0) + 1);
    const asked = [...times.keys()];
    const left = await this.bulk.findAll(asked);
    let expected = 0;
    for (const [i, key] of asked.entries()) {
      const before = this.oracle.get(key) ?? [];
      const gone = Math.min(before.length, times.get(key) ?? 0);
      expected += gone;
      this.keep(key, left[i] ?? [], before, gone);
    }
    if (count !== expected) throw new Mismatch(`erase said ${count} pairs, expected ${expected}`);
  }

  /** So many of the key's pairs are gone, and the others are as they were. */
  private keep(key: number, left: readonly number[], before: readonly number[], gone: number): void {
    const rest = [...before];
    for (const value of left) {
      const at = rest.indexOf(value);
      if (at < 0) throw new Mismatch(`after erase ${hex(key)} has ${hex(value)}, which it did not have`);
      rest.splice(at, 1);
    }
    if (rest.length !== gone) throw new Mismatch(`erase took ${rest.length} pairs of ${hex(key)}, expected ${gone}`);
    this.oracle.set(key, [...left]);
  }

  async eraseAll(keys: readonly number[]): Promise<void> {
    const { count } = await this.bulk.erase(keys, true);
    let expected = 0;
    for (const key of keys) {
      expected += this.oracle.get(key)?.length ?? 0;
      this.oracle.delete(key);
    }
    if (count !== expected) throw new Mismatch(`eraseAll said ${count} pairs, expected ${expected}`);
  }

  /** findAll has all values of each key and no other, find one of them. */
  async check(keys: readonly number[]): Promise<void> {
    const all = await this.bulk.findAll(keys);
    const answers = await this.bulk.find(keys);
    for (const [i, key] of keys.entries()) {
      const expected = (this.oracle.get(key) ?? []).toSorted(ascending);
      const got = (all[i] ?? []).toSorted(ascending);
      if (got.join() !== expected.join()) {
        throw new Mismatch(
          `findAll(${hex(key)}), query ${i} of ${keys.length}: ${list(got)}, expected ${list(expected)}`,
        );
      }
      const one = answers[i] ?? 0;
      if (expected.length > 0 ? !expected.includes(one) : one !== EMPTY)
        throw new Mismatch(
          `find(${hex(key)}), query ${i} of ${keys.length}: ${hex(one)}, expected of ${list(expected)}`,
        );
    }
  }

  flush(): Promise<void> {
    const pairs = [...this.oracle].flatMap(([key, values]) => values.map((value) => [key, value] as const));
    return checkFlush(this.bulk, pairs, this.onAnother);
  }
}

const ascending = (a: number, b: number) => a - b;

/** The values, or the first few of many. */
function list(values: readonly number[]): string {
  const few = values.slice(0, 4).map(hex).join(" ");
  return `${values.length} values${few && ` ${few}`}${values.length > 4 ? " …" : ""}`;
}
