/** The sorted structures that the chapter's compacting and multivalue tables are compared with. See README.md. */

import { groupsFor, variant } from "../common/steps.js";
import type { Gpu, Kernel } from "../device/gpu.js";
import type { GpuTable, Lookups, OpResult, Pairs, RunSteps, TableOptions, TableType } from "../table.js";
import { listBytes, SortedLists } from "./lists.js";

const shared = {
  source: "Alcantara et al., GPU Computing Gems 2011, 4.5.2",
  ops: ["insert", "find"],
  maxLoadFactor: 1,
  dense: true,
  duplicates: true,
  incremental: false,
  parameters: [],
} satisfies Partial<TableType>;

/** Keys, sorted, without repetition: a key's place is its id. */
export const sortedCompacting: TableType = {
  ...shared,
  id: "sorted-compacting",
  title: "Sorted and compacted list",
  answers: "id",
  access: (op) =>
    op === "find"
      ? { pattern: "lookup4", why: "one random key of the list, the query, the result" }
      : // Each pass reads the keys twice and writes them: 12 bytes; a copy moves 32.
        { pattern: "copy", times: (4 * 12) / 32, why: "48 bytes, read and written in a row, in four passes" },
  bytes: (n) => listBytes(n, false),
  create: (gpu, options) => create(gpu, options, false),
};

/** Values, sorted by key, and where each key's are. */
export const sortedMultivalue: TableType = {
  ...shared,
  id: "sorted-multivalue",
  title: "Sorted lists",
  answers: "range",
  access: (op) =>
    op === "find"
      ? { pattern: "lookup8", why: "one random entry of the keys' information, the query, the result" }
      : { pattern: "copy", times: (4 * 20) / 32, why: "80 bytes, read and written in a row, in four passes" },
  bytes: (n) => listBytes(n, true),
  create: (gpu, options) => create(gpu, options, true),
};

async function create(gpu: Gpu, { n, counting }: TableOptions, ranges: boolean): Promise<GpuTable> {
  const source = { file: "kernels/sorted-lists/find.wgsl", conditions: { RANGES: ranges } };
  const finder = await variant(gpu, source, counting);
  return new SortedTable(gpu, await SortedLists.make(gpu, n, { ranges, counting }), finder, n, ranges);
}

class SortedTable implements GpuTable {
  private readonly sizes: GPUBuffer;

  constructor(
    private readonly gpu: Gpu,
    private readonly lists: SortedLists,
    private readonly finder: Kernel,
    readonly slots: number,
    private readonly ranges: boolean,
  ) {
    this.sizes = gpu.uniform([0, 0]);
  }

  /** Of the keys and, with ranges, of the values and where they are. */
  get bytes(): number {
    return this.slots * (this.ranges ? 16 : 4);
  }

  get list(): GPUBuffer {
    return this.ranges ? this.lists.values : this.lists.list;
  }

  async clear(): Promise<void> {
    this.lists.distinct = 0;
  }

  insert(run: RunSteps, pairs: Pairs): Promise<OpResult> {
    return this.lists.build(run, pairs);
  }

  async find(run: RunSteps, { keys, results, n }: Lookups): Promise<OpResult> {
    const { lists, ranges } = this;
    this.gpu.write(this.sizes, 0, Uint32Array.of(n, lists.distinct));
    const bindings = { 0: lists.list, 2: keys, 3: results, 4: this.sizes, ...(ranges ? { 1: lists.info } : {}) };
    const { ns } = await run([{ kernel: this.finder, bindings, groups: groupsFor(n) }]);
    return { ns, count: 0, restarts: 0 };
  }

  destroy(): void {
    this.lists.destroy();
    this.sizes.destroy();
  }
}
