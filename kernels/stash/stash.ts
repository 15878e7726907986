/** The host class of Stadium hashing. See README.md. */
import { UsageError } from "../../bench/errors.js";
import { DoesNotFit, type Gpu, type Step } from "../../bench/gpu/gpu.js";
import { EMPTY, fillStep, groupsFor, variant } from "../common/steps.js";
import { widened } from "../common/wide.js";
import type {
  Erasures,
  GpuTable,
  Lookups,
  MixedBatch,
  OpResult,
  Pairs,
  RunSteps,
  TableOptions,
  TableType,
} from "../table.js";
import {
  banksOf,
  bytesOf,
  conditionsOf,
  constantsOf,
  type Layout,
  layoutOf,
  MAX_BANKS,
  SIZES,
  TICKETS,
} from "./layout.js";

const shared = {
  source: "Khorasani et al., Stadium Hashing, PACT 2015",
  maxLoadFactor: 1,
  duplicates: false,
  incremental: true,
  access: (op: string) =>
    op === "find"
      ? { pattern: "lookup8", why: "one pair, the key, the result (its ticket not counted)" }
      : { pattern: "and", why: "one random 32-bit AND (info bits and the pair itself not counted)" },
  bytes: (n: number, loadFactor: number, params: TableOptions["params"] = {}) =>
    bytesOf(layoutOf(n, loadFactor, params)),
} satisfies Partial<TableType>;

const parameters: TableType["parameters"] = [
  { name: "ticket", default: 8, values: TICKETS, meaning: "bits of a ticket: availability and info" },
  { name: "keyBytes", default: 4, values: SIZES, meaning: "bytes of a key" },
  { name: "valueBytes", default: 4, values: SIZES, meaning: "bytes of a value" },
  { name: "board", default: true, values: [true, false], meaning: "retrievals ask the ticket-board before the table" },
  {
    name: "access",
    default: false,
    values: [false, true],
    meaning: "tickets have an access bit, for mixes of all kinds",
  },
];

export const stash: TableType = {
  ...shared,
  id: "stash",
  title: "Stash",
  ops: ["insert", "find", "erase", "mixed"],
  parameters,
  create: (gpu, options) => createStash(gpu, options),
};

async function createStash(gpu: Gpu, options: TableOptions): Promise<GpuTable> {
  const layout = layoutOf(options.n, options.loadFactor, options.params);
  const memory = await allocate(gpu, layout);
  const table = new Stash(gpu, layout, memory, await compile(gpu, layout, memory, options.counting));
  return widened(gpu, table, layout.keyBytes, layout.valueBytes);
}

interface Memory {
  readonly board: GPUBuffer;
  readonly banks: readonly GPUBuffer[];
  readonly bankBits: number;
  readonly status: GPUBuffer;
  readonly longest: GPUBuffer;
}

async function allocate(gpu: Gpu, layout: Layout): Promise<Memory> {
  const { bytes, bits } = banksOf(layout, Math.min(gpu.maxBinding, layout.bankBytes));
  if (bytes.length > MAX_BANKS) {
    throw new DoesNotFit(
      `stash: ${layout.slots * layout.stride} bytes need ${bytes.length} banks; it has ${MAX_BANKS}`,
    );
  }
  const owned: GPUBuffer[] = [];
  const alloc = async (label: string, size: number): Promise<GPUBuffer> => {
    const buffer = await gpu.alloc(label, size);
    owned.push(buffer);
    return buffer;
  };
  try {
    const board = await alloc("ticket-board", layout.boardBytes);
    const banks: GPUBuffer[] = [];
    // A banked kernel has all four bindings, and no buffer may be bound twice.
    const needed = bytes.length === 1 ? 1 : MAX_BANKS;
    for (let i = 0; i < needed; i++) banks.push(await alloc(`stash bank ${i}`, bytes[i] ?? layout.stride));
    return { board, banks, bankBits: bits, status: await alloc("status", 16), longest: await alloc("longest", 4) };
  } catch (error) {
    for (const buffer of owned) buffer.destroy();
    throw error;
  }
}

interface Kernels {
  readonly clear: readonly Step[];
  readonly insert: GPUComputePipeline;
  readonly find: GPUComputePipeline;
  readonly findErased: GPUComputePipeline;
  readonly erase: GPUComputePipeline;
  /** Null where the table is banked: its words cannot be bound as atomics by one index. */
  readonly mixed: GPUComputePipeline | null;
}

async function compile(gpu: Gpu, layout: Layout, memory: Memory, counting: boolean): Promise<Kernels> {
  const banked = memory.banks.length > 1;
  const conditions = conditionsOf(layout, banked);
  const constants = constantsOf(layout, memory.bankBits, banked);
  const kernel = (name: string, extra: Record<string, boolean> = {}) =>
    variant(gpu, { file: `kernels/stash/${name}.wgsl`, conditions: { ...conditions, ...extra }, constants }, counting);
  const [insert, find, findErased, erase, mixed, ...clear] = await Promise.all([
    kernel("insert"),
    kernel("find", { LOOKUP: true }),
    kernel("find", { LOOKUP: true, ERASED: true }),
    kernel("erase"),
    banked ? null : kernel("mixed"),
    fillStep(gpu, memory.board, freeTickets(layout)),
    ...memory.banks.map((bank) => fillStep(gpu, bank, EMPTY)),
  ]);
  return { clear, insert, find, findErased, erase, mixed };
}

