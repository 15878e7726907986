/** Load factors and bytes: a pair of two 32-bit words has a slot of 8 bytes, and compact tables are compared by that. */

import { PAIR_BYTES } from "../../kernels/common/steps.js";

/** Load factor of n pairs in slots of so many bytes. */
export function loadFactorIn(bytes: number, n: number): number {
  return (n * PAIR_BYTES) / bytes;
}

/** Bytes of the slots of n pairs at a load factor. */
export function slotBytes(n: number, loadFactor: number): number {
  return (n * PAIR_BYTES) / loadFactor;
}
