/**
 * Stadium hashing with the table in the host's memory and the ticket-board on the GPU, by host rounds. Times are the host's
 * clock around a whole operation: dispatches, transfers and the host's own work.
 */

import { wideBytes } from "../common/record-bytes.js";
import { EMPTY, fillStep } from "../common/steps.js";
import { widened } from "../common/wide.js";
import { fixed } from "../declare.js";
import { defineTable } from "../define.js";
import type { Bindings, Kernel, KernelSource, Step } from "../device/gpu.js";
import type { Kept, Owner } from "../device/owned.js";
import { HostMemory } from "../out-of-core/host-memory.js";
import type { Traffic } from "../out-of-core/pcie.js";
import {
  type Booking,
  type Dispatch,
  type PartName,
  Rounds,
  roundsBytes,
  timed,
  type Work,
} from "../out-of-core/rounds.js";
import type {
  Erasures,
  GpuTable,
  Lookups,
  Making,
  MixedBatch,
  MixedSlice,
  OpResult,
  Pairs,
  RunSteps,
  TableType,
} from "../table.js";
import { type Insertion, type Lanes, lanesFor, lanesOf, pairsAlone } from "./lanes.js";
import { conditionsOf, constantsOf, type Layout, layoutOf, wantBoard } from "./layout.js";
import { parameters, type StashParams } from "./parameters.js";
import { beside, clstash, stash, stashHybrid, traitsOf } from "./stash.js";

const inCore = { stash, clstash, "stash-hybrid": stashHybrid } satisfies Record<Insertion, TableType>;

/** The table of that id with its pairs in host memory. What its operations move is added to `traffic`. */
export function hostStash(id: Insertion, traffic: Traffic): TableType {
  const { description } = inCore[id];
  return defineTable({
    ...description,
    hostMemory: true,
    mixedParams: {},
    // Rounds order a slice's operations: no access bit is needed for any mix.
    parameters: fixed(description.parameters, { access: false }),
    configure(given) {
      const params = parameters.of(given);
      return {
        ...traitsOf(id, params, beside),
        bytes(n, loadFactor) {
          const layout = layoutOf(n, loadFactor, params);
          const { slots, boardBytes, keyBytes, valueBytes } = layout;
          const bytes = pairBytes(layout);
          return slots * bytes + boardBytes + roundsBytes(n, bytes) + wideBytes(n, keyBytes, valueBytes);
        },
        create: (gpu, making) => createHostStash(gpu, id, params, making, traffic),
      };
    },
  });
}

/** Bytes of a pair in host memory: no padding. */
function pairBytes({ keyBytes, valueBytes }: Layout): number {
  return keyBytes + valueBytes;
}

async function createHostStash(
  gpu: Owner,
  id: Insertion,
  params: StashParams,
  { n, loadFactor }: Making,
  traffic: Traffic,
): Promise<GpuTable> {
  const layout = layoutOf(n, loadFactor, params);
  const { slots, keyBytes, valueBytes } = layout;
  const lanes = id === "stash" ? null : lanesOf(gpu, id, params);
  const memory = new HostMemory(slots, keyBytes / 4, valueBytes / 4);
  const rounds = await Rounds.make(gpu, n, keyBytes, valueBytes);
  const board = await gpu.alloc("ticket-board", layout.boardBytes);
  const longest = await gpu.alloc("longest", 4);
  const clear = await fillStep(gpu, board, FREE_TICKETS);
  const table = new HostStash(gpu, layout, lanes, memory, { board, longest_probe: longest }, rounds, clear, traffic);
  return widened(gpu, table, keyBytes, valueBytes);
}

/** A word of tickets without access bit, all free. */
const FREE_TICKETS = 0xffffffff;

class HostStash implements GpuTable {
  /** Keys were erased since the table was cleared: searches go on at free slots. */
  private erased = false;
  /** Pairs in the table. */
  private pairs = 0;
  /** Slots that insertions booked, by item. */
  private readonly bookings: Kept<number, GPUBuffer>;

