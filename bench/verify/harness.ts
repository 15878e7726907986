/** A table beside a Map: every bulk operation goes to both, and every answer is compared. */
import { AsyncLocalStorage } from "node:async_hooks";
import { DELETED, EMPTY, WORKGROUP } from "../../kernels/common/steps.js";
import { createTable } from "../../kernels/create.js";
import { configure } from "../../kernels/define.js";
import type { Gpu } from "../../kernels/device/gpu.js";
import { type Owned, type Owner, scoped } from "../../kernels/device/owned.js";
import type { GpuTable, MixedSlice, Occupancy, OpResult, Params, RunSteps, TableType } from "../../kernels/table.js";
import { hex } from "../workload/check.js";

/** What a harness's table is made with, beside its size. */
export interface Making {
  readonly params?: Params | undefined;
  /** Insertions planned in all, where there are more than pairs. */
  readonly insertions?: number;
  /**
   * Its size is compiled into its kernels, as into those of small tables that are timed. Default: no; each size would be compiled anew, which is
   * most of a small case's time on a GPU.
   */
  readonly fixed?: boolean;
}

/** A wrong answer; the message says which. */
export class Mismatch extends Error {}

/** What stands where nothing was written: as an answer, and around pairs, of which it is a key and a value. No case inserts it. */
export const POISON = 0xdeadbeef;
/** Of the tables. */
export const SEED = 12345;

/** A set says 1 of a key that it has, a table without values the key itself. */
function answerOf(type: TableType, params: Params = {}): (key: number, value: number) => number {
  if (type.answers === "member") return () => 1;
  if (configure(type, params).keysOnly) return (key) => key;
  return (_, value) => value;
}

/** A mixed batch in arrays of the host. */
export interface MixedArrays {
  readonly kinds: ArrayLike<number>;
  readonly keys: ArrayLike<number>;
  readonly values: ArrayLike<number>;
  readonly slices: readonly MixedSlice[];
}

/** What a table is made with. */
export interface Size extends Making {
  readonly n: number;
  readonly loadFactor: number;
}

/** The device, for which no sizes are compiled in: so are the kernels of tables larger than a GPU's cache. */
export function withoutFixedSizes(gpu: Gpu): Gpu {
  const kernel: Gpu["kernel"] = ({ fixed: _, ...source }) => gpu.kernel(source);
  return Object.create(gpu, { kernel: { value: kernel } });
}

function make(
  gpu: Gpu,
  type: TableType,
  { n, loadFactor, params = {}, insertions = n, fixed = false }: Size,
): Promise<Owned<GpuTable>> {
  const device = fixed ? gpu : withoutFixedSizes(gpu);
  return createTable(type, device, { n, insertions, loadFactor, seed: SEED, params, counting: false });
}

/** Does `work` with an empty table, which is then freed. */
export async function withTable<T>(
  gpu: Gpu,
  type: TableType,
  size: Size,
  work: (bulk: Bulk) => Promise<T>,
): Promise<T> {
  const table = await make(gpu, type, size);
  try {
    await table.clear();
    return await work(new Bulk(gpu, table));
  } finally {
    table.destroy();
  }
}

/** Bulk operations of a table on arrays of the host, and what it answers. */
export class Bulk<Table extends GpuTable = GpuTable> {
  readonly run: RunSteps;

  constructor(
    protected readonly gpu: Gpu,
    readonly table: Table,
  ) {
    // Nobody asks what a pass took: it need not wait until what others submitted has ended.
    this.run = (...pass) => gpu.timeNext(...pass);
  }

  /** `first`: pairs of others before these, in the same buffers, which have others after them too then. */
  insert(keys: ArrayLike<number>, values: ArrayLike<number>, first = 0, run = this.run): Promise<OpResult> {
    Harness.ran(keys.length);
    const behind = (words: ArrayLike<number>) => {
      const all = new Uint32Array(first + words.length + (first > 0 ? WORKGROUP : 0)).fill(POISON);
      all.set(words, first);
      return all;
    };
    return scoped(this.gpu, async (own) => {
      const pairs = { keys: await upload(own, behind(keys)), values: await upload(own, behind(values)) };
      return this.table.insert(run, { ...pairs, n: keys.length, first });
    });
  }

  /** The answers; `words` of them for each key. */
  find(keys: ArrayLike<number>, run = this.run, words = 1): Promise<Uint32Array> {
    Harness.ran(keys.length);
    return scoped(this.gpu, async (own) => {
      const results = await poisoned(own, keys.length * words);
      await this.table.find(run, { keys: await upload(own, keys), results, n: keys.length });
      return this.gpu.read(results, keys.length * words);
    });
  }

  /** `all`: every pair of a key, not one. */
  erase(keys: ArrayLike<number>, all = false): Promise<OpResult> {
    Harness.ran(keys.length);
    return scoped(this.gpu, async (own) => {
      const erasures = { keys: await upload(own, keys), n: keys.length };
      const erased = all ? this.table.multimap?.eraseAll(this.run, erasures) : this.table.erase?.(this.run, erasures);
      return erased ?? lacking("erase");
    });
  }

  mixed(batch: MixedArrays): Promise<{ readonly count: number; readonly answers: Uint32Array }> {
    const n = batch.kinds.length;
    Harness.ran(n);
    return scoped(this.gpu, async (own) => {
      const results = await poisoned(own, n);
      const made = {
        kinds: await upload(own, batch.kinds),
        keys: await upload(own, batch.keys),
        values: await upload(own, batch.values),
        results,
        slices: batch.slices,
      };
      const { count } = await (this.table.mixed?.(this.run, made) ?? lacking("mixed"));
      return { count, answers: await this.gpu.read(results, n) };
    });
  }

