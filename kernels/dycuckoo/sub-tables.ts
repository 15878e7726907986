/** The memory of the sub-tables: one array for all, or a buffer each, so that one can be replaced by a larger or smaller one. */
import { namedBanks } from "../common/banks.js";
import { randomWords } from "../common/random.js";
import { EMPTY, fillStep, PAIR_BYTES } from "../common/steps.js";
import { DoesNotFit } from "../device/errors.js";
import type { Capabilities, Step } from "../device/gpu.js";
import { type Owned, type Owner, owned } from "../device/owned.js";
import { BUCKET, MAX_BUCKETS, pairsOf, sharesOf } from "./filling.js";

/** Bindings of sub-tables that kernels have, at most, each a bank of common/words.wgsl. */
export const MAX_SEVERAL = 6;
/** Storage buffers that kernels bind beside them, at most. */
export const OTHER_BUFFERS = 5;
/** Counts of sub-tables that stand before the locks: TABLES of kernels/dycuckoo/locks.wgsl. */
const MOST_TABLES = 8;
/** Of each of them: COPIES of kernels/dycuckoo/locks.wgsl. */
const COPIES = 64;
/** As many as a pass brings back: MORE_WORDS. */
const COUNTS = MOST_TABLES * COPIES;
/** Words of a pair in the kernels' uniform, and pairs that it has room for. */
const PAIR_WORDS = 8;
const MAX_PAIRS = 28;

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** Whether so many sub-tables of a fixed size have to be buffers of their own: the keys of all are more than a binding, or than addresses reach. */
export function beyondOneArray(buckets: readonly number[], maxBinding: number, bucketSlots: number): boolean {
  const all = sum(buckets);
  return all >= MAX_BUCKETS || all * bucketSlots * 4 > maxBinding;
}

/** A sub-table of its own: keys, then values. */
export type SubTable = Owned<{ readonly words: GPUBuffer }>;

/** Bindings of d sub-tables: one kernel serves every d, unless the device has too few for that. */
export function bindingsOf(d: number, { limits }: Pick<Capabilities, "limits">): number {
  const { maxStorageBuffersPerShaderStage: most = MAX_SEVERAL + OTHER_BUFFERS } = limits;
  return most < MAX_SEVERAL + OTHER_BUFFERS ? d : MAX_SEVERAL;
}

/** Bytes of so many buckets. */
export const bucketBytes = (buckets: number, bucketSlots = BUCKET): number => buckets * bucketSlots * PAIR_BYTES;

/** Of sub-tables of their own the largest says how many locks each has. */
function lockBytes(buckets: readonly number[], several: boolean): number {
  const locks = several ? buckets.length * Math.max(...buckets) : sum(buckets);
  // A word between: VACANT.
  return 4 * (COUNTS + 1 + Math.ceil(locks / 32));
}

/** Bytes of sub-tables of so many buckets, and their locks. */
export function bytesOf(buckets: readonly number[], several: boolean, bucketSlots = BUCKET): number {
  return bucketBytes(sum(buckets), bucketSlots) + lockBytes(buckets, several);
}

/** A sub-table whose slots are not EMPTY yet. Throws DoesNotFit. */
export async function makeSubTable(gpu: Owner, buckets: number, bucketSlots = BUCKET): Promise<SubTable> {
  const bytes = bucketBytes(buckets, bucketSlots);
  if (buckets >= MAX_BUCKETS)
    throw new DoesNotFit(`a sub-table of ${bytes} bytes: addresses reach ${bucketBytes(MAX_BUCKETS, bucketSlots)}`);
  return owned(gpu, async (own) => ({ words: await own.alloc(`sub-table of ${buckets} buckets`, bytes) }));
}

interface Layout {
  /** Every sub-table is a buffer of its own. */
  readonly several: boolean;
  readonly bucketSlots: number;
  /** Of tables in one array: each key before its value. */
  readonly beside: boolean;
}

export class SubTables {
  /** Pairs in each sub-table, as of the last operation. */
  pairs: number[];
  private readonly tables: GPUBuffer;
  /** By the sub-table that is left out. */
  private readonly bindings = new Map<number, Readonly<Record<string, GPUBuffer>>>();
  private readonly salts: readonly number[];

  private constructor(
    private readonly gpu: Owner,
    readonly layout: Layout,
    private sizes: number[],
    /** Keys and values of all, or pairs. */
    private readonly arrays: readonly GPUBuffer[],
    private readonly subTables: SubTable[],
    private held: Owned<{ readonly locks: GPUBuffer }>,
    /** Bound where there is no sub-table: no buffer may be bound twice. */
    private readonly absent: readonly GPUBuffer[],
    seed: number,
  ) {
    const draw = randomWords(seed);
    this.salts = sizes.map(() => draw());
    this.pairs = sizes.map(() => 0);
    this.tables = gpu.uniform(this.words(0));
  }

