/** The multivalue table of section 4.4: lists of the values by key, and a cuckoo table of the keys. See README.md. */
import type { Gpu, Kernel } from "../device/gpu.js";
import { listBytes, SortedLists } from "../sorted-lists/lists.js";
import type { GpuTable, Lookups, OpResult, Pairs, RunSteps, TableOptions, TableType } from "../table.js";
import { type Cuckoo, cuckoo, openCuckoo, slotsFor } from "./cuckoo.js";

export const cuckooMultivalue: TableType = {
  id: "cuckoo-multivalue",
  title: "Multivalue cuckoo",
  source: "Alcantara et al., GPU Computing Gems 2011, 4.4",
  ops: ["insert", "find"],
  answers: "range",
  maxLoadFactor: cuckoo.maxLoadFactor,
  duplicates: true,
  incremental: false,
  parameters: cuckoo.parameters,
  access: (op) =>
    op === "find"
      ? {
          pattern: "lookup8",
          why: "one 8-byte slot, the key, the result (the entry of the keys' information not counted)",
        }
      : {
          pattern: "copy",
          times: (4 * 20) / 32,
          why: "80 bytes of the sort, read and written in a row, in four passes",
        },
  // If no key repeats.
  bytes: (n, loadFactor, params) => listBytes(n, true) + n * 4 + cuckoo.bytes(n, loadFactor, params),
  create: async (gpu, options) => {
    const lists = await SortedLists.make(gpu, options.n, { ranges: true, counting: options.counting });
    const numbers = await gpu.alloc("numbers", Math.max(1, options.n) * 4);
    gpu.write(
      numbers,
      0,
      Uint32Array.from({ length: options.n }, (_, i) => i),
    );
    return new Multivalue(gpu, options, lists, numbers);
  },
};

/** The table of the keys and their ids. */
interface Index {
  readonly keys: number;
  readonly table: Cuckoo;
  readonly finder: Kernel;
}

class Multivalue implements GpuTable {
  private index: Index | null = null;

  constructor(
    private readonly gpu: Gpu,
    private readonly options: TableOptions,
    private readonly lists: SortedLists,
    /** 0, 1, 2, …: the ids that the keys get. */
    private readonly numbers: GPUBuffer,
  ) {}

  /** As many as the different keys of the last build need. */
  get slots(): number {
    return this.index?.table.slots ?? slotsFor(this.options.n, this.options.loadFactor);
  }

  /** Of the cuckoo table, the keys' information and the values. */
  get bytes(): number {
    return this.slots * 8 + this.lists.distinct * 8 + this.options.n * 4;
  }

  get list(): GPUBuffer {
    return this.lists.values;
  }

  async clear(): Promise<void> {
    await this.index?.table.clear();
  }

  /** Lists, then the cuckoo table, which is as large as the number of keys asks for; making it is not timed. */
  async insert(run: RunSteps, pairs: Pairs): Promise<OpResult> {
    const listed = await this.lists.build(run, pairs);
    const { distinct } = listed;
    const { table } = await this.indexFor(distinct);
    const { list: keys } = this.lists;
    const built = await table.insert(run, { keys, values: this.numbers, n: distinct });
    return {
      ns: listed.ns + built.ns,
      count: built.count > 0 ? pairs.n : listed.count,
      distinct,
      restarts: built.restarts,
    };
  }

  async find(run: RunSteps, { keys, results, n }: Lookups): Promise<OpResult> {
    const { table, finder } = this.index ?? (await this.indexFor(0));
    const { ns } = await run([table.lookup(finder, { 1: keys, 4: this.lists.info, 5: results }, n)]);
    return { ns, count: 0, restarts: 0 };
  }

  destroy(): void {
    this.index?.table.destroy();
    this.lists.destroy();
    this.numbers.destroy();
  }

  /** A cleared table for so many keys. */
  private async indexFor(keys: number): Promise<Index> {
    if (this.index?.keys === keys) return this.index;
    this.index?.table.destroy();
    this.index = null;
    const { gpu, options } = this;
    const table = await openCuckoo(gpu, { ...options, n: keys });
    await table.clear();
    const finder = await table.kernel("find-range");
    this.index = { keys, table, finder };
    return this.index;
  }
}
