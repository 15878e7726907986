/** What every hash table offers: a description, and a class that turns operations into steps on the device. */

import type { Declarations, Declared, Params, TableParameter, Values } from "./declare.js";
import type { Bindings, KernelSource, Step, Timed } from "./device/gpu.js";
import type { Owner } from "./device/owned.js";
import type { OPERATIONS, TableOp } from "./operations.js";

export type { Parameter, Params, Scalar, TableParameter } from "./declare.js";
export type { TableOp } from "./operations.js";

/**
 * Keys and values on the device, u32 each. The harness' tables with parameters keyBytes and valueBytes take records of that size
 * (kernels/common/wide.wgsl); the library's with keyBytes 8 have keys of two words, one after another.
 */
export interface Pairs {
  readonly keys: GPUBuffer;
  readonly values: GPUBuffer;
  readonly n: number;
  /** Only pairs first … first + n - 1 of the buffers; tables that are not `incremental` need not know it. Default 0. */
  readonly first?: number;
}

/** n keys, and room for n answers: `find` writes the value, or EMPTY (in all words) for an absent key. */
export interface Lookups {
  readonly keys: GPUBuffer;
  readonly results: GPUBuffer;
  readonly n: number;
  /** Only items first … first + n - 1 of the buffers; tables that the library has not need not know it. Default 0. */
  readonly first?: number;
}

/** n keys, to erase for instance. */
export interface Erasures {
  readonly keys: GPUBuffer;
  readonly n: number;
  /** As of {@link Lookups}. */
  readonly first?: number;
}

/**
 * What becomes of the value of a key that is there; the numbers are those of kernels/common/upsert.wgsl. `id` is `first` with values
 * of the table's: 0, 1, 2 … for different new keys since it was cleared.
 */
export const RULES = { replace: 0, first: 1, add: 2, min: 3, max: 4, id: 1 } as const;

/** Rules that tell rows the values of their keys. */
export const TELLING: readonly string[] = ["replace", "first", "id"] satisfies (keyof typeof RULES)[];

/** What became of a row: its key was there, or came in with it. Of the rows of a new key one is `new`. */
export const STATES = { refused: 0, new: 1, found: 2 } as const;

/** n rows: pairs whose keys may be there, and repeat. */
export interface Rows extends Omit<Pairs, "values"> {
  /** Of all rules but `id`. */
  readonly values?: GPUBuffer;
  /** With `replace` one of a key's values is kept, with `first` the earlier one. */
  readonly rule: keyof typeof RULES;
  /** Of the rules `replace`, `first` and `id`: room for the value that each key then has; EMPTY of a row that was refused. */
  readonly results?: GPUBuffer;
  /** Room for a word of {@link STATES} per row. */
  readonly states?: GPUBuffer;
  /** Rows of a workgroup with one key come to the table as one. Default: each comes alone, which is faster where few keys repeat. */
  readonly combine?: boolean;
}

/** What the kernel of an upsert depends on; of `results` and `states` whether they are wanted. */
export interface RowsKind extends Pick<Rows, "rule" | "combine"> {
  readonly results?: GPUBuffer | boolean;
  readonly states?: GPUBuffer | boolean;
}

/** Room for n pairs. */
export interface Room {
  readonly keys: GPUBuffer;
  readonly values: GPUBuffer;
  readonly n: number;
}

/** What one operation of a mixed batch does; the numbers stand in the batch's `kinds`. */
export const MIXED_KINDS = { insert: 0, find: 1, erase: 2 } as const;

/** Operations first … first + count - 1 of a batch. */
export interface MixedSlice {
  readonly first: number;
  readonly count: number;
  /** The kind that all of them are of, so that a table need not look for others. */
  readonly only?: keyof typeof MIXED_KINDS;
}

/** Operations of several kinds, one a lane. Slices run one after another; the operations of a slice run concurrently. */
export interface MixedBatch {
  /** A number of MIXED_KINDS for each operation. What another number does, and its result, is not defined: it may erase the key. */
  readonly kinds: GPUBuffer;
  readonly keys: GPUBuffer;
  /** The value to insert; unused by the other kinds. */
  readonly values: GPUBuffer;
  /** find: the value or EMPTY; insert: 1 if the pair got in, else 0; erase: 1 if it erased the key, else 0. */
  readonly results: GPUBuffer;
  readonly slices: readonly MixedSlice[];
}

/**
 * What a retrieval of a present key answers, if not the value of its pair:
 *   member  1: the key is in the set.
 *   id      the number, from 0 on and without gaps, that stands for the key; word `id` of the table's list is the key.
 *   range   two words, (first, count): words first … first + count - 1 of the table's list are the values of the key.
 * Absent keys are answered by EMPTY.
 */
export type Answer = "member" | "id" | "range";

