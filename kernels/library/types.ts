/** What a table of the library takes and offers, on buffers of the caller's device. */

import type { WideKeys } from "../common/wide-keys.js";
import type { Params } from "../declare.js";
import { STATUS_BYTES, statusOf } from "../device/status.js";
import type { orderingFor } from "../dycuckoo/order.js";
import type { Resizer } from "../dycuckoo/resizer.js";
import type { routed } from "../gph/lookups.js";
import type { makeBuild } from "../partitioned/build.js";
import type { makeFindAll } from "../slab-hash/find-all.js";
import type { Erasures, Lookups, MixedBatch, Pairs, Room, Rows } from "../table.js";
import type { KernelFile } from "./link.js";

/** An operation whose kernels `warm` of `webgpu-hash-table/warm` compiles. */
export type Warmed = "clear" | "insert" | "find" | "erase" | "mixed" | "flush" | "export" | "rehash";

/** Kernels beside those of a table's module, and the code that runs them. */
export type Kernels = readonly KernelFile[] & {
  readonly makeBuild?: typeof makeBuild;
  readonly routed?: typeof routed;
  readonly Resizer?: typeof Resizer;
  readonly orderingFor?: typeof orderingFor;
  readonly makeFindAll?: typeof makeFindAll;
  readonly wideKeys?: WideKeys;
};

/** What a full table does. */
export interface FullOptions {
  /**
   * Of tables with `rehash`. `grow`: insertions and upserts by promise make a full table twice as large, as `rehash` does, until all rows are
   * in that have no reserved key or value. Where memory ends they reject with DoesNotFit, and the table keeps what it has. They resolve
   * once the host has looked. Insertions that are recorded, or of a shader, are refused. Default: `refuse`.
   */
  readonly onFull?: "refuse" | "grow";
}

/** How a table is made. */
export interface TableOptions extends FullOptions {
  /** Pairs that the table is made for: it has capacity / loadFactor slots, rounded. 1 or more. */
  readonly capacity: number;
  /** Above 0, up to the table's largest. Default: 0.8, or less for a table that is not safe at 0.8. */
  readonly loadFactor?: number;
  /** The type of keys and of values. Only u32, a word of 4 bytes, is there; keys of two words are a parameter, `keyBytes`. */
  readonly keys?: "u32";
  /** Decides the hash functions; a u32. Default: drawn for each table, so that nobody can make keys beforehand that all meet, with a secret of 64 bits for `keyed`. */
  readonly seed?: number;
  /**
   * Parameters of the table, as its README names them. Default: their defaults, but that slots of erased keys are used again, and that
   * tickets of `stash` have the access bit, where there is room for it.
   */
  readonly params?: Params;
  /**
   * Kernels of parameters whose kernels are not in the table's module. Modules of `webgpu-hash-table` have them: `partitioned` for
   * `partitioned: true`, `routed` for `index: "workgroup"`, `multimap` for `unique: false`, `resizing` for
   * `resize: true`, `ordered` for `regionKiB`. For `keyBytes: 8` it is `wide`, of warpcore and warpdrive `windows`. The function
   * `createTable` loads them by itself.
   */
  readonly kernels?: Kernels;
  /** Begins messages, and the labels of what the table has on the device. Default: the table's name. */
  readonly label?: string;
}

/** What became of an insertion. */
export interface Inserted {
  /** Pairs that are in the table now, those whose key was there before among them. */
  readonly stored: number;
  /** Pairs that found no slot, or have a reserved key or value: a key of EMPTY or DELETED, a value of EMPTY. */
  readonly refused: number;
}

/** What became of an erasure. */
export interface Erased {
  /** Keys that were in the table, each counted once. */
  readonly erased: number;
}

/**
 * A hash table in the memory of a device. Keys, values and results are in buffers with the usage STORAGE, a u32 each. An operation works
 * on all its items at once; operations of one table run one after another, in the order in which they are called. Their arguments are
 * checked and copied at the call, and the work is submitted before the call returns, but for operations in which the host has a part: the
 * library's README lists them. All of them reject with a UsageError for arguments that are wrong, with GpuError for what the device rejects,
 * and with DeviceLost.
 */
