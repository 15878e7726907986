/** Keys and values of cases. */
import { keyConstants, keyRange } from "../../datasets/random.js";

/** Keys number `first` … `first + count - 1` of a seed. */
export function keysFrom(first: number, count: number, seed: number): number[] {
  return [...keyRange(first, count, keyConstants(seed))];
}

/** A value for each key; with another salt other ones. None is EMPTY. */
export function valuesFor(keys: readonly number[], salt: number): number[] {
  return keys.map((key) => (Math.imul(key, 31) ^ salt) >>> 1);
}