/** Runs steps as one timed pass, and reads what it leaves. */
export type RunSteps = Timed;

export interface OpResult {
  /** GPU time, all passes and attempts together. */
  readonly ns: number;
  /** Pairs that did not get in (the table was full), or keys that were erased. */
  readonly count: number;
  /** Builds thrown away because an eviction chain was too long, or because their way was not for these keys. */
  readonly restarts: number;
  /** Different keys in the input of a build, of tables that answer with a member, an id or a range. */
  readonly distinct?: number;
  /** Of tables that resize themselves. */
  readonly resizing?: Resizing;
  /** Of perfect hashing: pairs whose bucket was full, so that others had to move, or they were refused. */
  readonly overflowed?: number;
}

/** The part of an operation in which the table was resized. */
export interface Resizing {
  /** GPU time, part of the operation's. */
  readonly ns: number;
  readonly upsizes: number;
  readonly downsizes: number;
  /** Resizes that were given up, and left the table as it was: no memory, or no room for a pair that had to move. */
  readonly failed: number;
  /** Most bytes that the table held at a time. */
  readonly peakBytes: number;
  /** The largest share of its pairs that was in the sub-tables of one upsize, and of one downsize; 0 where there was none. */
  readonly upsizedShare: number;
  readonly downsizedShare: number;
}

/** How full a table of sub-tables is at present. */
export interface Filling {
  readonly pairs: number;
  readonly slots: number;
  /** Of the table proper. */
  readonly bytes: number;
  readonly subTables: readonly { readonly pairs: number; readonly slots: number }[];
}

/** What a search for all values of keys says; word i of `list` is a value, and `count` their number. */
export interface Found extends OpResult {
  /** The table's own, as of the last such search. */
  readonly list: GPUBuffer;
}

/** What a table of linked nodes (slabs, say) has at present. */
export interface Occupancy {
  /** Pairs, or keys of a set. */
  readonly pairs: number;
  readonly lists: number;
  /** Nodes in use, and pairs or keys that one has room for. */
  readonly nodes: number;
  readonly perNode: number;
  /** Of the nodes in use, and of what leads to them. */
  readonly bytes: number;
  /** Bytes of pairs / bytes of the memory that holds them. */
  readonly utilisation: number;
}

/** Bytes that retrievals read of a table, for models of them. What is left out is all of the table. */
export interface Reads {
  /** Of an index beside the table, such as a ticket-board. Left out: there is none. */
  readonly indexBytes?: number;
  /** Of the part of the table that lookups visit at a time. Left out: all of it. */
  readonly partBytes?: number;
  /** Of the blocks that several lanes read together: the keys, say. */
  readonly blockBytes?: number;
  /** Retrievals halve a sorted array: each of their steps has twice as many places as the one before. */
  readonly sorted?: boolean;
}

/** A table whose contents can be copied and put back. */
export interface Restorable {
  /** Notes what the table knows beside what its buffers hold; what it returns puts that back, after the buffers. */
  remember(): () => void;
  /** The buffers that hold its contents at present. Default: always those that it was made with. */
  holding?(): readonly GPUBuffer[];
}

/** What is known of a table's memory, for those who read, model, copy or bind it. */
export interface Storage {
  readonly reads?: Reads;
  /** The keys by id, or the values of each key side by side: see `Answer`. As of the last build. */
  readonly list?: GPUBuffer;
  /** Buffers of which a word DELETED marks the slot of an erased key, which searches pass. Default: erased keys leave no marks. */
  readonly marked?: readonly GPUBuffer[];
  /** Default: the table can only be built again. */
  readonly restorable?: Restorable;
  /** Default: kernels of others cannot call the table's functions. */
  readonly shader?: ShaderSource;
}

/** A table of sub-tables that changes its size. */
export interface Resizable {
  /** Known without asking the device. */
  filling(): Filling;
  /** Whether it keeps its size when up to so many of its keys are erased. Known without asking the device. */
  stays(erased: number): boolean;
  /** One resize, whether the filled factor wants it or not, as the table does it or, for comparison, by inserting the pairs anew. */
  resize(run: RunSteps, direction: "up" | "down", how?: "relocate" | "rehash"): Promise<OpResult>;
}

/** A table of linked nodes. */
export interface Nodes {
  /** Further nodes are made when they are needed: `slots` is what n pairs take. */
  readonly grow: boolean;
  /** Counted on the device, untimed. */
  occupancy(): Promise<Occupancy>;
  /** Nodes beside each list's first that the allocator has handed out, read from its bits; null where it does not know. */
  allocated?(): Promise<number | null>;
  /** Packs what erased keys have left; `count`: nodes that are free again. Nothing else runs beside it. Default: there is none. */
  flush?(run: RunSteps): Promise<OpResult>;
}

