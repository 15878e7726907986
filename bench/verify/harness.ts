/** A table beside a Map: every bulk operation goes to both, and every answer is compared. */
import { DELETED, EMPTY } from "../../kernels/common/steps.js";
import type { GpuTable, RunSteps, TableType } from "../../kernels/table.js";
import type { Gpu } from "../gpu/gpu.js";
import type { Scalar } from "../model.js";

/** A wrong answer; the message says which. */
export class Mismatch extends Error {}

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

  private async upload(words: readonly number[]): Promise<GPUBuffer> {
    const buffer = await this.gpu.alloc("verify", words.length * 4);
    this.gpu.write(buffer, 0, Uint32Array.from(words));
    return buffer;
  }

  /** Inserts in bulk; returns how many pairs the table refused. `refused` of them are not entered in the oracle. */
  async insert(keys: readonly number[], values: readonly number[], expectRefused = 0): Promise<void> {
    const [k, v] = [await this.upload(keys), await this.upload(values)];
    const { count } = await this.table.insert(this.run, { keys: k, values: v, n: keys.length });
    k.destroy();
    v.destroy();
    if (count !== expectRefused) throw new Mismatch(`insert refused ${count} pairs, expected ${expectRefused}`);
    for (const [i, key] of keys.entries()) if (key < DELETED) this.oracle.set(key, values[i] ?? 0);
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

  /** The raw answers; the results are poisoned before, so that one that is not written is seen. */
  async answers(keys: readonly number[]): Promise<Uint32Array> {
    const queries = await this.upload(keys);
    const results = await this.upload(keys.map(() => 0xdeadbeef));
    await this.table.find(this.run, { keys: queries, results, n: keys.length });
    const answers = await this.gpu.read(results, keys.length);
    queries.destroy();
    results.destroy();
    return answers;
  }

  /** Erases in bulk; the number of erased keys must be the Map's. */
  async erase(keys: readonly number[]): Promise<void> {
    if (!this.table.erase) throw new Error("the table has no erase");
    const buffer = await this.upload(keys);
    const { count } = await this.table.erase(this.run, { keys: buffer, n: keys.length });
    buffer.destroy();
    let expected = 0;
    for (const key of keys) if (this.oracle.delete(key)) expected++;
    if (count !== expected) throw new Mismatch(`erase said ${count} keys, expected ${expected}`);
  }

  async clear(): Promise<void> {
    await this.table.clear();
    this.oracle.clear();
  }

  /** Every key the Map has. */
  keys(): number[] {
    return [...this.oracle.keys()];
  }

  destroy(): void {
    this.table.destroy();
  }
}

export function hex(word: number): string {
  return `0x${word.toString(16).padStart(8, "0")}`;
}
