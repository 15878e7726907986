/** The class of Stadium hashing. See README.md. */

import { bulk, itemStep, Status } from "../common/bulk.js";
import { EMPTY, fillStep, inCache, variant } from "../common/steps.js";
import { WARP_KINDS } from "../common/warp.js";
import { wideBytes, widened } from "../common/wide.js";
import { DoesNotFit, UsageError } from "../device/errors.js";
import type { Kernel, Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import { defaultsOf } from "../parameters.js";
import type {
  Erasures,
  GpuTable,
  Lookups,
  MixedBatch,
  OpResult,
  Pairs,
  Params,
  RunSteps,
  TableOptions,
  TableType,
} from "../table.js";
import { type Insertion, type Lanes, lanesFor, lanesOf } from "./lanes.js";
import {
  banksOf,
  bytesOf,
  conditionsOf,
  constantsOf,
  crowded,
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
  reusesSlots: true,
  mixedParams: { access: true },
  access: (op: string) =>
    op === "find"
      ? { pattern: "lookup8", why: "one pair, the key, the result (its ticket not counted)" }
      : { pattern: "and", why: "one random 32-bit AND (info bits and the pair itself not counted)" },
  conflict: crowded,
  // Erased keys are free tickets, and their pairs as before.
  lacks: ({ board }: Params) => (board === false ? (["erase", "mixed"] as const) : []),
  bytes(n: number, loadFactor: number, params: Params = {}) {
    const layout = layoutOf(n, loadFactor, { ...defaultsOf(parameters), ...params });
    return bytesOf(layout) + wideBytes(n, layout.keyBytes, layout.valueBytes);
  },
} satisfies Partial<TableType>;

const parameters: TableType["parameters"] = [
  { name: "ticket", default: 8, values: TICKETS, meaning: "bits of a ticket: availability and info" },
  { name: "keyBytes", default: 4, values: SIZES, task: true, meaning: "bytes of a key" },
  { name: "valueBytes", default: 4, values: SIZES, task: true, meaning: "bytes of a value" },
  { name: "board", default: true, values: [true, false], meaning: "retrievals ask the ticket-board before the table" },
  {
    name: "access",
    default: false,
    values: [false, true],
    task: true,
    meaning: "tickets have an access bit, for mixes of all kinds",
  },
  {
    name: "passed",
    default: false,
    values: [false, true],
    meaning: "tickets tell searches where no insertion went past (ours)",
  },
  {
    ...{ name: "bankBytes", default: 0, from: 0, to: 2 ** 31, integer: true, task: true },
    meaning: "bytes that one buffer of pairs has at most; 0: as many as the device binds",
  },
];

const LANES: TableType["parameters"] = [
  {
    ...{ name: "batches", default: 0, from: 0, to: 2 ** 16, integer: true },
    meaning: "pairs that a lane of a warp fetches; 0: by the number of pairs",
  },
  { name: "lanes", default: 32, values: [1, 2, 4, 8, 16, 32], meaning: "lanes of a warp" },
  { name: "warp", default: "auto", values: WARP_KINDS, meaning: "what a warp is made of" },
];
const THRESHOLD: TableType["parameters"] = [
  {
    ...{ name: "threshold", default: "by ticket", from: 0, to: 1, integer: false },
    meaning: "occupancy from which on lanes collaborate",
  },
];

function tableOf(id: Insertion, title: string, own: TableType["parameters"]): TableType {
  return {
    ...shared,
    id,
    title,
    ops: ["insert", "find", "erase", "mixed"],
    parameters: [...parameters, ...own],
    create: (gpu, options) => createStash(gpu, id, options),
  };
}

export const stash = tableOf("stash", "Stash", []);
export const clstash = tableOf("clstash", "clStash", LANES);
export const stashHybrid = tableOf("stash-hybrid", "Stash hybrid", [...LANES, ...THRESHOLD]);

async function createStash(gpu: Owner, insertion: Insertion, options: TableOptions): Promise<GpuTable> {
  const layout = layoutOf(options.n, options.loadFactor, options.params);
  const lanes = insertion === "stash" ? null : lanesOf(gpu, insertion, options.params);
  const memory = await allocate(gpu, layout);
  const banked = memory.banks.length > 1;
  const conditions = conditionsOf(layout, banked);
  const constants = constantsOf(layout, memory.bankBits, banked);
  const kernel: MakeKernel = (name, extra = {}) => {
    const source = { file: `kernels/stash/${name}.wgsl`, conditions: { ...conditions, ...extra.conditions } };
    const sizes = { sizes: { slots: layout.slots }, fixed: inCache(bytesOf(layout)) };
    const specialised = { ...sizes, constants: { ...constants, ...extra.constants } };
    return variant(gpu, { ...source, ...specialised }, options.counting);
  };
  const clear = await Promise.all([
    fillStep(gpu, memory.board, freeTickets(layout)),
    ...memory.banks.map((bank) => fillStep(gpu, bank, EMPTY)),
  ]);
  const table = new Stash(gpu, layout, memory, kernel, clear, lanes);
  return widened(gpu, table, layout.keyBytes, layout.valueBytes);
}

type MakeKernel = (
  name: string,
  extra?: { conditions?: Readonly<Record<string, boolean>>; constants?: Readonly<Record<string, number>> },
) => Promise<Kernel>;

interface Memory {
  readonly board: GPUBuffer;
  readonly banks: readonly GPUBuffer[];
  readonly bankBits: number;
  readonly status: Status;
  readonly longest: GPUBuffer;
}

async function allocate(gpu: Owner, layout: Layout): Promise<Memory> {
  const { bytes, bits } = banksOf(layout, Math.min(gpu.maxBinding, layout.bankBytes));
  if (bytes.length > MAX_BANKS) {
    throw new DoesNotFit(
      `stash: ${layout.slots * layout.stride} bytes need ${bytes.length} banks; it has ${MAX_BANKS}`,
    );
  }
  const board = await gpu.alloc("ticket-board", layout.boardBytes);
  const banks: GPUBuffer[] = [];
  // A banked kernel has all four bindings, and no buffer may be bound twice.
  const needed = bytes.length === 1 ? 1 : MAX_BANKS;
  for (let i = 0; i < needed; i++) banks.push(await gpu.alloc(`stash bank ${i}`, bytes[i] ?? layout.stride));
  return { board, banks, bankBits: bits, status: await Status.make(gpu), longest: await gpu.alloc("longest", 4) };
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
  /** Pairs in the table, as far as bulk operations tell. */
  private pairs = 0;

  constructor(
    private readonly gpu: Owner,
    private readonly layout: Layout,
    private readonly memory: Memory,
    private readonly kernel: MakeKernel,
    private readonly fill: readonly Step[],
    private readonly lanes: Lanes | null,
  ) {}

  get slots(): number {
    return this.layout.slots;
  }

  get bytes(): number {
    return bytesOf(this.layout);
  }

  get indexBytes(): number {
    return this.layout.boardBytes;
  }

  async clear(): Promise<void> {
    this.erased = false;
    this.pairs = 0;
    await this.gpu.run(this.fill);
    await this.gpu.zero(this.memory.longest);
  }

  remember(): () => void {
    const { erased, pairs } = this;
    return () => {
      this.erased = erased;
      this.pairs = pairs;
    };
  }

  async insert(run: RunSteps, { keys, values, n, first = 0 }: Pairs): Promise<OpResult> {
    const buffers = { 5: keys, 6: values };
    const alone = this.lanes ? Math.min(n, Math.max(0, Math.floor(this.lanes.threshold * this.slots) - this.pairs)) : n;
    const steps: Step[] = [];
    if (alone > 0 || n === 0) steps.push(await this.insertAlone(buffers, first, alone));
    if (this.lanes && alone < n) steps.push(await this.insertByLanes(this.lanes, buffers, first + alone, n - alone));
    const { ns, status } = await this.memory.status.run(run, steps);
    this.pairs += n - (status[0] ?? 0);
    if (status[2]) throw new Error(`stash: ${status[2]} pairs were lost in a warp's store`);
    return { ns, count: status[0] ?? 0, restarts: 0 };
  }

  private async insertAlone(buffers: Record<number, GPUBuffer>, first: number, n: number): Promise<Step> {
    return itemStep(await this.kernel("insert"), n, {
      ...this.table(),
      ...buffers,
      ...this.state(),
      7: this.gpu.constant(first, first + n),
    });
  }

  private async insertByLanes(
    lanes: Lanes,
    buffers: Record<number, GPUBuffer>,
    first: number,
    n: number,
  ): Promise<Step> {
    const bindings = { ...this.table(), ...buffers, ...this.state(), 7: this.gpu.constant(first, first + n) };
    const { pairsPerGroup, ...extra } = lanesFor(lanes, n);
    return { kernel: await this.kernel("insert-lanes", extra), bindings, groups: Math.ceil(n / pairsPerGroup) };
  }

  async find(run: RunSteps, { keys, results, n }: Lookups): Promise<OpResult> {
    const { erased } = this;
    const kernel = await this.kernel("find", { conditions: { LOOKUP: true, ERASED: erased } });
    const asked = { ...this.table(this.layout.board), 5: keys, 6: results, 7: this.gpu.constant(0, n) };
    const bindings = erased ? { ...asked, 9: this.memory.longest } : asked;
    return bulk(run, itemStep(kernel, n, bindings));
  }

  async erase(run: RunSteps, { keys, n }: Erasures): Promise<OpResult> {
    if (!this.layout.board) throw new UsageError("stash: without the ticket-board (board=false) no key can be erased");
    this.erased = true;
    const kernel = await this.kernel("erase", { conditions: { ERASED: true } });
    const bindings = { ...this.table(), 5: keys, 7: this.gpu.constant(0, n), ...this.state() };
    const result = await this.memory.status.count(run, [itemStep(kernel, n, bindings)], 1);
    this.pairs -= result.count;
    return result;
  }

  async mixed(run: RunSteps, { kinds, keys, values, results, slices }: MixedBatch): Promise<OpResult> {
    if (!this.layout.board)
      throw new UsageError("stash: without the ticket-board (board=false) there are no mixed batches");
    if (this.memory.banks.length > 1) {
      throw new UsageError("stash: a table beyond the largest binding takes no mixed batches");
    }
    // Erasures may be among the operations.
    this.erased ||= this.layout.access;
    const kernel = await this.kernel("mixed", { conditions: { ERASED: this.erased } });
    const bindings = { ...this.table(), 5: keys, 6: values, 10: kinds, 11: results, ...this.state() };
    const steps = slices.map(({ first, count }) =>
      itemStep(kernel, count, { ...bindings, 7: this.gpu.constant(first, count, 0) }),
    );
    const { ns, status } = await this.memory.status.run(run, steps);
    if (status[2]) throw new Error(`stash: ${status[2]} operations waited in vain or need tickets with an access bit`);
    return { ns, count: status[0] ?? 0, restarts: 0 };
  }

  private table(board = true): Record<number, GPUBuffer> {
    const banks = this.memory.banks.map((bank, i) => [1 + i, bank] as const);
    return { ...(board ? { 0: this.memory.board } : {}), ...Object.fromEntries(banks) };
  }

  private state(): Record<number, GPUBuffer> {
    return { 8: this.memory.status.buffer, 9: this.memory.longest };
  }
}