/** A table in which a key may have several pairs; its `erase` takes one of them. */
export interface Multimap {
  /** All values of each key: `results` are n ranges of the list that is returned, as `Answer` has them. */
  findAll(run: RunSteps, lookups: Lookups): Promise<Found>;
  eraseAll(run: RunSteps, keys: Erasures): Promise<OpResult>;
}

/**
 * Operations whose dispatches are known beforehand, so that a program can record them among its own commands. The status begins at
 * zero for each of them. `refused` are all pairs that did not get in, `changed` the keys that were erased, and not 0 where the operation
 * is not to be relied on are `bound`, `misplaced` and `failed`. Members that make steps are called when an operation is recorded.
 */
export interface Recordable {
  readonly status: GPUBuffer;
  /** Pairs of an insertion, at most. Default: as many as there may be. */
  readonly most?: number;
  clear(): readonly Step[];
  insert(pairs: Pairs): readonly Step[];
  find(lookups: Lookups): readonly Step[];
  erase?(keys: Erasures): readonly Step[];
  /** Makes the kernel of one kind of upsert, and then its steps. Default: none is recorded. */
  upserting?(kind: RowsKind): Promise<(rows: Omit<Rows, "rule">) => readonly Step[]>;
  /** Makes the kernel that lists all pairs, and then its steps; `changed` counts the pairs. Default: none is recorded. */
  exporting?(): Promise<(room: Room) => readonly Step[]>;
  /** What another table takes over. Default: none does. */
  readonly moving?: Moving;
}

/** The contents of a table, for one that takes its place. */
export interface Moving {
  /** Makes the kernel, and then what lists the pairs of one piece of the table each, at most so many; `changed` counts them. */
  pieces(most: number): Promise<readonly ((room: Room) => Step)[]>;
  /** The next number of the rule `id`; null where the table has no such rule. */
  readonly next_id: GPUBuffer | null;
}

/** What functions of a table's kernels are linked with, for kernels of a program's own. */
export interface ShaderSource extends Pick<KernelSource, "conditions" | "constants" | "sizes" | "fixed"> {
  /** Of the kernel files that have the functions; left out: there is a search alone. */
  readonly folder?: string;
  /** What is bound to the names of variables, as of now. */
  bound(): Bindings;
}

/** Who runs a table: WebGPU, or a program of its own (`bench/native`). */
export const APIS = ["webgpu", "cuda", "hip", "cpu"] as const;
export type Api = (typeof APIS)[number];

/** A table in a program of its own, which times itself: the runner of an operation is not used. */
export interface Outside {
  /** A search for its time alone: keys that were brought to the program once are not brought again, and answers stay there. */
  find(lookups: Lookups): Promise<OpResult>;
}

interface Inputs {
  readonly pairs: Pairs;
  readonly lookups: Lookups;
  readonly keys: Erasures;
  readonly batch: MixedBatch;
  readonly rows: Rows;
  /** Null: pairs are counted alone. */
  readonly room: Room | null;
}

type Operation<Op extends TableOp> = (
  run: RunSteps,
  input: Inputs[(typeof OPERATIONS)[Op]["input"]],
) => Promise<OpResult>;

type RequiredOp = { [Op in TableOp]: (typeof OPERATIONS)[Op] extends { readonly always: true } ? Op : never }[TableOp];

/** The operations of a table, each as operations.ts has it. */
export type TableOperations = { [Op in RequiredOp]: Operation<Op> } & {
  [Op in Exclude<TableOp, RequiredOp>]?: Operation<Op>;
};

/** A table on the device. Operations are bulk: one call, all items, concurrent. */
export interface GpuTable extends TableOperations {
  /** Slots for pairs, after rounding. */
  readonly slots: number;
  /** Bytes of the table proper, at present. */
  readonly bytes: number;
  readonly storage?: Storage;
  readonly resizable?: Resizable;
  readonly nodes?: Nodes;
  readonly multimap?: Multimap;
  readonly outside?: Outside;
  /** Makes the kernels of all these operations, and what they need beside the table. Default: the host has a part in some of them. */
  recordable?(): Promise<Recordable>;
  /** Empties the table: untimed, and what every insertion benchmark runs before a sample. */
  clear(): Promise<void>;
}

/** What a table is made for. */
export interface Making {
  /** Pairs the table is sized for; of tables with `answers`, pairs of the input, equal keys counted each. */
  readonly n: number;
  /**
   * Insertions planned until the table is cleared, of tables that do not reuse slots; the others need not know it. Default: n.
   */
  readonly insertions?: number;
  /** Pairs / slots; of a compact table, whose pairs take less than 8 bytes, 8 bytes a pair / bytes of the table. */
  readonly loadFactor: number;
  readonly seed: number;
  /** Of a keyed hash: two words, the lower first. Default: made of the seed. */
  readonly secret?: readonly [low: number, high: number] | undefined;
  /** Make the steps of the counting variant. */
  readonly counting: boolean;
}

