/** For the tests of the folder: a table of host arrays beside a Map. */
import { expect } from "vitest";
import { Bulk } from "../../bench/verify/bulk.js";
import { EMPTY } from "../common/steps.js";
import { createTable } from "../create.js";
import type { Gpu } from "../device/gpu.js";
import type { Owned } from "../device/owned.js";
import type { OpResult, Params, RunSteps, TableType } from "../table.js";
import { BUCKET } from "./filling.js";
import type { CuckooTable } from "./table.js";

export interface Making {
  readonly n?: number;
  readonly loadFactor?: number;
  readonly params?: Params;
}

export class Beside {
  /** What the table has to hold. */
  readonly oracle = new Map<number, number>();
  private readonly bulk: Bulk;

  private constructor(
    private readonly gpu: Gpu,
    readonly table: Owned<CuckooTable>,
  ) {
    this.bulk = new Bulk(gpu, table);
  }

  get run(): RunSteps {
    return this.bulk.run;
  }

  /** Does `work` with a table for n pairs (default: one), which is then freed. */
  static async on(gpu: Gpu, type: TableType, making: Making, work: (it: Beside) => Promise<void>): Promise<void> {
    const { n = 1, loadFactor = 0.8, params = {} } = making;
    const table = await createTable(type, gpu, { n, loadFactor, seed: 3, params, counting: false });
    try {
      await work(new Beside(gpu, table as Owned<CuckooTable>));
    } finally {
      table.destroy();
    }
  }

  /** Inserts. Of a key that comes twice either value may stay: the oracle takes the one that did. */
  async insert(keys: readonly number[], values: readonly number[]): Promise<OpResult> {
    const result = await this.bulk.insert(keys, values);
    const given = new Map<number, Set<number>>();
    for (const [i, key] of keys.entries()) given.set(key, (given.get(key) ?? new Set()).add(values[i] ?? 0));
    const different = [...given.keys()];
    const found = await this.bulk.find(different);
    for (const [i, key] of different.entries()) {
      const value = found[i] ?? EMPTY;
      if (given.get(key)?.has(value)) this.oracle.set(key, value);
      // One that did not get in leaves what was there.
      else expect([result.count > 0, value]).toEqual([true, this.oracle.get(key) ?? EMPTY]);
    }
    return result;
  }

  async erase(keys: readonly number[]): Promise<OpResult> {
    const result = await this.bulk.erase(keys);
    expect(result.count).toBe(keys.filter((key) => this.oracle.delete(key)).length);
    return result;
  }

  /** Every key is found with its value, or not; the counts are right, and no key is stored twice. */
  async check(universe: readonly number[]): Promise<void> {
    expect(await this.bulk.find(universe)).toEqual(Uint32Array.from(universe, (key) => this.oracle.get(key) ?? EMPTY));
    const { pairs, slots, subTables } = this.table.filling();
    expect(pairs).toBe(this.oracle.size);
    expect(slots).toBe(this.table.slots);
    const sizes = subTables.map((one) => one.slots);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2 * Math.min(...sizes));
    const { subTables: memory } = this.table;
    if (!memory.several) return;
    const seen = new Set<number>();
    for (const [i, buckets] of memory.buckets.entries()) {
      const keys = (await this.gpu.read(memory.buffer(i), buckets * BUCKET)).filter((key) => key !== EMPTY);
      expect(keys.length).toBe(subTables[i]?.pairs);
      for (const key of keys) seen.add(key);
    }
    expect(seen.size).toBe(pairs);
  }

  /** The filled factor is within its bounds, or the table as small as it gets. */
  checkFilled(alpha: number, beta: number): void {
    const { pairs, slots, subTables } = this.table.filling();
    expect(pairs / slots).toBeLessThanOrEqual(beta);
    const least = subTables.every((one) => one.slots === BUCKET);
    if (!least) expect(pairs / slots).toBeGreaterThanOrEqual(alpha);
  }
}
