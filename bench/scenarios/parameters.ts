/** Parameters of benchmarks: those of a cell that are not its table's. */
import { UsageError } from "../../kernels/device/errors.js";
import type { Parameter } from "../../kernels/table.js";
import type { CellSpec } from "../base/experiment.js";

/** A parameter that is a whole number, `to` included. */
export function whole(name: string, from: number, to: number, meaning: string): Parameter {
  return { name, from, to, integer: true, meaning };
}

/** A parameter that is a number, `to` included. */
export function real(name: string, from: number, to: number, meaning: string): Parameter {
  return { name, from, to, integer: false, meaning };
}

/** Most keys that a buffer of keys may have. */
export const MOST_KEYS = 2 ** 32 - 2;

/** Number of lookups. Default: as many as pairs. */
export const LOOKUPS = whole("lookups", 1, MOST_KEYS, "keys that are asked for");

/** Lookups of the cell: its `lookups` parameter, else as many as pairs. */
export function lookupsOf({ params, n }: CellSpec): number {
  return Number(params.lookups ?? n);
}

/** What a benchmark has of the cell's series. Throws a UsageError if there is no such series. */
export function ownOf<Own extends { readonly id: string }>({ table, bench }: CellSpec, all: readonly Own[]): Own {
  const found = all.find(({ id }) => id === table);
  if (!found) throw new UsageError(`the benchmark ${bench} has no series ${table}`);
  return found;
}
