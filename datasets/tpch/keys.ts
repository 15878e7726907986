/** Keys of `lineitem`: three columns hashed to 32 bits. Kept apart from the row generator because speed matters here. */
import { keyConstants, mix } from "../random.js";
import { LINE_SEEDS, MAX_LINES, ORDER_SEEDS, orderKey, partsAt, scale, skip, step } from "./streams.js";

/** A run of orders whose keys are wanted. Plain data, as it is sent to worker threads. */
export interface KeyBlock {
  /** 0-based number of the first order. */
  readonly first: number;
  readonly orders: number;
  readonly sf: number;
  readonly seed: number;
}

/**
 * Hashes of (orderkey, partkey, linenumber) of every line of the block's orders, in dbgen's order; any u32, with
 * duplicates. The hash is three rounds of `mix`, each salted with a constant of the seed:
 * mix((mix((mix(orderkey + k0) ^ partkey) + k1) ^ linenumber) + k2).
 */
export function blockKeys({ first, orders, sf, seed }: KeyBlock): Uint32Array {
  const [k0, k1, k2] = keyConstants(seed);
  const parts = partsAt(sf);
  const keys = new Uint32Array(orders * MAX_LINES);
  let lineState = skip(ORDER_SEEDS.lines, first);
  let partState = skip(LINE_SEEDS.partkey, first * MAX_LINES);
  let rows = 0;
  for (let order = first; order < first + orders; order++) {
    lineState = step(lineState);
    const lines = 1 + scale(lineState, MAX_LINES);
    const orderHash = mix(orderKey(order) + k0);
    for (let line = 1; line <= lines; line++) {
      partState = step(partState);
      const partHash = mix((orderHash ^ (1 + scale(partState, parts))) + k1);
      keys[rows++] = mix((partHash ^ line) + k2);
    }
    for (let line = lines; line < MAX_LINES; line++) partState = step(partState);
  }
  return keys.subarray(0, rows);
}
