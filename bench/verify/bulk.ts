/** Bulk operations of a table on arrays of the host. */
import { EMPTY, WORKGROUP } from "../../kernels/common/steps.js";
import { createTable } from "../../kernels/create.js";
import type { Gpu } from "../../kernels/device/gpu.js";
import { type Owned, type Owner, scoped } from "../../kernels/device/owned.js";
import type { LookupOp } from "../../kernels/operations.js";
import {
  type GpuTable,
  type MixedSlice,
  type OpResult,
  type Params,
  type Rows,
  type RunSteps,
  type TableType,
  TELLING,
} from "../../kernels/table.js";
import { hex } from "../scenarios/workload/check.js";
import { ran } from "./tally.js";

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

export function makeTable(
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
  const table = await makeTable(gpu, type, size);
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
    ran(keys.length);
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

  find(keys: ArrayLike<number>, run?: RunSteps, words?: number): Promise<Uint32Array> {
    return this.ask("find", keys, run, words);
  }

  /** The answers of an operation to keys; `words` of them for each. */
  ask(op: LookupOp, keys: ArrayLike<number>, run = this.run, words = 1): Promise<Uint32Array> {
    ran(keys.length);
    return scoped(this.gpu, async (own) => {
      const results = await poisoned(own, keys.length * words);
      const lookups = { keys: await upload(own, keys), results, n: keys.length };
      await (this.table[op]?.(run, lookups) ?? lacking(op));
      return this.gpu.read(results, keys.length * words);
    });
  }

  /** `all`: every pair of a key, not one. */
  erase(keys: ArrayLike<number>, all = false): Promise<OpResult> {
    ran(keys.length);
    return scoped(this.gpu, async (own) => {
      const erasures = { keys: await upload(own, keys), n: keys.length };
      const erased = all ? this.table.multimap?.eraseAll(this.run, erasures) : this.table.erase?.(this.run, erasures);
      return erased ?? lacking("erase");
    });
  }

  mixed(batch: MixedArrays): Promise<{ readonly count: number; readonly answers: Uint32Array }> {
    const n = batch.kinds.length;
    ran(n);
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

  /** What became of the rows, a word of STATES each; of rules that tell them the values that their keys then have. */
  upsert(keys: ArrayLike<number>, values: ArrayLike<number>, how: Pick<Rows, "rule" | "combine">) {
    ran(keys.length);
    const n = keys.length;
    return scoped(this.gpu, async (own) => {
      const states = await poisoned(own, n);
      const results = TELLING.includes(how.rule) ? await poisoned(own, n) : undefined;
      const given = { keys: await upload(own, keys), ...(how.rule !== "id" && { values: await upload(own, values) }) };
      const rows = { ...given, n, ...how, states, ...(results && { results }) };
      const { count } = await (this.table.upsert?.(this.run, rows) ?? lacking("upsert"));
      return {
        count,
        states: await this.gpu.read(states, n),
        results: results ? await this.gpu.read(results, n) : new Uint32Array(),
      };
    });
  }

  /** The pairs of the table, of which there is room for so many. Throws Mismatch if they are not as many as are counted without room. */
  export(room: number): Promise<[key: number, value: number][]> {
    return scoped(this.gpu, async (own) => {
      const [keys, values] = [await poisoned(own, room + 1), await poisoned(own, room + 1)];
      const exported = this.table.export?.bind(this.table) ?? lacking("export");
      const { count } = await exported(this.run, { keys, values, n: room });
      const counted = (await exported(this.run, null)).count;
      if (counted !== count) throw new Mismatch(`${counted} pairs are counted, and ${count} exported`);
      ran(count);
      const given = await this.gpu.read(values, room + 1);
      const list = [...(await this.gpu.read(keys, room + 1))].map((key, i): [number, number] => [key, given[i] ?? 0]);
      if (list.slice(Math.min(count, room)).some((words) => words.some((word) => word !== POISON)))
        throw new Mismatch(`more than ${Math.min(count, room)} pairs were written`);
      return list.slice(0, Math.min(count, room));
    });
  }

  /** All values of each key, in the order of its list. Throws Mismatch if the ranges are not side by side in the list. */
  findAll(keys: readonly number[]): Promise<number[][]> {
    ran(keys.length);
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

export function lacking(operation: string): never {
  throw new Error(`the table has no ${operation}`);
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
