/** `webgpu-hash-table/warm`: kernels of a table that are compiled while a program loads its data. */
export type { Warmed } from "../types.js";
export { warm } from "../warm.js";