export interface Table {
  /** Pairs that it is made for. `dycuckoo` with `resize` may have more: see `slots`. */
  readonly capacity: number;
  /** Slots for pairs, after rounding. */
  readonly slots: number;
  /** Bytes of device memory, at present, without what operations need beside it. */
  readonly bytes: number;
  /** Removes all pairs. */
  clear(): Promise<void>;
  /**
   * Stores n pairs. A key may be among them twice, or be in the table: one of the values is kept. Not of `stash`, whose keys must be new,
   * and of `cuckoo` and `two-level`, which an insertion builds, of each key once.
   */
  insert(pairs: Pairs): Promise<Inserted>;
  /** Writes n results: the value of each key, or EMPTY if the table does not have it. Resolves once they are written. */
  find(lookups: Lookups): Promise<void>;
  /** Frees its buffers. The table cannot be used any more, nor can commands in which its operations were recorded. */
  destroy(): void;
  /** The same, at the end of a block: `using table = await createTable(…)`, where the runtime has it. */
  [Symbol.dispose](): void;
}

/** Rows of an upsert: see {@link Rows}. */
export type Upserts = Rows;

/** What a recorded upsert does, and what it tells. */
export interface UpsertKind extends Pick<Rows, "rule" | "combine"> {
  /** Its rows have `results`. Default: false. */
  readonly results?: boolean;
  /** Its rows have `states`. Default: false. */
  readonly states?: boolean;
}

/** Pairs to insert. */
export interface Insertion extends Pairs {
  /** Which row of a key stays where n rows have it several times. A key of an earlier batch has a value of this one in any case. Default: `any`. */
  readonly wins?: "any" | "first" | "last";
}

/** A table that takes rows whose keys are there, by a rule that says what becomes of the value. */
export interface UpsertingTable extends Table {
  /** As of each table. With `wins` of `first` or `last` it waits for the host, and takes two words per row beside. */
  insert(pairs: Insertion): Promise<Inserted>;
  /**
   * Inserts n rows; of a key that is there, or in several rows, the value becomes what the rule says. Sums are modulo 2^32; one that comes to
   * EMPTY reads as an absent key.
   */
  upsert(rows: Upserts): Promise<Inserted>;
  /**
   * What records upserts of that kind, once its kernel is there: as {@link RecordableTable.encodeInsert}. With the rule `first` and `results`
   * it is `findOrInsert`. The rule `id` is two dispatches.
   */
  recordUpsert(
    kind: UpsertKind,
  ): Promise<
    (
      commands: GPUCommandEncoder | GPUComputePassEncoder,
      rows: Recorded<Omit<Rows, "rule" | "combine">>,
      outcome?: OutcomePlace,
    ) => void
  >;
  /** Keeps the value of a key that is there. `results` are the values that the keys then have, `states` which of them were new. */
  findOrInsert(rows: Omit<Upserts, "rule">): Promise<Inserted>;
  /** An insertion, with `states`: which keys were new. Each new key is so in one of its rows. */
  insertAndTell(rows: Omit<Upserts, "rule">): Promise<Inserted>;
}

/** A table whose pairs can be listed. */
export interface ExportableTable extends Table {
  /** Pairs that it has. The table is looked through. */
  size(): Promise<number>;
  /** Writes all pairs side by side, in any order, as far as there is room for them; `size` is how many there are. */
  export(room: Room): Promise<{ readonly size: number }>;
  /** What records exports, once its kernel is there. The outcome's `size` is how many pairs there are; missing where the table is not recorded. */
  recordExport(): Promise<
    (commands: GPUCommandEncoder | GPUComputePassEncoder, room: Room, outcome?: OutcomePlace) => void
  >;
  /**
   * Puts a table of that capacity, with the same pairs and without the marks of erased keys, in this one's place. The default is the capacity
   * that it has. Both tables are in memory while it is under way. Rejects with DoesNotFit where memory or slots do not suffice; the table
   * is as it was then. What was recorded before, or came from `device`, `recordUpsert` or `recordExport`, is of the old table: ask for it again.
   */
  rehash(options?: { readonly capacity?: number }): Promise<void>;
}

/** A table of slabs. */
export interface FlushableTable extends Table {
  /** Packs the pairs of each list, and gives the slabs behind them back for other lists. */
  flush(): Promise<void>;
}

