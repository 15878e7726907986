/** The class of Stadium hashing. See README.md. */

import { allocBanks, checkSlots, fittingBanks } from "../common/banks.js";
import { bulk, Status, step } from "../common/bulk.js";
import { EMPTY, fillStep, inCache, variant } from "../common/steps.js";
import { wideBytes, widened } from "../common/wide.js";
import { defineTable } from "../define.js";
import { dispatch } from "../device/bind.js";
import type { Bindings, Kernel, KernelSource, Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import type {
  Erasures,
  GpuTable,
  Lookups,
  Making,
  MixedBatch,
  OpResult,
  Pairs,
  Reads,
  RunSteps,
  Traits,
} from "../table.js";
import { type Insertion, type Lanes, lanesFor, lanesOf, pairsAlone } from "./lanes.js";
import { bytesOf, conditionsOf, constantsOf, crowded, type Layout, layoutOf, wantBoard } from "./layout.js";
import { parameters, type StashParams } from "./parameters.js";

/** Storage buffers that insertions bind beside the table: keys, values, ticket-board, status and longest probe. */
const OTHER_BUFFERS = 5;

const stadium = {
  source: "Khorasani et al., Stadium Hashing, PACT 2015",
  mixedParams: { access: true },
  conflict: crowded,
};

export const stash = defineTable({
  ...stadium,
  id: "stash",
  title: "Stash",
  parameters: parameters.fixed({ rehash: false, batches: 0, lanes: 32, warp: "auto", threshold: "by ticket" }),
  configure: (params) => traitsOf("stash", params),
});
export const clstash = defineTable({
  ...stadium,
  id: "clstash",
  title: "clStash",
  parameters: parameters.fixed({ threshold: "by ticket" }),
  configure: (params) => traitsOf("clstash", params),
});
export const stashHybrid = defineTable({
  ...stadium,
  id: "stash-hybrid",
  title: "Stash hybrid",
  parameters,
  configure: (params) => traitsOf("stash-hybrid", params),
});

export function traitsOf(insertion: Insertion, params: StashParams): Traits {
  return {
    // Without the board erased keys are free tickets, and their pairs as before.
    ops: params.board ? ["insert", "find", "erase", "mixed"] : ["insert", "find"],
    maxLoadFactor: 1,
    duplicates: false,
    incremental: true,
    reusesSlots: true,
    access: (op) =>
      op === "find"
        ? { pattern: "lookup8", why: "one pair, the key, the result (its ticket not counted)" }
        : { pattern: "and", why: "one random 32-bit AND (info bits and the pair itself not counted)" },
    bytes(n, loadFactor) {
      const layout = layoutOf(n, loadFactor, params);
      return bytesOf(layout) + wideBytes(n, layout.keyBytes, layout.valueBytes);
    },
    create: (gpu, making) => createStash(gpu, insertion, params, making),
  };
}

async function createStash(
  gpu: Owner,
  insertion: Insertion,
  params: StashParams,
  { n, loadFactor, counting }: Making,
): Promise<GpuTable> {
  const layout = layoutOf(n, loadFactor, params);
  const lanes = insertion === "stash" ? null : lanesOf(gpu, insertion, params);
  const memory = await allocate(gpu, layout, counting);
  const clear = await Promise.all([
    fillStep(gpu, memory.board, freeTickets(layout)),
    ...memory.banks.buffers.map((bank) => fillStep(gpu, bank, EMPTY)),
  ]);
  const table = new Stash(gpu, layout, memory, clear, lanes, counting);
  return widened(gpu, table, layout.keyBytes, layout.valueBytes);
}

interface Memory {
  readonly board: GPUBuffer;
  readonly banks: Awaited<ReturnType<typeof allocBanks>>;
  readonly status: Status;
  readonly longest: GPUBuffer;
}

async function allocate(gpu: Owner, { slots, stride, boardBytes }: Layout, counting: boolean): Promise<Memory> {
  checkSlots(slots);
  const banks = fittingBanks(gpu, { bytes: slots * stride, blockBytes: stride }, OTHER_BUFFERS + Number(counting));
  return {
    board: await gpu.alloc("ticket-board", boardBytes),
    banks: await allocBanks(gpu, "stash", banks),
    status: await Status.make(gpu),
    longest: await gpu.alloc("longest", 4),
  };
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
  /** What all kernels bind. */
  private readonly bound: Bindings;

  constructor(
    private readonly gpu: Owner,
    private readonly layout: Layout,
    private readonly memory: Memory,
    private readonly fill: readonly Step[],
    private readonly lanes: Lanes | null,
    private readonly counting: boolean,
  ) {
    const { board, banks, longest, status } = memory;
    this.bound = { ...banks.bound, board, longest_probe: longest, status: status.buffer };
  }

  get slots(): number {
    return this.layout.slots;
  }

  get bytes(): number {
    return bytesOf(this.layout);
  }

  get reads(): Reads {
    return { indexBytes: this.layout.boardBytes };
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
    const { lanes, slots, pairs } = this;
    const takes = ["keys", "values", "range"] as const;
    const alone = pairsAlone(lanes, slots, pairs, n);
    const split = first + alone;
    const steps: Step[] = [];
    if (alone > 0 || n === 0) {
      const kernel = await this.kernel("insert", takes);
      steps.push(step(kernel, alone, { keys, values, range: { first, end: split } }));
    }
    if (lanes && alone < n) {
      const { pairsPerGroup, ...special } = lanesFor(lanes, n - alone);
      const kernel = await this.kernel("insert-lanes", takes, special);
      const groups = Math.ceil((n - alone) / pairsPerGroup);
      steps.push(dispatch(kernel, groups, { keys, values, range: { first: split, end: first + n } }));
    }
    const { ns, said } = await this.memory.status.run(run, steps);
    this.pairs += n - said.refused;
    if (said.bound) throw new Error(`stash: ${said.bound} pairs were lost in a warp's store`);
    return { ns, count: said.refused, restarts: 0 };
  }

  async find(run: RunSteps, { keys, results, n }: Lookups): Promise<OpResult> {
    const conditions = { LOOKUP: true, PUTS: false, ERASED: this.erased };
    const kernel = await this.kernel("find", ["keys", "results", "range"], { conditions });
    return bulk(run, step(kernel, n, { keys, results, range: { first: 0, end: n } }));
  }

  async erase(run: RunSteps, { keys, n }: Erasures): Promise<OpResult> {
    wantBoard(this.layout, "no key can be erased");
    this.erased = true;
    const kernel = await this.kernel("erase", ["keys", "range"], { conditions: { ERASED: true } });
    const steps = [step(kernel, n, { keys, range: { first: 0, end: n } })];
    const result = await this.memory.status.count(run, steps, "changed");
    this.pairs -= result.count;
    return result;
  }

  async mixed(run: RunSteps, { kinds, keys, values, results, slices }: MixedBatch): Promise<OpResult> {
    wantBoard(this.layout, "there are no mixed batches");
    // Erasures may be among the operations.
    this.erased ||= this.layout.access;
    const conditions = { ERASED: this.erased };
    const kernel = await this.kernel("mixed", ["kinds", "keys", "values", "results", "slice"], { conditions });
    const steps = slices.map(({ first, count }) =>
      step(kernel, count, { kinds, keys, values, results, slice: { first, count, zero: 0 } }),
    );
    const { ns, said } = await this.memory.status.run(run, steps);
    if (said.failed) throw new Error(`stash: ${said.failed} operations need tickets with an access bit`);
    if (said.bound) throw new Error(`stash: ${said.bound} operations waited in vain`);
    return { ns, count: said.refused, restarts: 0 };
  }

  private kernel<const Takes extends string>(
    name: string,
    takes: readonly Takes[],
    { conditions, constants }: Pick<KernelSource, "conditions" | "constants"> = {},
  ): Promise<Kernel<Takes>> {
    const { gpu, layout, bound, counting } = this;
    const { banks } = this.memory;
    return variant(
      gpu,
      {
        file: `kernels/stash/${name}.wgsl`,
        conditions: { ...conditionsOf(layout), ...banks.conditions, PUTS: true, ...conditions },
        constants: { ...constantsOf(layout), ...banks.constants, ...constants },
        sizes: { slots: layout.slots },
        fixed: inCache(bytesOf(layout)),
        bound,
        takes,
      },
      counting,
    );
  }
}