/** The memory access an operation cannot avoid, as device/limits measures it, for the share of the limit. */
export interface UnavoidableAccess {
  /** A pattern of device/limits, such as `lookup32` or `cas`. */
  readonly pattern: string;
  /** How many such accesses an operation cannot avoid, where it is not one. */
  readonly times?: number;
  /** Lanes that read it together, where parameters decide it. Default: as the pattern says. */
  readonly lanes?: number;
  /** It goes to the index beside the table (`indexBytes`), not to the table. */
  readonly ofIndex?: true;
  /** In words, for the report. */
  readonly why: string;
}

/** What a table's size depends on beside pairs and load factor. */
export interface Sizing {
  /** Exactly one slot a pair: there is no load factor to choose, and the table's cells have none. Default: there is. */
  readonly dense?: boolean;
  /** It rounds its size by a rule of its own, or grows: its load factor is near the one asked for. Default: it has the slots that were asked for. */
  readonly ownSize?: boolean;
  /** Numbers of pairs, at load factor 0.8 or the largest below, from which on the table works in another way: `verify` checks it there. */
  readonly thresholds?: readonly number[];
  /** Of its bytes those with its locks, tickets, stashes and indexes, without what operations take for themselves. Default: all. */
  held?(n: number, loadFactor: number): number;
}

/** What a table is with given values of its parameters. */
export interface Traits {
  readonly ops: readonly TableOp[];
  /** Who runs it. Default: webgpu. */
  readonly api?: Api;
  /** Sets, compacting and multivalue tables: their input may have every key many times. Default: the value of a pair. */
  readonly answers?: Answer;
  /** Largest load factor the table can be built at. */
  readonly maxLoadFactor: number;
  /** Beyond it the table refuses some pairs, and counts them. Default: it takes all that its load factors allow. */
  readonly safeLoadFactor?: number;
  readonly sizing?: Sizing;
  /** The table takes a key that occurs twice in its input (last value wins); else duplicates are an error of the input. */
  readonly duplicates: boolean;
  /** A second insertion adds to the first; else every insertion is a build and wants a cleared table. */
  readonly incremental: boolean;
  /** Insertions reuse the slots of erased keys; else they stay lost until the table is cleared. Default: they do not. */
  readonly reusesSlots?: boolean;
  /** It stores no values, and finds answer with the key itself. Default: it stores them. */
  readonly keysOnly?: boolean;
  /**
   * Undefined for tables on the CPU: their rates are no shares of a GPU's limits.
   * @param present share of the keys that a retrieval finds. Default: all
   */
  access(op: TableOp, present?: number): UnavoidableAccess | undefined;
  /** Bytes the table takes, for planning. */
  bytes(n: number, loadFactor: number): number;
  /**
   * Called by `createTable` alone, which checks the load factor before, and frees what is allocated from `gpu`. Kernels are made when an
   * operation first wants them. Throws DoesNotFit, Unsupported, or a UsageError if the parameters do not go with the size or the device.
   */
  create(gpu: Owner, making: Making): Promise<GpuTable>;
}

interface Identity {
  readonly id: string;
  /** Name in legends. */
  readonly title: string;
  readonly source: string;
  /** The system that it is measured in place of, and what it is instead: claims about it are by a stand-in. Default: it is what it is called. */
  readonly standsInFor?: string;
  /** Its pairs are in host memory: operations go in rounds between host and GPU. Default: they are on the device. */
  readonly hostMemory?: true;
  /**
   * Parameters with which a mixed slice may have operations of all kinds that the table has, and searches for keys that the
   * slice inserts or erases. Default: none are needed.
   */
  readonly mixedParams?: Params;
  /** Parameters with which the table is a `multimap`. Default: it never is. */
  readonly multimapParams?: Params;
  /** `nodes` has `flush`. Default: it has not. */
  readonly flushes?: true;
}

/** A table as its author describes it; `defineTable` makes it a type. */
export interface Description<Own extends Declarations = Declarations> extends Identity {
  readonly parameters: Declared<Own>;
  /** Why values that are allowed do not go with one another; "" if they do. Default: they do. */
  conflict?(params: Values<Own>): string;
  /** Called with all of the table's parameters, each with a value that it takes, and none in conflict. */
  configure(params: Values<Own>): Traits;
}

/** A table with values of its parameters: the defaults, where `configure` gave no others. */
export interface TableType extends Identity, Omit<Traits, "sizing">, Required<Sizing> {
  readonly parameters: readonly TableParameter[];
  /** All of them. */
  readonly params: Params;
  readonly safeLoadFactor: number;
  /** It refuses pairs beyond `safeLoadFactor`. */
  readonly refuses: boolean;
  readonly description: Description;
}
