/** What a benchmark is: it prepares one cell, which can then be sampled, verified and asked for its metrics. */

import type { Gpu } from "../../kernels/device/gpu.js";
import { type Owned, type Owner, owned } from "../../kernels/device/owned.js";
import type { Api, Parameter, TableType } from "../../kernels/table.js";
import type { CellSpec } from "../base/experiment.js";
import type { Sampled } from "../measure/sampled.js";
import { Shared } from "../measure/shared.js";
import type { Metric } from "../results/metrics.js";
import type { DeviceKeys } from "./workload/keys.js";

/** Data sets on the device, shared by the cells that use the same one. */
export interface KeyCache {
  /** @param inParts whether keys beyond the largest binding may come in parts */
  get(dataset: string, n: number, seed: number, inParts?: boolean): Promise<DeviceKeys>;
}

export interface BenchContext {
  /** The device for this cell alone: its allocations are freed with the cell. */
  readonly gpu: Owner;
  readonly keys: KeyCache;
  /** Buffers for cells that need the same ones and do not change them. */
  readonly shared: Shared;
}

/** The memory access the cell's operation cannot avoid, for its share of the limit. */
export interface Access {
  /** Pattern of device/limits. */
  readonly pattern: string;
  /** Accesses an operation; 1 if left out. */
  readonly times?: number;
  /** Bytes of the table that is accessed at random. */
  readonly tableBytes: number;
  /** They are an index's, which is in the device's memory where the table is in the host's. */
  readonly ofIndex?: true;
  /** What the operation cannot avoid either, at the same time: its limit is the lower one. */
  readonly beside?: Access | undefined;
}

/** Bytes that operations read or write side by side, as the rate of a copy limits them. */
export function movedBytes(bytes: number, operations: number, beside?: Access): Access {
  return { pattern: "copy", times: bytes / 32 / operations, tableBytes: bytes / 2, beside };
}

/** A cell that ends within the run of another one. */
export interface Stage {
  readonly operations: number;
  /** Hash of its own input. Default: the hash of the cell whose run it is. */
  dataHash?(): Promise<string>;
  /** Its nanoseconds in a run of the other cell. @param run which call of `sample` that was, from 0 */
  ns(run: number): number;
  metrics(): Promise<Metric[]>;
}

export type PreparedCell = Sampled & {
  /** Operations one sample performs. */
  readonly operations: number;
  /** Hash of the cell's input, hexadecimal. */
  readonly dataHash: string;
  readonly access: Access | null;
  /** Verifies everything that the last sample produced. "" if right, else one line. */
  verify(): Promise<string>;
  /** Bytes that its table holds for each pair stored, after `verify`. Left out where there is no table of pairs on the GPU. */
  heldPerPair?: (() => number) | undefined;
  /** Metrics that are counted or derived after the timing. `ns` is the median time of a sample. */
  metrics(ns: number): Promise<Metric[]>;
  /** Another cell of the cell's `history`, which ends no later. The verification of this cell covers it. */
  stage?(cell: CellSpec): Stage;
};

/** A run that several cells are prefixes of. */
export interface History {
  readonly name: string;
  /** Length of the prefix that is the cell. */
  readonly length: number;
}

/** Device bytes of a cell: all, and by name the part that other cells may share. */
export interface CellBytes {
  readonly all: number;
  readonly shared: Readonly<Record<string, number>>;
}

/** An operation that a benchmark times, and the axes of an experiment that are its own. */
export interface Operation {
  /** A value of `CellSpec.op`. */
  readonly id: string;
  /** It asks for keys, present or absent: its cells have a positive ratio. */
  readonly asks?: boolean;
  /** It asks for as many keys as the experiment's `lookups` says, where that is a number. */
  readonly lookups?: boolean;
}

/** A series of a benchmark: one value of `CellSpec.table`. */
export interface KnownSeries {
  readonly id: string;
  readonly title: string;
  /** Ids of the benchmark's operations that it has. */
  readonly ops: readonly string[];
  /** Whether its cells have a load factor to choose. Default: they have none. */
  readonly loadFactors?: boolean;
}

/** The tables of a benchmark's cells. */
export interface CellTables {
  /** The table whose parameters a cell of that `table` has too. Throws if there is no such table. */
  typeOf(table: string): TableType;
  /** The cell's table, with its parameters. `bytes` and `prepare` call it themselves. Throws a UsageError for parameters that neither of the two takes. */
  tableOf(cell: CellSpec): TableType;
}

/** What runs a benchmark's cells. */
export interface Runs {
  /** The API of the table of that id. Tables of the API `cpu` are timed by the CPU's clock. */
  api(table: string): Api;
  /**
   * The cells use no GPU and leave cores free, so they may be measured while the GPU measures others. Default: they may not, such as
   * tables in host memory, which the CPU's clock times.
   */
  readonly besideGpu?: true;
}

/** How a benchmark's rates and the device's limits go together. */
export interface Limits {
  /** They are the limits, to which the shares of others refer. */
  readonly sets?: true;
  /** Patterns of the limits that the cell's share may refer to. Left out: its cells have no share. */
  patternsOf?(cell: CellSpec): readonly string[];
}

export interface Benchmark {
  /** The kind of its series. */
  readonly measures: "GPU table" | "CPU table" | "access pattern" | "allocator" | "query";
  readonly operations: readonly Operation[];
  /** All of them, as of now: plug-ins bring tables. */
  series(): readonly KnownSeries[];
  /** Parameters of the cells that are not their table's. */
  readonly parameters: readonly Parameter[];
  /** Facts of the cells' tables. Default: cells have no table. */
  readonly tables?: CellTables;
  /**
   * What times a sample: the GPU's timestamps, or the CPU's clock. Cells of the CPU's clock are never measured in turn with
   * others, as the GPU's clocks would fall meanwhile.
   */
  readonly clock: "gpu" | "cpu";
  /** Default: WebGPU runs all. */
  readonly runs?: Runs;
  readonly limits?: Limits;
  /** Whether there is such a cell: experiments leave others out. Default: there is. */
  exists?(cell: CellSpec): boolean;
  /** Cells of one history are measured by one run, that of the longest. Default, and null: each by its own. */
  history?(cell: CellSpec): History | null;
  /** Device bytes the cell will hold while it is sampled, data set excluded; for grouping. */
  bytes(cell: CellSpec): number;
  /** The part of these bytes that the cell shares with other cells of the benchmark, by name. Default: none. */
  sharedBytes?(cell: CellSpec): Readonly<Record<string, number>>;
  /** Throws UsageError or DoesNotFit (the cell is skipped) or any other error (the cell has failed). */
  prepare(cell: CellSpec, context: BenchContext): Promise<PreparedCell>;
}

/** Prepares a cell on the device. Throws as `prepare` does; then none of the cell's memory is left. */
export function prepareCell(
  { prepare }: Pick<Benchmark, "prepare">,
  cell: CellSpec,
  gpu: Gpu,
  keys: KeyCache,
  shared = new Shared(gpu),
): Promise<Owned<PreparedCell>> {
  return owned(gpu, (own) => prepare(cell, { gpu: own, keys, shared }));
}
