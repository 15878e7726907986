/** A table beside a Map: every bulk operation goes to both, and every answer is compared. */
import { DELETED, EMPTY } from "../../kernels/common/steps.js";
import type { Gpu } from "../../kernels/device/gpu.js";
import type { GpuTable, MixedSlice, RunSteps, Scalar, TableType } from "../../kernels/table.js";

/** A wrong answer; the message says which. */
export class Mismatch extends Error {}

const POISON = 0xdeadbeef;

export class Harness {
  private readonly oracle = new Map<number, number>();
  private readonly run: RunSteps;

  private constructor(
    private readonly gpu: Gpu,
    readonly table: GpuTable,
  ) {
    this.run = (steps, status) => gpu.time(steps, status);
  }

  /** An empty table for n pairs. */
  static async make(
    gpu: Gpu,
    type: TableType,
    n: number,
    loadFactor: number,
    params: Readonly<Record<string, Scalar>> = {},
  ): Promise<Harness> {
    const table = await type.create(gpu, { n, loadFactor, seed: 12345, params, counting: false });
    await table.clear();
    return new Harness(gpu, table);
  }

  /** Runs a case on a fresh table and frees it. The load factor is lowered to what the table can reach. */
  static async on(
    gpu: Gpu,
    type: TableType,
    n: number,
    loadFactor: number,
    work: (table: Harness) => Promise<void>,
    params: Readonly<Record<string, Scalar>> = {},
  ): Promise<void> {
    const harness = await Harness.make(gpu, type, n, Math.min(loadFactor, type.maxLoadFactor), params);
    try {
      await work(harness);
    } finally {
      harness.destroy();
    }
  }

  private async upload(words: ArrayLike<number>): Promise<GPUBuffer> {
    const buffer = await this.gpu.alloc("verify", words.length * 4);
    this.gpu.write(buffer, 0, Uint32Array.from(words));
    return buffer;
  }

  /** Room for n answers; poisoned, so that one that is not written is seen. */
  private poisoned(n: number): Promise<GPUBuffer> {
    return this.upload(new Uint32Array(n).fill(POISON));
  }

  /** Inserts in bulk. */
  async insert(keys: readonly number[], values: readonly number[]): Promise<void> {
    const refused = await this.refused(keys, values);
    if (refused > 0) throw new Mismatch(`insert refused ${refused} of ${keys.length} pairs`);
    for (const [i, key] of keys.entries()) if (key < DELETED) this.oracle.set(key, values[i] ?? 0);
  }

  /** Inserts in bulk past the oracle; how many pairs the table refused. */
  async refused(keys: readonly number[], values: readonly number[]): Promise<number> {
    const [k, v] = [await this.upload(keys), await this.upload(values)];
    const { count } = await this.table.insert(this.run, { keys: k, values: v, n: keys.length });
    k.destroy();
    v.destroy();
    return count;
  }

  /** Runs a mixed batch past the oracle; every operation's answer. */
  async mixed(batch: {
    readonly kinds: Uint32Array;
    readonly keys: Uint32Array;
    readonly values: Uint32Array;
    readonly slices: readonly MixedSlice[];
  }): Promise<Uint32Array> {
    if (!this.table.mixed) throw new Error("the table has no mixed");
    const { slices } = batch;
    const kinds = await this.upload(batch.kinds);
    const keys = await this.upload(batch.keys);
    const values = await this.upload(batch.values);
    const results = await this.poisoned(batch.kinds.length);
    const { count } = await this.table.mixed(this.run, { kinds, keys, values, results, slices });
    const answers = await this.gpu.read(results, batch.kinds.length);
    for (const buffer of [kinds, keys, values, results]) buffer.destroy();
    if (count > 0) throw new Mismatch(`${count} insertions of a mixed batch found no slot`);
    return answers;
  }

  /** Finds in bulk and compares every answer with the Map's. */
  async find(keys: readonly number[]): Promise<void> {
    for (const [i, answer] of (await this.answers(keys)).entries()) {
      const key = keys[i] ?? 0;
      const expected = key >= DELETED ? EMPTY : (this.oracle.get(key) ?? EMPTY);
      if (answer !== expected) {
        throw new Mismatch(
          `find(${hex(key)}), query ${i} of ${keys.length}: ${hex(answer)}, expected ${hex(expected)}`,
        );
      }
    }
  }

  /** The raw answers. */
  async answers(keys: ArrayLike<number>): Promise<Uint32Array> {
    const queries = await this.upload(keys);
    const results = await this.poisoned(keys.length);
    await this.table.find(this.run, { keys: queries, results, n: keys.length });
    const answers = await this.gpu.read(results, keys.length);
    queries.destroy();
    results.destroy();
    return answers;
  }

  /** Erases in bulk; the number of erased keys must be the Map's. */
  async erase(keys: readonly number[]): Promise<void> {
    const count = await this.erased(keys);
    let expected = 0;
    for (const key of keys) if (this.oracle.delete(key)) expected++;
    if (count !== expected) throw new Mismatch(`erase said ${count} keys, expected ${expected}`);
  }

  /** Erases in bulk past the oracle; how many keys the table says it erased. */
  async erased(keys: ArrayLike<number>): Promise<number> {
    if (!this.table.erase) throw new Error("the table has no erase");
    const buffer = await this.upload(keys);
    const { count } = await this.table.erase(this.run, { keys: buffer, n: keys.length });
    buffer.destroy();
    return count;
  }

  has(key: number): boolean {
    return this.oracle.has(key);
  }

  async clear(): Promise<void> {
    await this.table.clear();
    this.oracle.clear();
  }

  destroy(): void {
    this.table.destroy();
  }
}

export function hex(word: number): string {
  return `0x${word.toString(16).padStart(8, "0")}`;
}