/** A word of free tickets. */
function freeTickets({ ticket, access }: Layout): number {
  if (!access) return 0xffffffff;
  const free = (2 ** ticket - 1) & ~2;
  let word = 0;
  for (let at = 0; at < 32; at += ticket) word = (word | (free << at)) >>> 0;
  return word;
}

class Stash implements GpuTable {
  /** Keys were erased since the table was cleared: searches go on at free slots. */
  private erased = false;
  private readonly uniforms = new Map<string, GPUBuffer>();

  constructor(
    private readonly gpu: Gpu,
    private readonly layout: Layout,
    private readonly memory: Memory,
    private readonly kernels: Kernels,
  ) {}

  get slots(): number {
    return this.layout.slots;
  }

  get bytes(): number {
    return bytesOf(this.layout);
  }

  async clear(): Promise<void> {
    this.erased = false;
    await this.gpu.run(this.kernels.clear);
    await this.gpu.zero(this.memory.longest);
  }

  async insert(run: RunSteps, { keys, values, n, first = 0 }: Pairs): Promise<OpResult> {
    const bindings = {
      ...this.table(),
      5: keys,
      6: values,
      7: this.rangeOf(first, n),
      8: this.memory.status,
      9: this.memory.longest,
    };
    return this.timed(run, { pipeline: this.kernels.insert, bindings, groups: groupsFor(n) }, 0);
  }

  async find(run: RunSteps, { keys, results, n }: Lookups): Promise<OpResult> {
    const asked = { ...this.table(this.layout.board), 5: keys, 6: results, 7: this.rangeOf(0, n) };
    const step = this.erased
      ? { pipeline: this.kernels.findErased, bindings: { ...asked, 9: this.memory.longest } }
      : { pipeline: this.kernels.find, bindings: asked };
    const { ns } = await run([{ ...step, groups: groupsFor(n) }]);
    return { ns, count: 0, restarts: 0 };
  }

  async erase(run: RunSteps, { keys, n }: Erasures): Promise<OpResult> {
    if (!this.layout.board) throw new UsageError("stash: without the ticket-board (board=false) no key can be erased");
    this.erased = true;
    const bindings = { ...this.table(), 5: keys, 7: this.rangeOf(0, n), 8: this.memory.status, 9: this.memory.longest };
    return this.timed(run, { pipeline: this.kernels.erase, bindings, groups: groupsFor(n) }, 1);
  }

  async mixed(run: RunSteps, { kinds, keys, values, results, slices }: MixedBatch): Promise<OpResult> {
    const { pipeline, bindings } = this.mixing({ 5: keys, 6: values, 10: kinds, 11: results });
    const steps = slices.map(({ first, count }) => ({
      pipeline,
      bindings: { ...bindings, 7: this.uniform([first, count, 0]) },
      groups: groupsFor(count),
    }));
    await this.gpu.zero(this.memory.status);
    const { ns, status } = await run(steps, this.memory.status);
    if (status[2]) throw new Error(`stash: ${status[2]} operations waited in vain or need tickets with an access bit`);
    return { ns, count: status[0] ?? 0, restarts: 0 };
  }

  private mixing(buffers: Record<number, GPUBuffer>): Pick<Step, "pipeline" | "bindings"> {
    const { mixed: pipeline } = this.kernels;
    if (!pipeline) throw new UsageError("stash: a table beyond the largest binding takes no mixed batches");
    // Erasures may be among the operations.
    this.erased ||= this.layout.access;
    return { pipeline, bindings: { ...this.table(), ...buffers, 8: this.memory.status, 9: this.memory.longest } };
  }

  destroy(): void {
    const { board, banks, status, longest } = this.memory;
    for (const buffer of [board, ...banks, status, longest, ...this.uniforms.values()]) buffer.destroy();
  }

  private table(board = true): Record<number, GPUBuffer> {
    const banks = this.memory.banks.map((bank, i) => [1 + i, bank] as const);
    return { ...(board ? { 0: this.memory.board } : {}), ...Object.fromEntries(banks) };
  }

  /** Items first … first + n - 1 of the input. */
  private rangeOf(first: number, n: number): GPUBuffer {
    return this.uniform([first, first + n]);
  }

  private uniform(words: readonly number[]): GPUBuffer {
    const key = words.join(" ");
    const known = this.uniforms.get(key);
    if (known) return known;
    const made = this.gpu.uniform(words);
    this.uniforms.set(key, made);
    return made;
  }

  private async timed(run: RunSteps, step: Step, word: number): Promise<OpResult> {
    await this.gpu.zero(this.memory.status);
    const { ns, status } = await run([step], this.memory.status);
    return { ns, count: status[word] ?? 0, restarts: 0 };
  }
}