  /** All values of each key, in the order of its list. Throws Mismatch if the ranges are not side by side in the list. */
  findAll(keys: readonly number[]): Promise<number[][]> {
    Harness.ran(keys.length);
    return scoped(this.gpu, async (own) => {
      const results = await poisoned(own, 2 * keys.length);
      const lookups = { keys: await upload(own, keys), results, n: keys.length };
      const { list, count } = await (this.table.multimap?.findAll(this.run, lookups) ?? lacking("findAll"));
      const values = count > 0 ? await this.gpu.read(list, count) : new Uint32Array();
      const ranges = await this.gpu.read(results, 2 * keys.length);
      let listed = 0;
      const each = keys.map((key, i) => {
        const [first = 0, own = 0] = ranges.subarray(2 * i, 2 * i + 2);
        if (first === EMPTY && own === EMPTY) return [];
        if (own === 0 || first + own > count)
          throw new Mismatch(`findAll(${hex(key)}): values ${first} to ${first + own} of ${count}`);
        listed += own;
        return [...values.subarray(first, first + own)];
      });
      if (listed !== count) throw new Mismatch(`findAll said ${count} values, its ranges have ${listed}`);
      return each;
    });
  }
}

function lacking(operation: string): never {
  throw new Error(`the table has no ${operation}`);
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
  /** Operations that all tables of this process have run. */
  static operations = 0;
  private static readonly tallies = new AsyncLocalStorage<{ operations: number }>();
  private readonly oracle = new Map<number, number>();
  private readonly bulk: Bulk;

  private constructor(
    gpu: Gpu,
    readonly table: Owned<GpuTable>,
    /** What a search for the key answers that was inserted with that value. */
    readonly answerFor: (key: number, value: number) => number,
    /** Does work with another one like it, empty. */
    private readonly onAnother: OnAnother,
  ) {
    this.bulk = new Bulk(gpu, table);
  }

  /** Notes operations that a table has run. */
  static ran(operations: number): void {
    Harness.operations += operations;
    const tally = Harness.tallies.getStore();
    if (tally) tally.operations += operations;
  }

  /** Does work, beside which others may be done; the operations that tables have run in it. */
  static async operationsOf(work: () => Promise<void>): Promise<number> {
    const tally = { operations: 0 };
    await Harness.tallies.run(tally, work);
    return tally.operations;
  }

  /** An empty table for n pairs. */
  static async make(gpu: Gpu, type: TableType, n: number, loadFactor: number, making: Making = {}): Promise<Harness> {
    const size = { ...making, n, loadFactor };
    const table = await make(gpu, type, size);
    await table.clear();
    return new Harness(gpu, table, answerOf(type, making.params), (work) => withTable(gpu, type, size, work));
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
    const harness = await Harness.make(gpu, type, n, Math.min(loadFactor, type.safeLoadFactor), making);
    try {
      await work(harness);
    } finally {
      harness.destroy();
    }
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

  answers(keys: ArrayLike<number>): Promise<Uint32Array> {
    return this.bulk.find(keys);
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

  destroy(): void {
    this.table.destroy();
  }
}

export async function upload(own: Owner, words: ArrayLike<number>): Promise<GPUBuffer> {
  const buffer = await own.alloc("verify", Math.max(1, words.length) * 4);
  own.write(buffer, 0, new Uint32Array(words));
  return buffer;
}

/** Room for n answers; poisoned, so that one that is not written is seen. */
export function poisoned(own: Owner, n: number): Promise<GPUBuffer> {
  return upload(own, new Uint32Array(n).fill(POISON));
}

async function occupancyOf(table: GpuTable): Promise<Occupancy> {
  return (await table.nodes?.occupancy()) ?? lacking("occupancy");
}

/** Does work with an empty table that was made as another one. */
type OnAnother = <T>(work: (bulk: Bulk) => Promise<T>) => Promise<T>;

/**
 * Flushes a table of these pairs. Throws Mismatch if it has others then, or not the fewest nodes that hold them, which are those
 * of a new table into which they were inserted; or if what it says, or its allocator, differs from what the lists have.
 */
export async function checkFlush(
  { run, table }: Bulk,
  pairs: readonly (readonly [key: number, value: number])[],
  onAnother: OnAnother,
): Promise<void> {
  const before = await occupancyOf(table);
  const { count } = (await table.nodes?.flush?.(run)) ?? lacking("flush");
  const after = await occupancyOf(table);
  const wrong = (what: string) => new Mismatch(`flush: ${what}`);
  if (before.pairs !== pairs.length) throw wrong(`${before.pairs} pairs before it, expected ${pairs.length}`);
  if (after.pairs !== pairs.length) throw wrong(`${after.pairs} pairs after it, expected ${pairs.length}`);
  const freed = before.nodes - after.nodes;
  if (count !== freed) throw wrong(`said that it freed ${count} nodes, the lists have ${freed} fewer`);
  const least = await onAnother(async (other) => {
    const refused = await other.insert(
      pairs.map(([key]) => key),
      pairs.map(([, value]) => value),
    );
    if (refused.count > 0) throw wrong(`a new table refused ${refused.count} of ${pairs.length} pairs`);
    return (await occupancyOf(other.table)).nodes;
  });
  if (after.nodes !== least) throw wrong(`left ${after.nodes} nodes, the pairs need ${least}`);
  const allocated = (await table.nodes?.allocated?.()) ?? after.nodes - after.lists;
  if (allocated + after.lists !== after.nodes) {
    throw wrong(`the allocator has ${allocated} nodes in use, the lists ${after.nodes - after.lists}`);
  }
}
