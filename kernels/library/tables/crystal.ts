/** `webgpu-hash-table/crystal`: see kernels/double-hashing/README.md. */
import { crystalWith } from "../../double-hashing/double-hashing.js";
import { slotModule } from "../slots.js";

export * from "../shared.js";

/** A pair a slot, linear probing: the table of Crystal's join. */
export const crystal = slotModule(crystalWith);