  constructor(
    private readonly gpu: Owner,
    private readonly layout: Layout,
    private readonly lanes: Lanes | null,
    private readonly memory: HostMemory,
    private readonly device: { readonly board: GPUBuffer; readonly longest_probe: GPUBuffer },
    private readonly rounds: Rounds,
    private readonly freeTickets: Step,
    private readonly traffic: Traffic,
  ) {
    this.bookings = gpu.kept((own, n: number) => own.alloc("booked slots", n * 4));
  }

  get slots(): number {
    return this.layout.slots;
  }

  get bytes(): number {
    return this.memory.bytes + this.layout.boardBytes;
  }

  async clear(): Promise<void> {
    this.erased = false;
    this.pairs = 0;
    this.memory.clear();
    await this.gpu.run([this.freeTickets]);
    await this.gpu.zero(this.device.longest_probe);
  }

  async insert(_run: RunSteps, { keys, values, n, first = 0 }: Pairs): Promise<OpResult> {
    const booked = await this.bookings.get(first + n);
    // Pairs that find no slot leave their word as it is.
    await this.gpu.run([await fillStep(this.gpu, booked, EMPTY)]);
    let refused = 0;
    let lost = 0;
    const work = async (lanes: Lanes | null): Promise<Work> => ({
      ask: await this.insertion(lanes, { keys, values, booked }),
      booking: { booked, keys, values, store: (slots, k, v) => this.store(slots, k, v) },
      tally: (status) => {
        refused += status.refused;
        lost += status.bound;
      },
    });
    const alone = pairsAlone(this.lanes, this.slots, this.pairs, n);
    const single = await work(null);
    const together = this.lanes && alone < n ? await work(this.lanes) : null;
    const ns = await timed(this.gpu, async () => {
      const trips = await this.rounds.run(single, first, alone);
      const more = together ? await this.rounds.run(together, first + alone, n - alone) : 0;
      this.traffic.rounds += Math.max(trips, more);
    });
    if (lost > 0) throw new Error(`stash: ${lost} pairs were lost in a warp's store`);
    this.pairs += n - refused;
    return { ns, count: refused, restarts: 0 };
  }

  private async insertion(lanes: Lanes | null, bound: Bindings): Promise<Dispatch> {
    if (!lanes)
      return { kernel: await this.kernel("insert", bound, ["range", "status"], { conditions: { HOST: true } }) };
    // A part of the pairs is small: lanes fetch as few as they may.
    const { pairsPerGroup, conditions, constants } = lanesFor(lanes, 0);
    const special = { conditions: { ...conditions, HOST: true }, constants };
    return {
      kernel: await this.kernel("insert-lanes", bound, ["range", "status"], special),
      itemsPerGroup: pairsPerGroup,
    };
  }

  async find(_run: RunSteps, { keys, results, n }: Lookups): Promise<OpResult> {
    const conditions = { LOOKUP: true, ERASED: this.erased };
    const kernel = await this.kernel("host-find", { keys, results }, ["range", "asked"], { entry: "ask", conditions });
    return this.bulk({ ask: { kernel }, requests: await this.retrieval({ keys, results }) }, n);
  }

  /** What follows a retrieval's first request. */
  private async retrieval(bound: Bindings): Promise<NonNullable<Work["requests"]>> {
    const takes = ["waiting", "asked", "found_keys", "found_values"] as const;
    const conditions = { LOOKUP: true, ERASED: this.erased };
    const kernel = await this.kernel("host-find", bound, takes, { entry: "resume", conditions });
    return { resume: { kernel }, bound: this.slots, answer: (jobs, k, v) => this.answer(jobs, k, v) };
  }

  async erase(_run: RunSteps, { keys, n }: Erasures): Promise<OpResult> {
    wantBoard(this.layout, "no key can be erased");
    const erasure = await this.erasure({ keys });
    const { ns } = await this.bulk(erasure.work, n);
    this.pairs -= erasure.erased();
    return { ns, count: erasure.erased(), restarts: 0 };
  }

