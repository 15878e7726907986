/** Keys and values of cases. */
import { keyConstants, keyRange } from "../../datasets/random.js";
import type { Uniform } from "../../datasets/rng.js";

/** Keys number `first` … `first + count - 1` of a seed. */
export function keysFrom(first: number, count: number, seed: number): number[] {
  return [...keyRange(first, count, keyConstants(seed))];
}

const valueFor = (key: number, salt: number) => (Math.imul(key, 31) ^ salt) >>> 1;

/** A value for each key; with another salt other ones. None is EMPTY. */
export function valuesFor(keys: readonly number[], salt: number): number[] {
  return keys.map((key) => valueFor(key, salt));
}

/** `valuesFor` of many keys. */
export function valueWords(keys: Uint32Array, salt: number): Uint32Array {
  return keys.map((key) => valueFor(key, salt));
}

/** Puts `count` of the items, or all, at the beginning in random order. Returns these, in the same memory. */
export function drawn(items: Uint32Array, draw: Uniform, count = items.length): Uint32Array {
  for (let i = 0; i < count; i++) {
    const at = i + Math.floor(draw() * (items.length - i));
    const item = items[at] ?? 0;
    items[at] = items[i] ?? 0;
    items[i] = item;
  }
  return items.subarray(0, count);
}
