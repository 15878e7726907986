/** `webgpu-hash-table/linear-probing`: see kernels/double-hashing/README.md. */
import { linearProbingWith } from "../../double-hashing/double-hashing.js";
import { slotModule } from "../slots.js";

export * from "../shared.js";

/** One pair a slot, a power of two of slots, from one to the next: the table that applications write for themselves. */
export const linearProbing = slotModule(linearProbingWith);