/** A table in which a key has as many pairs as were inserted; `find` answers with one of their values, `erase` takes one of them. */
export interface MultimapTable extends Table {
  /**
   * Writes two words for each key: its values are words first … first + count - 1 of `list`; EMPTY both for an absent key. `found` are all
   * values. `list` is the table's, with the usages STORAGE and COPY_SRC, until the next such search.
   */
  findAll(lookups: Omit<Lookups, "first">): Promise<{ readonly found: number; readonly list: GPUBuffer }>;
  /** Removes all pairs of n keys; a key may be among them twice. */
  eraseAll(keys: Erasures): Promise<Erased>;
}

/** A table whose keys can be erased. */
export interface ErasableTable extends Table {
  /** Removes n keys, as far as they are there. A key may be among them twice. */
  erase(keys: Erasures): Promise<Erased>;
}

/** A table that takes insertions, searches and erasures in one batch. */
export interface MixedTable extends Table {
  /**
   * Slices of operations, each an insertion, a search or an erasure. Rejects with a UsageError for erasures of a `stash` without the access
   * bit, which are left out; the other operations are done.
   */
  mixed(batch: MixedBatch): Promise<Pick<Inserted, "refused">>;
}

/** The place to which a recorded operation writes its outcome: OUTCOME_BYTES from `offset` on. */
export interface OutcomePlace {
  /** A buffer with the usage COPY_DST; in a pass of the caller's, STORAGE. */
  readonly buffer: GPUBuffer;
  /** A multiple of 4. Default: 0. */
  readonly offset?: number;
}

/** A number of items that is in a buffer when the commands run. */
export interface DeviceCount {
  /** A buffer with the usage STORAGE: a u32, which counts as `most` where it is larger. */
  readonly buffer: GPUBuffer;
  /** A multiple of 4. Default: 0. */
  readonly offset?: number;
  /** The buffers of the operation have room for so many items. */
  readonly most: number;
}

/** What a recorded operation takes, whose n may be on the device. */
export type Recorded<Input> = Omit<Input, "n"> & { readonly n: number | DeviceCount };

/** Bytes of one outcome. */
export const OUTCOME_BYTES = STATUS_BYTES;

/** Where an outcome has its `size`, for operations that take their n from it: `n: { buffer, offset: SIZE_OFFSET, most }`. */
export const SIZE_OFFSET = 4;

/** The outcome of a recorded operation. `erased` and `size` are one word of it: read the one that the operation has. */
export interface Outcome {
  /** Pairs of an insertion that were not stored. */
  readonly refused: number;
  /** Of an erasure: keys that were in the table. */
  readonly erased: number;
  /** Of an export: pairs that there are. */
  readonly size: number;
  /**
   * The operation is not to be relied on: a loop reached its bound, the driver has other subgroups than it says, or a build did not
   * succeed with its hash functions (`cuckoo`, `two-level`).
   */
  readonly failed: boolean;
}

/** Reads OUTCOME_BYTES that a recorded operation has written. */
export function readOutcome(words: Uint32Array): Outcome {
  const { refused, changed, bound, misplaced, failed } = statusOf(words);
  return { refused, erased: changed, size: changed, failed: bound + misplaced + failed > 0 };
}

/**
 * A table whose operations can be recorded among the caller's own commands, which then wait for nothing: they run when these are
 * submitted, and in their order. Commands are an encoder's, or a compute pass' that the caller has begun and ends: an operation sets its
 * pipeline and bind group 0. A method throws a UsageError at once where a promise would reject with one.
 *
 * No operation of a promise in which the host has a part may be under way when operations are recorded or submitted. Submit operations of
 * `slab-hash`, `cuckoo` and `two-level`, and of tables with `partitioned`, in the order in which they are recorded, and before you ask
 * for the next promise. The insertion of that promise may take other buffers or other hash functions, or write all of a table that it
 * takes to be cleared.
 *
 * `n` may be a {@link DeviceCount}: of searches, and of insertions and erasures of the tables of one dispatch an operation. The library's
 * README lists them; the others throw a UsageError.
 *
 * The methods are missing where `params` keep the table from being recorded: `resize` of `dycuckoo`, `index: "workgroup"` of `gph`.
 */
