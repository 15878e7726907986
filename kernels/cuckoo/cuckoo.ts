import { EMPTY, fillStep, groupsFor, variant } from "../common/steps.js";
import { Uniforms } from "../common/uniforms.js";
import { UsageError } from "../device/errors.js";
import type { Gpu, Kernel, KernelSource, Step } from "../device/gpu.js";
import type {
  GpuTable,
  Lookups,
  MixedBatch,
  MixedSlice,
  OpResult,
  Pairs,
  RunSteps,
  TableOptions,
  TableType,
} from "../table.js";
import { Builds } from "./builds.js";

/** The prime of the chapter's hash functions; the table has fewer slots than it. */
export const P = 334214459;
const PAIR_BYTES = 8;
/** Smallest practical space a pair, by number of functions (4.3.1.1). */
export const SMALLEST_SPACE: Readonly<Record<number, number>> = { 2: 2.1, 3: 1.1, 4: 1.03, 5: 1.02 };

/** Alcantara's single-level cuckoo table. See README.md. */
export const cuckoo: TableType = {
  id: "cuckoo",
  title: "Cuckoo",
  source: "Alcantara et al., GPU Computing Gems 2011, 4.3",
  ops: ["insert", "find", "mixed"],
  maxLoadFactor: 1 / 1.03,
  duplicates: false,
  incremental: false,
  parameters: [
    { name: "functions", default: 4, values: [2, 3, 4, 5], meaning: "hash functions a key has" },
    { name: "earlyExit", default: true, values: [true, false], meaning: "a retrieval ends at an empty slot" },
  ],
  access: (op) =>
    op === "find"
      ? { pattern: "lookup8", why: "one 8-byte slot, the key, the result" }
      : { pattern: "exchange", why: "one random 32-bit exchange (packing and settling pairs not counted)" },
  // With what a build needs beside the table: a number a slot, and the pairs side by side.
  bytes: (n, loadFactor) => slotsFor(n, loadFactor) * (PAIR_BYTES + 4) + n * PAIR_BYTES,
  create: openCuckoo,
};

export function slotsFor(n: number, loadFactor: number): number {
  return Math.max(1, Math.ceil(n / loadFactor));
}

/**
 * Longest chain of evictions: the chapter's 7 lg n, which it gives for 1.25n slots and four functions. Nearer to the
 * smallest practical space chains grow as the headroom shrinks, and the limit with them (ours; the chapter only says that
 * it depends on both sizes).
 */
export function chainLimit(n: number, loadFactor: number, smallestSpace: number): number {
  const headroom = 1 - loadFactor * smallestSpace;
  const usual = 1 - 0.8 * 1.03;
  return Math.ceil(7 * Math.log2(Math.max(2, n)) * Math.min(50, Math.max(1, usual / Math.max(1e-3, headroom))));
}

/** What of a table is known before it has pairs. */
export interface Layout {
  readonly slots: number;
  readonly functions: number;
  /** Longest chain of evictions. */
  readonly chain: number;
  /** A retrieval ends at an empty slot. */
  readonly earlyExit: boolean;
}

/** Throws a UsageError if the functions do not reach the load factor or the slots. */
export function layoutOf({ n, loadFactor, params }: TableOptions): Layout {
  const functions = Number(params.functions ?? 4);
  const slots = slotsFor(n, loadFactor);
  const smallest = SMALLEST_SPACE[functions];
  if (smallest === undefined) throw new UsageError(`cuckoo: functions is ${functions}; it takes 2, 3, 4 or 5`);
  if (loadFactor > 1 / smallest + 1e-9) {
    const reach = (1 / smallest).toFixed(3);
    throw new UsageError(`cuckoo: load factor ${loadFactor} is beyond the ${reach} that ${functions} functions reach`);
  }
  if (slots >= P) throw new UsageError(`cuckoo: ${slots} slots; its hash functions reach fewer than ${P}`);
  return { slots, functions, chain: chainLimit(n, loadFactor, smallest), earlyExit: params.earlyExit !== false };
}

export async function openCuckoo(gpu: Gpu, options: TableOptions): Promise<Cuckoo> {
  const layout = layoutOf(options);
  const table = await gpu.alloc("cuckoo table", layout.slots * PAIR_BYTES);
  const builds = await Builds.make(gpu, layout.chain, options.seed);
  return new Cuckoo(gpu, await fillStep(gpu, table, EMPTY), table, builds, layout, options.counting);
}

/** What a build needs beside the table; kept for the next one. */
interface Scratch {
  /** The pairs in the order of the input. */
  readonly pairs: GPUBuffer;
  /** By slot, the number of its pair. */
  readonly homes: GPUBuffer;
  readonly fillHomes: Step;
}

export class Cuckoo implements GpuTable {
  /** Nothing was inserted since the table was cleared: whatever is inserted next may start again with other constants. */
  private vacant = false;
  private scratch: Scratch | null = null;
  private readonly uniforms: Uniforms;

  constructor(
    private readonly gpu: Gpu,
    private readonly fill: Step,
    private readonly table: GPUBuffer,
    private readonly builds: Builds,
    private readonly layout: Layout,
    private readonly counting: boolean,
  ) {
    this.uniforms = new Uniforms(gpu);
  }

