/** Operations that several benchmarks time. */
import type { Operation } from "./benchmark.js";

export const INSERT = { id: "insert" } as const satisfies Operation;
export const FIND = { id: "find", asks: true, lookups: true } as const satisfies Operation;
export const ERASE = { id: "erase" } as const satisfies Operation;
/** A mixed batch asks for as many keys as it inserts. */
export const MIXED = { id: "mixed", asks: true } as const satisfies Operation;
