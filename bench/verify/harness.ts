/** A table beside a Map: every bulk operation goes to both, and every answer is compared. */
import { DELETED, EMPTY } from "../../kernels/common/steps.js";
import { createTable } from "../../kernels/create.js";
import type { Gpu } from "../../kernels/device/gpu.js";
import { type Owned, type Owner, scoped } from "../../kernels/device/owned.js";
import { defaultsOf } from "../../kernels/parameters.js";
import type { GpuTable, MixedSlice, Occupancy, Params, RunSteps, TableType } from "../../kernels/table.js";

/** What a harness's table is made with, beside its size. */
export interface Making {
  readonly params?: Params | undefined;
  /** Insertions planned in all, where there are more than pairs. */
  readonly insertions?: number;
}

/** A wrong answer; the message says which. */
export class Mismatch extends Error {}

const POISON = 0xdeadbeef;
/** Of the tables. */
export const SEED = 12345;

/** A set says 1 of a key that it has, a table without values the key itself. */
function answerOf(type: TableType, params: Params): (key: number, value: number) => number {
  if (type.answers === "member") return () => 1;
  if (type.keysOnly?.({ ...defaultsOf(type.parameters), ...params })) return (key) => key;
  return (_, value) => value;
}

export class Harness {
  /** Operations that all harnesses of this process have run. */
  static operations = 0;
  private readonly oracle = new Map<number, number>();
  private readonly run: RunSteps;

  private constructor(
    private readonly gpu: Gpu,
    readonly table: Owned<GpuTable>,
    /** What a search for the key answers that was inserted with that value. */
    readonly answerFor: (key: number, value: number) => number,
    /** Another one like it, empty. */
    private readonly another: () => Promise<Harness>,
  ) {
    this.run = (steps, status) => gpu.time(steps, status);
  }

  /** An empty table for n pairs. */
  static async make(gpu: Gpu, type: TableType, n: number, loadFactor: number, making: Making = {}): Promise<Harness> {
    const { params = {}, insertions = n } = making;
    const table = await createTable(type, gpu, { n, insertions, loadFactor, seed: SEED, params, counting: false });
    await table.clear();
    return new Harness(gpu, table, answerOf(type, params), () => Harness.make(gpu, type, n, loadFactor, making));
  }

  /** Runs a case on a fresh table and frees it. The load factor is lowered to what the table can reach. */
  static async on(
    gpu: Gpu,
    type: TableType,
    n: number,
    loadFactor: number,
    work: (table: Harness) => Promise<void>,
    making: Making = {},
  ): Promise<void> {
    const harness = await Harness.make(gpu, type, n, Math.min(loadFactor, type.maxLoadFactor), making);
    try {
      await work(harness);
    } finally {
      harness.destroy();
    }
  }

  /** Inserts in bulk; `first`: pairs of others before these, in the same buffers. */
  async insert(keys: readonly number[], values: readonly number[], first = 0): Promise<void> {
    const refused = await this.refused(keys, values, first);
    if (refused > 0) throw new Mismatch(`insert refused ${refused} of ${keys.length} pairs`);
    this.knows(keys.map((key, i) => [key, values[i] ?? 0] as const).filter(([key]) => key < DELETED));
  }

  /** Tells the oracle of pairs that were inserted past it. */
  knows(pairs: Iterable<readonly [key: number, value: number]>): void {
    for (const [key, value] of pairs) this.oracle.set(key, this.answerFor(key, value));
  }

  /** Inserts in bulk past the oracle; how many pairs the table refused. */
  async refused(keys: readonly number[], values: readonly number[], first = 0): Promise<number> {
    Harness.operations += keys.length;
    const others = new Array<number>(first).fill(POISON);
    return scoped(this.gpu, async (own) => {
      const pairs = {
        keys: await upload(own, [...others, ...keys]),
        values: await upload(own, [...others, ...values]),
      };
      return (await this.table.insert(this.run, { ...pairs, n: keys.length, first })).count;
    });
  }

