/** What the benchmarks of GPU tables measure: operations, and the tables that have them. */
import type { TableType } from "../../kernels/table.js";
import type { KnownSeries, Operation } from "../measure/benchmark.js";

export const INSERT: Operation = { id: "insert" };
export const FIND: Operation = { id: "find", asks: true, lookups: true };
export const ERASE: Operation = { id: "erase" };
/** A mixed batch asks for as many keys as it inserts. */
export const MIXED: Operation = { id: "mixed", asks: true };

/** The tables that have any of these operations, each with those that it has. */
export function tablesWith(operations: readonly Operation[], types: readonly TableType[]): KnownSeries[] {
  return types.flatMap(({ id, title, ops, dense }) => {
    const own = operations.map((operation) => operation.id).filter((op) => ops.some((has) => has === op));
    return own.length > 0 ? [{ id, title, ops: own, loadFactors: !dense }] : [];
  });
}
