import { groupsFor, variant } from "../common/steps.js";
import { Uniforms } from "../common/uniforms.js";
import type { Gpu, Kernel, Step } from "../device/gpu.js";
import type { GpuTable, Lookups, OpResult, Pairs, RunSteps, TableOptions, TableType } from "../table.js";
import { type PairBuffers, RadixSort, scratchBytes } from "./sort.js";

const PAIR_BYTES = 8;

/** The sorted array that the hash tables of Alcantara's chapter are compared with. See README.md. */
export const radixSort: TableType = {
  id: "radix-sort",
  title: "Sorted array (radix sort)",
  source: "Alcantara et al., GPU Computing Gems 2011, 4.5.1",
  ops: ["insert", "find"],
  maxLoadFactor: 1,
  dense: true,
  duplicates: true,
  incremental: false,
  parameters: [],
  access: (op) =>
    op === "find"
      ? { pattern: "lookup4", why: "one random word of the values, the key, the result" }
      : // Each pass reads the keys twice and the values once, and writes both: 20 bytes; a copy moves 32.
        { pattern: "copy", times: (4 * 20) / 32, why: "80 bytes, read and written in a row, in four passes" },
  bytes: (n) => n * PAIR_BYTES + scratchBytes(n),
  create: async (gpu, options) => {
    const kernels = await compile(gpu, options.counting);
    const status = await gpu.alloc("status", 16);
    const table = new SortedArray(gpu, kernels, status, options.counting);
    try {
      await table.reserve(options.n);
      return table;
    } catch (error) {
      table.destroy();
      throw error;
    }
  },
};

interface Kernels {
  readonly find: Kernel;
  readonly refused: Kernel;
}

async function compile(gpu: Gpu, counting: TableOptions["counting"]): Promise<Kernels> {
  const [find, refused] = await Promise.all([
    variant(gpu, { file: "kernels/radix-sort/find.wgsl" }, counting),
    gpu.kernel({ file: "kernels/radix-sort/refused.wgsl" }),
  ]);
  return { find, refused };
}

class SortedArray implements GpuTable {
  /** Room for the sorted pairs; null before the first `reserve`. */
  private sorted: PairBuffers | null = null;
  private sorter: RadixSort | null = null;
  /** Pairs in the array. */
  private pairs = 0;
  private readonly uniforms: Uniforms;

  constructor(
    private readonly gpu: Gpu,
    private readonly kernels: Kernels,
    private readonly status: GPUBuffer,
    private readonly counting: boolean,
  ) {
    this.uniforms = new Uniforms(gpu);
  }

  get slots(): number {
    return this.sorter?.capacity ?? 0;
  }

  get bytes(): number {
    return this.slots * PAIR_BYTES;
  }

  /** Makes room for n pairs, in place of what was there, unless there is as much. Throws DoesNotFit. */
  async reserve(n: number): Promise<void> {
    if (this.sorter && n <= this.slots) return;
    this.free();
    const keys = await this.gpu.alloc("sorted keys", n * 4);
    try {
      const values = await this.gpu.alloc("sorted values", n * 4);
      this.sorted = { keys, values };
    } catch (error) {
      keys.destroy();
      throw error;
    }
    this.sorter = await RadixSort.make(this.gpu, n, { counting: this.counting });
  }

  async clear(): Promise<void> {
    this.pairs = 0;
  }

  /** Replaces what was in the array. Keys that occur more than once are all kept: the array grows to hold the input. */
  async insert(run: RunSteps, { keys, values, n }: Pairs): Promise<OpResult> {
    this.pairs = 0;
    await this.reserve(n);
    const { sorted, sorter, status } = this;
    if (!sorted || !sorter) throw new Error("the sorted array has no room");
    const bindings = { 0: sorted.keys, 1: this.uniforms.of(n), 2: status };
    const refused: Step = { kernel: this.kernels.refused, bindings, groups: 1 };
    const { ns, status: words } = await run([...sorter.steps({ keys, values }, sorted, n), refused], status);
    this.pairs = n;
    return { ns, count: words[0] ?? 0, restarts: 0 };
  }

  async find(run: RunSteps, { keys, results, n }: Lookups): Promise<OpResult> {
    const { sorted, pairs } = this;
    if (!sorted) throw new Error("the sorted array has no room");
    const bindings = { 0: sorted.keys, 1: sorted.values, 2: keys, 3: results, 4: this.uniforms.of(n, pairs) };
    const { ns } = await run([{ kernel: this.kernels.find, bindings, groups: groupsFor(n) }]);
    return { ns, count: 0, restarts: 0 };
  }

  destroy(): void {
    this.free();
    this.status.destroy();
    this.uniforms.destroy();
  }

  private free(): void {
    this.sorter?.destroy();
    this.sorted?.keys.destroy();
    this.sorted?.values.destroy();
    this.sorter = null;
    this.sorted = null;
  }
}