  /** Runs a mixed batch past the oracle; every operation's answer. */
  async mixed(batch: {
    readonly kinds: Uint32Array;
    readonly keys: Uint32Array;
    readonly values: Uint32Array;
    readonly slices: readonly MixedSlice[];
  }): Promise<Uint32Array> {
    Harness.operations += batch.kinds.length;
    return scoped(this.gpu, async (own) => {
      if (!this.table.mixed) throw new Error("the table has no mixed");
      const { slices } = batch;
      const [kinds, keys] = [await upload(own, batch.kinds), await upload(own, batch.keys)];
      const [values, results] = [await upload(own, batch.values), await poisoned(own, batch.kinds.length)];
      const { count } = await this.table.mixed(this.run, { kinds, keys, values, results, slices });
      if (count > 0) throw new Mismatch(`${count} insertions of a mixed batch found no slot`);
      return this.gpu.read(results, batch.kinds.length);
    });
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
    Harness.operations += keys.length;
    return scoped(this.gpu, async (own) => {
      const results = await poisoned(own, keys.length);
      await this.table.find(this.run, { keys: await upload(own, keys), results, n: keys.length });
      return this.gpu.read(results, keys.length);
    });
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
    Harness.operations += keys.length;
    return scoped(this.gpu, async (own) => {
      if (!this.table.erase) throw new Error("the table has no erase");
      return (await this.table.erase(this.run, { keys: await upload(own, keys), n: keys.length })).count;
    });
  }

  /** Packs what erased keys have left. Throws Mismatch as `checkFlush` does. */
  flush(): Promise<void> {
    return checkFlush(this.run, this.table, this.size, async () => {
      const other = await this.another();
      try {
        await other.insert([...this.oracle.keys()], [...this.oracle.values()]);
        return (await occupancyOf(other.table)).nodes;
      } finally {
        other.destroy();
      }
    });
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

  destroy(): void {
    this.table.destroy();
  }
}

export async function upload(own: Owner, words: ArrayLike<number>): Promise<GPUBuffer> {
  const buffer = await own.alloc("verify", Math.max(1, words.length) * 4);
  own.write(buffer, 0, Uint32Array.from(words));
  return buffer;
}

/** Room for n answers; poisoned, so that one that is not written is seen. */
export function poisoned(own: Owner, n: number): Promise<GPUBuffer> {
  return upload(own, new Uint32Array(n).fill(POISON));
}

export function hex(word: number): string {
  return `0x${word.toString(16).padStart(8, "0")}`;
}

export async function occupancyOf(table: GpuTable): Promise<Occupancy> {
  const occupancy = await table.occupancy?.();
  if (!occupancy) throw new Error("the table has no occupancy");
  return occupancy;
}

/**
 * Flushes a table of so many pairs. Throws Mismatch if it has others then, or not the fewest nodes that hold them, which are those
 * of a new table into which they were inserted; or if what it says, or its allocator, differs from what the lists have.
 */
export async function checkFlush(
  run: RunSteps,
  table: GpuTable,
  pairs: number,
  fewest: () => Promise<number>,
): Promise<void> {
  const before = await occupancyOf(table);
  if (!table.flush) throw new Error("the table has no flush");
  const { count } = await table.flush(run);
  const after = await occupancyOf(table);
  const wrong = (what: string) => new Mismatch(`flush: ${what}`);
  if (before.pairs !== pairs) throw wrong(`${before.pairs} pairs before it, expected ${pairs}`);
  if (after.pairs !== pairs) throw wrong(`${after.pairs} pairs after it, expected ${pairs}`);
  const freed = before.nodes - after.nodes;
  if (count !== freed) throw wrong(`said that it freed ${count} nodes, the lists have ${freed} fewer`);
  const least = await fewest();
  if (after.nodes !== least) throw wrong(`left ${after.nodes} nodes, the pairs need ${least}`);
  const { allocated = after.nodes - after.lists } = after;
  if (allocated + after.lists !== after.nodes) {
    throw wrong(`the allocator has ${allocated} nodes in use, the lists ${after.nodes - after.lists}`);
  }
}