  /** Throws DoesNotFit. The slots are not EMPTY yet. */
  static async make(gpu: Owner, buckets: readonly number[], layout: Layout, seed: number): Promise<SubTables> {
    const { several, bucketSlots, beside } = layout;
    const most = several ? MAX_SEVERAL : MOST_TABLES;
    if (buckets.length > most) {
      const bytes = bucketBytes(sum(buckets), bucketSlots);
      throw new DoesNotFit(
        `${bytes} bytes: beyond a binding there are ${most} sub-tables at most, not ${buckets.length}`,
      );
    }
    const arrays: GPUBuffer[] = [];
    const subTables: SubTable[] = [];
    const absent: GPUBuffer[] = [];
    if (several) {
      for (const one of buckets) subTables.push(await makeSubTable(gpu, one, bucketSlots));
      for (let i = 0; i < bindingsOf(buckets.length, gpu.info); i++)
        absent.push(await gpu.alloc(`no sub-table ${i}`, 16));
    } else if (beside) {
      arrays.push(await gpu.alloc("pairs of the table", bucketBytes(sum(buckets), bucketSlots)));
    } else {
      const bytes = sum(buckets) * bucketSlots * 4;
      arrays.push(await gpu.alloc("keys of the table", bytes), await gpu.alloc("values of the table", bytes));
    }
    const held = await makeLocks(gpu, buckets, several);
    return new SubTables(gpu, layout, [...buckets], arrays, subTables, held, absent, seed);
  }

  get several(): boolean {
    return this.layout.several;
  }

  get bucketSlots(): number {
    return this.layout.bucketSlots;
  }

  get buckets(): readonly number[] {
    return this.sizes;
  }

  get bytes(): number {
    return bucketBytes(sum(this.sizes), this.bucketSlots) + this.held.locks.size;
  }

  /** Bytes of the memory that has the keys; in sub-tables of their own it has the values too. */
  get keyBytes(): number {
    const { several, beside } = this.layout;
    return several || beside ? this.bytes : sum(this.sizes) * this.bucketSlots * 4;
  }

  /** The buffer of a sub-table of its own. */
  buffer(i: number): GPUBuffer {
    const one = this.subTables[i];
    if (!one) throw new Error(`no sub-table ${i}`);
    return one.words;
  }

  salt(i: number): number {
    return this.salts[i] ?? 0;
  }

  /** All of it, by the names in the kernels; without one sub-table. The same object until a sub-table is replaced. */
  bound(without = -1): Readonly<Record<string, GPUBuffer>> {
    const known = this.bindings.get(without);
    if (known) return known;
    const [keys, values] = this.arrays;
    const words = keys
      ? { keys, ...(values && { values }) }
      : namedBanks(this.absent.map((no, i) => (i === without ? undefined : this.subTables[i]?.words) ?? no));
    const bound = { ...words, tables: this.tables, locks: this.held.locks };
    this.bindings.set(without, bound);
    return bound;
  }

  /** Distributes the pairs that come from now on. */
  share(incoming: number): void {
    this.gpu.write(this.tables, 0, Uint32Array.from(this.words(incoming)));
  }

  /** Begins with the counts of pairs. */
  get counts(): GPUBuffer {
    return this.held.locks;
  }

  /** Notes how many pairs the sub-tables hold, from what `counts` begins with. */
  count(counts: Uint32Array): void {
    if (counts.length < COUNTS) throw new Error("a pass did not bring back what its sub-tables hold");
    const total = (table: number) => {
      let pairs = 0;
      for (let i = table; i < COUNTS; i += MOST_TABLES) pairs += counts[i] ?? 0;
      return pairs % 2 ** 32;
    };
    this.pairs = this.sizes.map((_, table) => total(table));
  }

  /** Says how many pairs they hold. */
  recount(pairs: readonly number[]): void {
    this.pairs = [...pairs];
    const counts = new Uint32Array(COUNTS);
    counts.set(pairs);
    this.gpu.write(this.held.locks, 0, counts);
  }

  /** Steps that make all slots EMPTY. */
  clearing(): Promise<Step[]> {
    const buffers = this.several ? this.subTables.map(({ words }) => words) : this.arrays.slice(0, 1);
    return Promise.all(buffers.map((buffer) => fillStep(this.gpu, buffer, EMPTY)));
  }

  async clear(): Promise<void> {
    await this.gpu.run(await this.clearing());
    await this.gpu.zero(this.held.locks);
    this.pairs = this.sizes.map(() => 0);
    this.share(0);
  }

  /** Sub-table i is from now on `next`, of so many buckets; returns the one before. Throws DoesNotFit: nothing has changed. */
  async replace(i: number, next: SubTable, buckets: number): Promise<SubTable> {
    const sizes = this.sizes.with(i, buckets);
    const before = this.subTables[i];
    if (!before) throw new Error(`no sub-table ${i}`);
    if (lockBytes(sizes, this.several) > this.held.locks.size) {
      const locks = await makeLocks(this.gpu, sizes, this.several);
      this.held.destroy();
      this.held = locks;
    }
    this.subTables[i] = next;
    this.bindings.clear();
    this.sizes = sizes;
    this.recount(this.pairs);
    this.share(0);
    return before;
  }

  /** struct Tables of places.wgsl. */
  private words(incoming: number): number[] {
    const { sizes } = this;
    const base = (i: number) => (this.several ? i * MAX_BUCKETS : sum(sizes.slice(0, i)));
    const shares = sharesOf(sizes, this.pairs, incoming);
    const pairs = pairsOf(sizes.length).flatMap(([i, j], pair) => {
      const [a, b] = [sizes[i] ?? 0, sizes[j] ?? 0];
      return [base(i), base(j), a, b, this.salt(i), this.salt(j), shares[pair] ?? 0, i + j * 2 ** 16];
    });
    const rest = new Array<number>((MAX_PAIRS - pairs.length / PAIR_WORDS) * PAIR_WORDS).fill(0);
    return [Math.max(...sizes), 0, 0, 0, ...pairs, ...rest];
  }
}

function makeLocks(gpu: Owner, buckets: readonly number[], several: boolean) {
  return owned(gpu, async (own) => ({ locks: await own.alloc("locks of buckets", lockBytes(buckets, several)) }));
}
