/** What a table of the library offers, on buffers of the caller's device: types, and how such a table is made of one of the harness. */
import { createTable } from "../create.js";
import { configure } from "../define.js";
import { recordCommands } from "../device/commands.js";
import { DoesNotFit, UsageError } from "../device/errors.js";
import type { Command, Step } from "../device/gpu.js";
import type { Owned } from "../device/owned.js";
import { STATUS_BYTES, statusOf } from "../device/status.js";
import type {
  Erasures,
  GpuTable,
  Lookups,
  MixedBatch,
  Pairs,
  Params,
  Recordable,
  RunSteps,
  TableType,
} from "../table.js";
import { bufferCheck } from "./check.js";
import { recordPass, UserDevice } from "./device.js";
import type { KernelFile } from "./link.js";

/** How a table is made. */
export interface TableOptions {
  /** Pairs that the table is made for: it has capacity / loadFactor slots, rounded. 1 or more. */
  readonly capacity: number;
  /** Above 0, and up to what the table takes. Default: 0.8, or less where that is too much for the table. */
  readonly loadFactor?: number;
  /** What keys are; values are the same. u32, a word of 4 bytes, is all there is. */
  readonly keys?: "u32";
  /** Decides the hash functions; a u32. Default: 1. */
  readonly seed?: number;
  /** Parameters of the table, as its README names them. Default: their defaults. */
  readonly params?: Params;
}

/** What became of an insertion. */
export interface Inserted {
  /** Pairs that are in the table now, those whose key was there before among them. */
  readonly stored: number;
  /** Pairs that found no slot, or have a reserved key: EMPTY or DELETED. */
  readonly refused: number;
}

/** What became of an erasure. */
export interface Erased {
  /** Keys that were in the table, each counted once. */
  readonly erased: number;
}

/**
 * A hash table in the memory of a device. Keys, values and results are in buffers with the usage STORAGE, a u32 each. An operation works
 * on all its items at once; operations of one table run one after another, in the order in which they are called. All of them reject with
 * a UsageError for buffers that are too small or lack the usage, with GpuError for what the device rejects, and with DeviceLost.
 */
export interface Table {
  /** Pairs that it was made for. */
  readonly capacity: number;
  /** Slots for pairs, after rounding. */
  readonly slots: number;
  /** Bytes of device memory, at present, without what operations need beside it. */
  readonly bytes: number;
  /** Removes all pairs. */
  clear(): Promise<void>;
  /**
   * Stores n pairs. A key must not be among them twice, nor be in the table, unless the table says otherwise: those of one kernel
   * an operation keep one of the values.
   */
  insert(pairs: Pairs): Promise<Inserted>;
  /** Writes n results: the value of each key, or EMPTY if the table does not have it. Resolves once they are written. */
  find(lookups: Lookups): Promise<void>;
  /** Frees its buffers. The table cannot be used any more, nor can commands in which its operations were recorded. */
  destroy(): void;
}

/** A table whose keys can be erased. */
export interface ErasableTable extends Table {
  /** Removes n keys, as far as they are there. A key may be among them twice. */
  erase(keys: Erasures): Promise<Erased>;
}

/** A table that takes insertions, searches and erasures in one batch. */
export interface MixedTable extends Table {
  /** Slices of operations, each an insertion, a search or an erasure. */
  mixed(batch: MixedBatch): Promise<Pick<Inserted, "refused">>;
}

/** Where a recorded operation is to write its outcome: OUTCOME_BYTES from `offset` on. */
export interface OutcomePlace {
  /** With the usage COPY_DST. */
  readonly buffer: GPUBuffer;
  /** A multiple of 4. Default: 0. */
  readonly offset?: number;
}

/** Of one outcome. */
export const OUTCOME_BYTES = STATUS_BYTES;

/** What a recorded operation left. */
export interface Outcome {
  /** Pairs of an insertion that were not stored. */
  readonly refused: number;
  /** Keys of an erasure that were in the table. */
  readonly erased: number;
  /** The operation is not to be relied on: a loop reached its bound, or the driver has other subgroups than it says. */
  readonly failed: boolean;
}

/** Reads OUTCOME_BYTES that a recorded operation has written. */
export function readOutcome(words: Uint32Array): Outcome {
  const { refused, changed, bound, misplaced } = statusOf(words);
  return { refused, erased: changed, failed: bound > 0 || misplaced > 0 };
}

/**
 * A table whose operations can be recorded among the caller's own commands, which then wait for nothing: they run when these are
 * submitted, and in the order of the encoder. Insertions may have a key twice, and take keys that are there: one of the values is kept.
 * Nothing of a promise may be under way when recorded commands are submitted. What is recorded throws a UsageError at once where a promise
 * would reject with one.
 */
export interface RecordableTable extends ErasableTable {
  encodeClear(encoder: GPUCommandEncoder): void;
  encodeInsert(encoder: GPUCommandEncoder, pairs: Pairs, outcome?: OutcomePlace): void;
  encodeFind(encoder: GPUCommandEncoder, lookups: Lookups): void;
  encodeErase(encoder: GPUCommandEncoder, keys: Erasures, outcome?: OutcomePlace): void;
}

/** A table with its kernels, before there is a device. */
export interface TableModule<T extends Table = Table> {
  readonly id: string;
  /** For messages and legends. */
  readonly title: string;
  /**
   * A table on the caller's device, cleared. Rejects with a UsageError for options that it does not take, with DoesNotFit for a capacity
   * beyond the device's memory or its bindings, with Unsupported if the device lacks what its kernels need, and with DeviceLost; then
   * nothing is left on the device.
   */
  create(device: GPUDevice, options: TableOptions): Promise<T>;
}