  get slots(): number {
    return this.layout.slots;
  }

  get bytes(): number {
    return this.slots * PAIR_BYTES;
  }

  async clear(): Promise<void> {
    await this.gpu.run(this.scratch ? [this.fill, this.scratch.fillHomes] : [this.fill]);
    this.vacant = true;
  }

  async insert(run: RunSteps, { keys, values, n }: Pairs): Promise<OpResult> {
    const { pairs, homes, fillHomes } = await this.scratchFor(n);
    const [pack, exchange, settle] = await Promise.all([
      // It only copies: there is nothing to count.
      this.gpu.kernel(this.source("insert", "pack")),
      this.kernel("insert", "exchange"),
      this.kernel("insert", "settle"),
    ]);
    const f = { 3: this.builds.parameters };
    const steps: Step[] = [
      { kernel: pack, bindings: { ...f, 1: keys, 2: values, 6: pairs }, groups: groupsFor(n) },
      { kernel: exchange, bindings: { ...f, 1: keys, 4: this.builds.status, 5: homes }, groups: groupsFor(n) },
      { kernel: settle, bindings: { 0: this.table, 5: homes, 6: pairs }, groups: groupsFor(this.slots) },
    ];
    this.vacant = false;
    return this.builds.attempts(run, steps, fillHomes, n);
  }

  async find(run: RunSteps, { keys, results, n }: Lookups): Promise<OpResult> {
    const { ns } = await run([this.lookup(await this.kernel("find"), { 1: keys, 2: results }, n)]);
    return { ns, count: 0, restarts: 0 };
  }

  /** A kernel of this folder that works on this table. */
  kernel(file: string, entry = "main"): Promise<Kernel> {
    return variant(this.gpu, this.source(file, entry), this.counting);
  }

  private source(file: string, entry: string): KernelSource {
    const { slots, functions, earlyExit } = this.layout;
    const specialised = { constants: { FUNCTIONS: functions }, conditions: { EARLY_EXIT: earlyExit } };
    return { file: `kernels/cuckoo/${file}.wgsl`, entry, sizes: { slots }, ...specialised };
  }

  /** A step of n queries, which runs before the table's next operation. The kernel's bindings 0 and 3 are the table's. */
  lookup(kernel: Kernel, bindings: Step["bindings"], n: number): Step {
    this.builds.setItems(n);
    const own = { 0: this.table, 3: this.builds.parameters };
    return { kernel, bindings: { ...own, ...bindings }, groups: groupsFor(n) };
  }

  /** Throws an Error if a chain was too long and the table had pairs before: it is broken, and wants to be cleared. */
  async mixed(run: RunSteps, batch: MixedBatch): Promise<OpResult> {
    const [insert, find] = await Promise.all([this.kernel("insert-slice"), this.kernel("find-slice")]);
    const steps = batch.slices.flatMap((slice) => this.sliceSteps({ insert, find }, batch, slice));
    const n = batch.slices.reduce((sum, { count }) => sum + count, 0);
    const { vacant } = this;
    this.vacant = false;
    if (vacant) return this.builds.attempts(run, steps, this.fill, n);
    this.builds.setItems(n);
    const { ns, status } = await this.builds.once(run, steps);
    const [failed = 0, refused = 0] = status;
    if (failed > 0) throw new Error(`cuckoo: ${failed} chains were too long, and as many pairs are lost`);
    return { ns, count: refused, restarts: 0 };
  }

  destroy(): void {
    this.table.destroy();
    this.uniforms.destroy();
    this.builds.destroy();
    this.scratch?.pairs.destroy();
    this.scratch?.homes.destroy();
  }

  private async scratchFor(n: number): Promise<Scratch> {
    const bytes = Math.max(1, n) * PAIR_BYTES;
    if (this.scratch && this.scratch.pairs.size >= bytes) return this.scratch;
    this.scratch?.pairs.destroy();
    this.scratch?.homes.destroy();
    this.scratch = null;
    const pairs = await this.gpu.alloc("cuckoo pairs", bytes);
    const homes = await this.gpu.alloc("cuckoo homes", this.slots * 4);
    this.scratch = { pairs, homes, fillHomes: await fillStep(this.gpu, homes, EMPTY) };
    await this.gpu.run([this.scratch.fillHomes]);
    return this.scratch;
  }

  /** A slice's insertions, then its retrievals. */
  private sliceSteps(
    kernels: Readonly<Record<"insert" | "find", Kernel>>,
    { kinds, keys, values, results }: MixedBatch,
    slice: MixedSlice,
  ): Step[] {
    const common = {
      0: this.table,
      1: keys,
      3: this.builds.parameters,
      5: kinds,
      6: results,
      7: this.uniforms.of(slice.first, slice.count, 0),
    };
    const groups = groupsFor(slice.count);
    const insert = { kernel: kernels.insert, bindings: { ...common, 2: values, 4: this.builds.status }, groups };
    const find = { kernel: kernels.find, bindings: common, groups };
    return slice.only === "insert" ? [insert] : slice.only === "find" ? [find] : [insert, find];
  }
}
