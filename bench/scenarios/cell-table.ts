/** The table of a cell: its type, its parameters and its load factor, resolved once. */

import { PAIR_BYTES } from "../../kernels/common/steps.js";
import { createTable } from "../../kernels/create.js";
import { configure } from "../../kernels/define.js";
import { DoesNotFit, UsageError } from "../../kernels/device/errors.js";
import { Owner } from "../../kernels/device/owned.js";
import { check } from "../../kernels/parameters.js";
import type { GpuTable, Making, Parameter, Params, TableType, UnavoidableAccess } from "../../kernels/table.js";
import type { CellSpec } from "../base/experiment.js";
import { rounded } from "../base/format.js";
import { DEVICE_SHARE, memoryOf, PIECES, placementOf } from "./allocation.js";
import { whole } from "./parameters.js";
import { parted, partSize } from "./parted.js";

/** Slots beyond those asked for that a table may have by rounding: a share, or for a small table a number. */
const ROUNDED = { share: 0.05, slots: 4096 };
/** Dawn puts smaller buffers together, in memory of the device. */
const DAWNS_BYTES = 2 ** 22;
/** Of a table in host memory, at least: it may consist of several buffers. */
const HOST_BYTES = 16 * DAWNS_BYTES;

/** Of cells whose table is larger than what a kernel binds: operations are insertions and searches alone. */
export const PARTS = whole("parts", 1, 64, "tables that the cell's consists of, each for the keys of its own hashes");

/** A benchmark's declaration of the parameters of its cells. */
export interface Declared {
  /** Parameters that are not the table's. */
  readonly parameters: readonly Parameter[];
  /** Values of the table's parameters that its cells have unless they say otherwise. Default: the parameters' own defaults. */
  presets?(cell: CellSpec, type: TableType): Params;
}

export class CellTable {
  /** With the cell's parameters. */
  readonly type: TableType;
  /** The cell's; of one whose size another parameter gives, such as `buckets`, the largest, which then decides nothing. */
  readonly loadFactor: number;

  /**
   * Throws a UsageError of one line for a parameter that neither the cell's benchmark nor its table knows, a value that it does
   * not take, or values that do not go with one another.
   */
  constructor(
    readonly cell: CellSpec,
    type: TableType,
    { parameters, presets }: Declared,
  ) {
    checkNames(cell, [...parameters, ...type.parameters]);
    const declared = new Set(parameters.map(({ name }) => name));
    const own = Object.entries(cell.params).filter(([name]) => !declared.has(name));
    this.type = configure(type, { ...presets?.(cell, type), ...Object.fromEntries(own) });
    this.loadFactor = this.type.dense ? 1 : (cell.loadFactor ?? this.type.maxLoadFactor);
  }

  /** Bytes of a table for n pairs. */
  bytes(n = this.cell.n): number {
    return this.type.bytes(n, this.loadFactor);
  }

  /**
   * Bytes that it holds for each pair stored, with locks, tickets, stashes and indexes.
   * @param n different keys that it was made for; of these it refused `refused`
   */
  heldPerPair(n: number, refused = 0): number {
    return this.type.held(n, this.loadFactor) / (n - refused);
  }

  /** The access that an operation of the table cannot avoid; undefined if it has no such operation. @param cell asks it */
  access(op: string, { positiveRatio }: Pick<CellSpec, "positiveRatio"> = this.cell): UnavoidableAccess | undefined {
    const known = this.type.ops.find((one) => one === op);
    return known && this.type.access(known, positiveRatio ?? 1);
  }

  /** A table on the device, not yet cleared. Throws as `createTable` does. */
  async create(gpu: Owner, size: Pick<Making, "n" | "insertions">): Promise<GpuTable> {
    const { type, loadFactor, cell } = this;
    const parts = Number(cell.params[PARTS.name] ?? 1);
    const making = { ...size, loadFactor, seed: cell.seed, counting: false };
    if (parts === 1) return createTable(type, this.placed(gpu, size.n), making);
    const tables: GpuTable[] = [];
    const n = partSize(size.n, parts);
    for (let i = 0; i < parts; i++) tables.push(await createTable(type, this.placed(gpu, n), { ...making, n }));
    return parted(gpu, tables);
  }

  /** Whose buffers lie where the cell's table does. Throws DoesNotFit for a table that is too small to lie in host memory. */
  private placed(gpu: Owner, n: number): Owner {
    const { cell } = this;
    if (memoryOf(cell) !== "host") return gpu;
    const bytes = this.type.held(n, this.loadFactor);
    const share = cell.params[DEVICE_SHARE.name];
    if (bytes < (share === undefined ? HOST_BYTES : PIECES * DAWNS_BYTES))
      throw new DoesNotFit(`a table of ${bytes} bytes: small buffers do not get host memory`);
    return new Owner(gpu, "", share === undefined ? "host" : placementOf(bytes, Number(share), gpu.maxBinding));
  }

  /**
   * Throws a UsageError if the table of n pairs is not as full as the cell says, by its slots or, for compact tables, by its bytes.
   * Otherwise it would be drawn and compared among tables of another load factor.
   */
  checkFilled(n: number, made: Pick<GpuTable, "slots" | "bytes" | "nodes">): void {
    const { table, loadFactor } = this.cell;
    if (loadFactor === null || this.type.dense || this.cell.params.buckets || made.nodes?.grow) return;
    if (this.type.ownSize) return;
    const fits = (slots: number): boolean => {
      const beyond = Math.abs(slots - n / loadFactor);
      return beyond <= ROUNDED.slots || beyond <= (ROUNDED.share * n) / loadFactor;
    };
    if (fits(made.slots) || fits(made.bytes / PAIR_BYTES)) return;
    const reached = rounded(n / made.slots, 3);
    throw new UsageError(
      `${table}: ${made.slots} slots for ${n} pairs are a load factor of ${reached}, not ${loadFactor}`,
    );
  }
}

/** Throws a UsageError of one line for a parameter of the cell that is not among these, or a value that one does not take. */
export function checkNames({ experiment, table, params }: CellSpec, known: readonly Parameter[]): void {
  check(`${experiment}: ${table}`, known, params);
}
