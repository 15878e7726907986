/** A table in which a key may have several pairs, beside a Map of lists: every bulk operation goes to both. */
import { EMPTY } from "../../kernels/common/steps.js";
import { createTable } from "../../kernels/create.js";
import type { Gpu } from "../../kernels/device/gpu.js";
import type { GpuTable, TableType } from "../../kernels/table.js";
import { Bulk, checkFlush, hex, Mismatch, occupancyOf, SEED } from "./harness.js";

const LOAD_FACTOR = 0.8;

export class Multimap {
  private readonly oracle = new Map<number, number[]>();
  private readonly bulk: Bulk;

  private constructor(
    private readonly gpu: Gpu,
    private readonly type: TableType,
    private readonly n: number,
    private readonly table: GpuTable,
  ) {
    this.bulk = new Bulk(gpu, table);
  }

  /** Does `work` with a table for n pairs, which is then freed. */
  static async on(gpu: Gpu, type: TableType, n: number, work: (it: Multimap) => Promise<void>): Promise<void> {
    const params = type.multimapParams ?? {};
    const table = await createTable(type, gpu, { n, loadFactor: LOAD_FACTOR, seed: SEED, params, counting: false });
    try {
      await table.clear();
      await work(new Multimap(gpu, type, n, table));
    } finally {
      table.destroy();
    }
  }

  get size(): number {
    return [...this.oracle.values()].reduce((sum, values) => sum + values.length, 0);
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
    const before = this.size;
    for (const key of keys) this.oracle.delete(key);
    const expected = before - this.size;
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
    return checkFlush(this.bulk.run, this.table, this.size, () => this.fewest());
  }

  /** Nodes of a new table of the pairs. */
  private async fewest(): Promise<number> {
    let nodes = 0;
    await Multimap.on(this.gpu, this.type, this.n, async (other) => {
      const pairs = [...this.oracle].flatMap(([key, values]) => values.map((value) => ({ key, value })));
      await other.insert(
        pairs.map(({ key }) => key),
        pairs.map(({ value }) => value),
      );
      nodes = (await occupancyOf(other.table)).nodes;
    });
    return nodes;
  }
}

const ascending = (a: number, b: number) => a - b;

/** The values, or the first few of many. */
function list(values: readonly number[]): string {
  const few = values.slice(0, 4).map(hex).join(" ");
  return `${values.length} values${few && ` ${few}`}${values.length > 4 ? " …" : ""}`;
}