  /** Erasures; of a batch, which has `kinds` and wants `results`, or of all keys. */
  private async erasure(
    bound: Pick<MixedBatch, "keys"> & Partial<Pick<MixedBatch, "kinds" | "results">>,
  ): Promise<{ work: Work; erased: () => number }> {
    this.erased = true;
    let erased = 0;
    const conditions = { ERASE: true, ERASED: true, MIXED: bound.kinds !== undefined };
    const kernel = (entry: string, takes: readonly PartName[]) =>
      this.kernel("host-find", { ...bound }, takes, { entry, conditions });
    const work: Work = {
      ask: { kernel: await kernel("ask", ["range", "asked"]) },
      requests: {
        resume: { kernel: await kernel("resume", ["waiting", "asked", "found_keys"]) },
        bound: this.slots,
        keysOnly: true,
        answer: (jobs, k, v) => this.answer(jobs, k, v),
      },
      tally: ({ changed }) => {
        erased += changed;
      },
    };
    return { work, erased: () => erased };
  }

  /**
   * Of every slice: insertions and the retrievals' first walk in one dispatch, then rounds for the retrievals, then erasures,
   * if there are any.
   */
  async mixed(_run: RunSteps, batch: MixedBatch): Promise<OpResult> {
    wantBoard(this.layout, "there are no mixed batches");
    const end = Math.max(...batch.slices.map(({ first, count }) => first + count));
    const booked = await this.bookings.get(end);
    let refused = 0;
    const ns = await timed(this.gpu, async () => {
      for (const slice of batch.slices) refused += await this.slice(batch, slice, booked);
    });
    return { ns, count: refused, restarts: 0 };
  }

  /** How many of its insertions found no slot. */
  private async slice(batch: MixedBatch, { first, count }: MixedSlice, booked: GPUBuffer): Promise<number> {
    const { kinds, keys, values, results } = batch;
    let refused = 0;
    let inserted = 0;
    let erasures = 0;
    const conditions = { HOST: true, ERASED: this.erased };
    const bound = { kinds, keys, values, results, booked };
    const booking: Booking = {
      booked,
      keys,
      values,
      store: (slots, k, v) => {
        inserted += this.store(slots, k, v);
      },
    };
    const work: Work = {
      ask: {
        kernel: await this.kernel("host-mixed", bound, ["range", "asked"], { conditions }),
      },
      booking,
      requests: await this.retrieval({ keys, results }),
      tally: (status) => {
        refused += status.refused;
        erasures += status.left;
      },
    };
    this.traffic.rounds += await this.rounds.run(work, first, count);
    this.pairs += inserted;
    if (erasures > 0) {
      const erasure = await this.erasure({ kinds, keys, results });
      this.traffic.rounds += await this.rounds.run(erasure.work, first, count);
      this.pairs -= erasure.erased();
    }
    return refused;
  }

  private async bulk(work: Work, n: number): Promise<OpResult> {
    const ns = await timed(this.gpu, async () => {
      this.traffic.rounds += await this.rounds.run(work, 0, n);
    });
    return { ns, count: 0, restarts: 0 };
  }

  private store(slots: Uint32Array, keys: Uint32Array, values: Uint32Array): number {
    const stored = this.memory.store(slots, keys, values);
    this.traffic.write(stored, pairBytes(this.layout));
    return stored;
  }

  private answer(jobs: Uint32Array, keys: Uint32Array, values: Uint32Array): void {
    const read = this.memory.load(jobs, keys, values);
    this.traffic.read(read, values.length > 0 ? pairBytes(this.layout) : this.layout.keyBytes);
  }

  private kernel(
    name: string,
    bound: Bindings,
    takes: readonly PartName[],
    { entry, conditions, constants }: Pick<KernelSource, "entry" | "conditions" | "constants">,
  ): Promise<Kernel> {
    return this.gpu.kernel({
      file: `kernels/stash/${name}.wgsl`,
      ...(entry && { entry }),
      conditions: { ...conditionsOf(this.layout), ...conditions },
      constants: { ...constantsOf(this.layout), ...constants },
      sizes: { slots: this.layout.slots },
      bound: { ...this.device, ...bound },
      takes,
    });
  }
}
