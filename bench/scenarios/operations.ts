/** Operations of tables, as benchmarks time them. */
import { shapeOf, type TableOp } from "../../kernels/operations.js";
import type { Operation } from "./benchmark.js";

/** A mixed batch asks for as many keys as it inserts. */
export function timed<Op extends TableOp>(id: Op) {
  const { input } = shapeOf(id);
  const lookups = input === "lookups";
  return { id, asks: lookups || input === "batch", lookups } satisfies Operation;
}

export const INSERT = timed("insert");
export const FIND = timed("find");
export const ERASE = timed("erase");
export const MIXED = timed("mixed");