const USUAL_LOAD = 0.8;

/** Kernels beside those that a table always has, by its parameters. */
type MoreKernels = (params: Params) => Promise<readonly KernelFile[]>;

/** The module of a table that has these kernels. `T` says what the type offers with its default parameters. */
export function tableModule<T extends Table>(
  type: TableType,
  kernels: readonly KernelFile[],
  more: MoreKernels = async () => [],
): TableModule<T> {
  const { id, title } = type;
  return {
    id,
    title,
    async create(device, options) {
      const all = [...kernels, ...(await more(options.params ?? {}))];
      return (await open(type, all, device, options)) as Table as T;
    },
  };
}

async function open(type: TableType, kernels: readonly KernelFile[], device: GPUDevice, options: TableOptions) {
  const { capacity, loadFactor, seed = 1, params = {} } = checked(type, options);
  const gpu = new UserDevice(device, kernels, type.id);
  const own = configure(type, params);
  try {
    const making = {
      n: capacity,
      loadFactor: loadFactor ?? Math.min(USUAL_LOAD, own.safeLoadFactor),
      seed,
      counting: false,
      params,
    };
    const table = await createTable(type, gpu, making);
    try {
      const recordable = await table.recordable?.();
      await table.clear();
      return Object.assign(promises(gpu, table, capacity), recordable && recording(gpu, recordable));
    } catch (error) {
      table.destroy();
      throw error;
    }
  } catch (error) {
    gpu.destroy();
    if (error instanceof DoesNotFit) throw new DoesNotFit(`${type.id} of ${capacity} pairs: ${error.message}`);
    throw error;
  }
}

/** The options. Throws a UsageError. */
function checked({ id }: TableType, options: TableOptions): TableOptions {
  const { capacity, loadFactor = USUAL_LOAD, keys = "u32", seed = 1 } = options;
  if (!Number.isSafeInteger(capacity) || capacity < 1)
    throw new UsageError(`${id}: capacity is ${capacity}; it takes a whole number, 1 or more`);
  if (!(loadFactor > 0)) throw new UsageError(`${id}: loadFactor is ${loadFactor}; it takes a number above 0`);
  if (keys !== "u32") throw new UsageError(`${id}: keys is ${JSON.stringify(keys)}; it takes "u32"`);
  if (seed >>> 0 !== seed) throw new UsageError(`${id}: seed is ${seed}; it takes a u32`);
  return options;
}

/** The operations that answer with a promise. */
function promises(gpu: UserDevice, table: Owned<GpuTable>, capacity: number) {
  const run: RunSteps = (...pass) => gpu.time(...pass);
  const check = bufferCheck(gpu.device.limits);
  let last: Promise<unknown> = Promise.resolve();
  let destroyed = false;
  /** After what was called before. */
  const next = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(() => {
      if (destroyed) throw new UsageError("the table was destroyed");
      return work();
    });
    last = done.catch(() => undefined);
    return done;
  };
  const { erase, mixed } = table;
  return {
    capacity,
    get slots() {
      return table.slots;
    },
    get bytes() {
      return table.bytes;
    },
    clear: () => next(() => table.clear()),
    insert: (pairs: Pairs): Promise<Inserted> =>
      next(async () => {
        check.pairs(pairs);
        const { count } = await table.insert(run, pairs);
        return { stored: pairs.n - count, refused: count };
      }),
    find: (lookups: Lookups): Promise<void> =>
      next(async () => {
        check.lookups(lookups);
        await table.find(run, lookups);
      }),
    ...(erase && {
      erase: (keys: Erasures): Promise<Erased> =>
        next(async () => {
          check.erasures(keys);
          const { count } = await erase.call(table, run, keys);
          return { erased: count };
        }),
    }),
    ...(mixed && {
      mixed: (batch: MixedBatch): Promise<Pick<Inserted, "refused">> =>
        next(async () => {
          check.batch(batch);
          const { count } = await mixed.call(table, run, batch);
          return { refused: count };
        }),
    }),
    destroy() {
      destroyed = true;
      table.destroy();
      gpu.destroy();
    },
  };
}

/** The operations that are recorded. */
function recording({ device, label }: UserDevice, { status, clear, insert, find, erase }: Recordable) {
  const check = bufferCheck(device.limits);
  const record = (encoder: GPUCommandEncoder, steps: readonly Step[]) => recordPass(device, encoder, label, steps);
  const recordCounted = (encoder: GPUCommandEncoder, steps: readonly Step[], outcome?: OutcomePlace) => {
    record(encoder, steps);
    const { buffer, offset = 0 } = outcome ?? {};
    const after: Command[] = [
      ...(buffer ? [{ from: status, to: buffer, toOffset: offset, bytes: OUTCOME_BYTES }] : []),
      { buffer: status, zero: status.size },
    ];
    recordCommands(device, encoder, after);
  };
  return {
    encodeClear: (encoder: GPUCommandEncoder) => recordCommands(device, encoder, clear()),
    encodeInsert(encoder: GPUCommandEncoder, pairs: Pairs, outcome?: OutcomePlace) {
      check.pairs(pairs);
      check.outcome(outcome);
      recordCounted(encoder, insert(pairs), outcome);
    },
    encodeFind(encoder: GPUCommandEncoder, lookups: Lookups) {
      check.lookups(lookups);
      record(encoder, find(lookups));
    },
    encodeErase(encoder: GPUCommandEncoder, keys: Erasures, outcome?: OutcomePlace) {
      check.erasures(keys);
      check.outcome(outcome);
      recordCounted(encoder, erase(keys), outcome);
    },
  };
}
