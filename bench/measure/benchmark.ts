/** What a benchmark is: it prepares one cell, which can then be sampled, verified and asked for its metrics. */

import type { Gpu } from "../../kernels/device/gpu.js";
import { type Owned, type Owner, owned } from "../../kernels/device/owned.js";
import type { Parameter, TableType } from "../../kernels/table.js";
import type { CellSpec } from "../experiment.js";
import type { Metric } from "../results/metrics.js";
import type { DeviceKeys } from "../workload/workload.js";
import type { Sampled } from "./sampled.js";

/** Data sets on the device, shared by the cells that use the same one. */
export interface KeyCache {
  get(dataset: string, n: number, seed: number): Promise<DeviceKeys>;
}

export interface BenchContext {
  /** For this cell alone: what is allocated from it is freed with the cell. */
  readonly gpu: Owner;
  readonly keys: KeyCache;
}

/** The memory access the cell's operation cannot avoid, for its share of the limit. */
export interface Access {
  /** Pattern of device/limits. */
  readonly pattern: string;
  /** Accesses an operation; 1 if left out. */
  readonly times?: number;
  /** Bytes of the table that is accessed at random. */
  readonly tableBytes: number;
}

export type PreparedCell = Sampled & {
  /** Operations one sample performs. */
  readonly operations: number;
  /** Hash of the cell's input, hexadecimal. */
  readonly dataHash: string;
  readonly access: Access | null;
  /** Verifies everything that the last sample produced. "" if right, else one line. */
  verify(): Promise<string>;
  /** What is counted or derived, after the timing. `ns` is the median time of a sample. */
  metrics(ns: number): Promise<Metric[]>;
};

export interface Benchmark {
  /** It runs on the CPU: such cells are never measured in turn with GPU cells, whose clocks would fall meanwhile. */
  readonly host: boolean;
  /** It does not touch the GPU at all: its cells may be measured while the GPU is busy with others. Default: it does. */
  readonly withoutGpu?: true;
  /** Parameters of the cells that are not their table's. */
  readonly parameters: readonly Parameter[];
  /** The table whose parameters a cell of that `table` has too. Default: none. Throws if there is no such table. */
  typeOf?(table: string): TableType;
  /** Device bytes the cell will hold while it is sampled, data set excluded; for grouping. */
  bytes(cell: CellSpec): number;
  /** Throws UsageError or DoesNotFit (the cell is skipped) or any other error (the cell has failed). */
  prepare(cell: CellSpec, context: BenchContext): Promise<PreparedCell>;
}

/** Prepares a cell on the device. Throws as `prepare` does; then none of the cell's memory is left. */
export function prepareCell(
  { prepare }: Pick<Benchmark, "prepare">,
  cell: CellSpec,
  gpu: Gpu,
  keys: KeyCache,
): Promise<Owned<PreparedCell>> {
  return owned(gpu, (own) => prepare(cell, { gpu: own, keys }));
}
