/** What a cell's parameters are: some its benchmark's, some its table's. */
import { UsageError } from "../../kernels/device/errors.js";
import { check, defaultsOf, reachOf, resolve } from "../../kernels/parameters.js";
import type { GpuTable, Parameter, Params, TableType } from "../../kernels/table.js";
import type { CellSpec } from "../experiment.js";
import type { Benchmark } from "../measure/benchmark.js";

/** Of a benchmark of lookups; without it there are as many as pairs. */
export const LOOKUPS: Parameter = {
  ...{ name: "lookups", from: 1, to: 2 ** 32 - 2, integer: true },
  meaning: "keys that are asked for",
};

/** A cell's parameters but for those that the benchmark declares: its table's. */
export function tableParams({ params }: Pick<CellSpec, "params">, declared: readonly Parameter[]): Params {
  const own = new Set(declared.map(({ name }) => name));
  return Object.fromEntries(Object.entries(params).filter(([name]) => !own.has(name)));
}

/** A cell's table, and all of its parameters. */
export interface CellTable {
  readonly type: TableType;
  readonly params: Params;
}

/**
 * The cell's table, if it has one. Throws a UsageError of one line for a parameter that neither the cell's benchmark nor its
 * table knows, a value that it does not take, or values that do not go with one another.
 */
export function checkCell(
  { parameters, typeOf }: Pick<Benchmark, "parameters" | "typeOf">,
  cell: CellSpec,
): CellTable | null {
  const type = typeOf?.(cell.table);
  check(`${cell.experiment}: ${cell.table}`, [...parameters, ...(type?.parameters ?? [])], cell.params);
  return type ? { type, params: resolve(type, tableParams(cell, parameters)) } : null;
}

/** The cell's; of one without, whose size another parameter gives, such as `buckets`: the largest, which then decides nothing. */
export function loadFactorOf({ loadFactor }: Pick<CellSpec, "loadFactor">, type: TableType, params: Params): number {
  return loadFactor ?? reachOf(type, { ...defaultsOf(type.parameters), ...params });
}

/** The cell's. Throws a UsageError if it has none. */
export function givenLoadFactor({
  experiment,
  table,
  loadFactor,
}: Pick<CellSpec, "experiment" | "table" | "loadFactor">): number {
  if (loadFactor === null) throw new UsageError(`${experiment}: ${table} needs a load factor`);
  return loadFactor;
}

/** Slots beyond those asked for that a table may have by rounding: this share, or so many where it is small. */
const ROUNDED = { share: 0.05, slots: 4096 };
const PAIR_BYTES = 8;

/**
 * Throws a UsageError if the table of n pairs is not as full as the cell says, by its slots or, as compact tables count, by
 * its bytes: it would be drawn and compared among tables of another load factor.
 */
export function checkFilled({ table, loadFactor, params }: CellSpec, n: number, made: GpuTable): void {
  if (loadFactor === null || params.buckets || made.grows) return;
  const fits = (slots: number): boolean => {
    const beyond = Math.abs(slots - n / loadFactor);
    return beyond <= ROUNDED.slots || beyond <= (ROUNDED.share * n) / loadFactor;
  };
  if (fits(made.slots) || fits(made.bytes / PAIR_BYTES)) return;
  const reached = Number((n / made.slots).toPrecision(3));
  throw new UsageError(
    `${table}: ${made.slots} slots for ${n} pairs are a load factor of ${reached}, not ${loadFactor}`,
  );
}

/** Throws a UsageError if nothing gives the table's size. */
export function checkSized({ experiment, table, loadFactor, params }: CellSpec): void {
  if (loadFactor === null && !params.buckets) {
    throw new UsageError(`${experiment}: ${table} needs a load factor, or buckets if it has such a parameter`);
  }
}