export interface RecordableTable extends Table {
  encodeClear(commands: GPUCommandEncoder | GPUComputePassEncoder): void;
  /**
   * Takes the keys that `insert` takes, and refuses pairs for which the host would have to do more. `slab-hash` makes no further slabs,
   * and refuses pairs that find none. `gph` refuses pairs that are not placed after eight refinements. A build of `cuckoo` or `two-level`
   * is one attempt: if it `failed` the table holds some of the pairs. Clear it and record the insertion again, which then has other hash
   * functions. For `dycuckoo`, `gph`, `cuckoo` and `two-level` n is at most `capacity`.
   */
  encodeInsert(
    commands: GPUCommandEncoder | GPUComputePassEncoder,
    pairs: Recorded<Pairs>,
    outcome?: OutcomePlace,
  ): void;
  encodeFind(commands: GPUCommandEncoder | GPUComputePassEncoder, lookups: Recorded<Lookups>): void;
}

/** A recordable table whose keys can be erased. */
export interface RecordableErasableTable extends RecordableTable, ErasableTable {
  encodeErase(
    commands: GPUCommandEncoder | GPUComputePassEncoder,
    keys: Recorded<Erasures>,
    outcome?: OutcomePlace,
  ): void;
}

/** Functions of a table in WGSL; the library's README has their types. */
export type FunctionName = "find" | "insert" | "erase" | "find_or_insert" | "upsert_add" | "upsert_min" | "upsert_max";

/** What of a table a shader wants. */
export interface DeviceOptions {
  /** The number of the bind group. Default: 0. */
  readonly group?: number;
  /** Begins the names of all declarations. Default: `table_`. */
  readonly prefix?: string;
  /** With `find` alone the table is bound for reading. */
  readonly functions: readonly FunctionName[];
}

/** Declarations for a shader of the caller's, without an entry point, and what they bind. */
export interface DeviceFunctions {
  readonly code: string;
  readonly layout: GPUBindGroupLayout;
  /** For bundles of `webgpu-hash-table/wesl`, in place of `code`: conditions for the linker, and constants for the pipeline. */
  readonly wesl: {
    readonly conditions: Readonly<Record<string, boolean>>;
    readonly constants: Readonly<Record<string, number>>;
  };
  /** The buffers of the table as of now: of `cuckoo` other ones are wanted after each insertion. */
  bindGroup(): GPUBindGroup;
}

/** A table whose functions a shader of the caller's may call. Nothing of its promises may be under way when that shader runs. */
export interface ShaderTable extends Table {
  /** Throws a UsageError for a function that the table does not have. */
  device(options: DeviceOptions): DeviceFunctions;
}

/** Operations that a table's module has not by itself, for {@link TableModule.with}: a table that has them is a `More`. */
export interface Operations<More extends Table = Table> {
  readonly kernels: Kernels;
  /** Of types alone. */
  readonly more?: More;
}

/** A table of one kernel an operation that has all of them. */
export type WholeTable = RecordableErasableTable & UpsertingTable & ExportableTable & ShaderTable;

/** `recording` of `webgpu-hash-table/recording`. */
export interface Recording extends Operations {
  readonly recorder: (...given: never) => unknown;
}

/** A table with its kernels, before there is a device. */
export interface TableModule<T extends Table = Table> {
  readonly id: string;
  /** For messages and legends. */
  readonly title: string;
  /**
   * A table on the caller's device, cleared. Rejects with a UsageError for wrong options, with DoesNotFit for a capacity beyond the
   * device's memory or its bindings, with Unsupported if the device lacks what the kernels need, and with DeviceLost. Then nothing is
   * left on the device. Kernels that only promises use, such as those of mixed batches, are made when an operation first needs them. Then
   * that operation rejects with Unsupported.
   */
  create(device: GPUDevice, options: TableOptions): Promise<T>;
  /** For `warm` of `webgpu-hash-table/warm`. */
  readonly prepare: (...given: never) => unknown;
  /**
   * The same with further operations: `recording` of `webgpu-hash-table/recording`, or `operations` of
   * `webgpu-hash-table/quotient-operations`, say, which are recorded, too. Throws a UsageError for those of another table. The function
   * `createTable` loads them by itself.
   */
  with(operations: Recording): TableModule<T & (T extends ErasableTable ? RecordableErasableTable : RecordableTable)>;
  with<More extends Table>(operations: Operations<More>): TableModule<T & More>;
}
