/** `webgpu-hash-table/double-hashing`: see kernels/double-hashing/README.md. */
import { doubleHashingWith } from "../../double-hashing/double-hashing.js";
import { slotModule } from "../slots.js";

export * from "../shared.js";

/** A pair a slot, double hashing. */
export const doubleHashing = slotModule(doubleHashingWith);
