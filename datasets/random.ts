/**
 * The data set `random`: key i is a seeded bijection of i. Keys are therefore unique without a deduplication pass, and
 * keys that are not in the stream are those of larger i. The GPU makes the same keys: kernels mirror `keyOf` exactly.
 */
import { UsageError } from "../kernels/device/errors.js";
import { DELETED, type KeySource, type KeySourceOptions } from "./dataset.js";

/** Keys there are: every u32 but EMPTY and DELETED. Also the bound of `keyOf`'s first argument (exclusive). */
export const KEY_SPACE = DELETED;

/** The three words drawn from a seed that `keyOfWith` needs; a kernel gets them as uniforms. */
export type KeyConstants = readonly [k0: number, k1: number, k2: number];

/**
 * Finaliser on u32 of two xorshift-multiply rounds, a bijection. Constants: "lowbias32" of C. Wellons' hash-prospector,
 * https://github.com/skeeto/hash-prospector (bias 0.11, the lowest known for this form).
 */
export function mix(x: number): number {
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return (x ^ (x >>> 15)) >>> 0;
}

/** The constants of a seed: `mix` of seed + j * 0x9E3779B9 (the golden ratio), j = 1, 2, 3, as in a Weyl sequence. */
export function keyConstants(seed: number): KeyConstants {
  return [mix(seed + 0x9e3779b9), mix(seed + 0x3c6ef372), mix(seed + 0xdaa66d2b)];
}

/**
 * Key number `i`, for i < 0xFFFFFFFE: never EMPTY or DELETED, and different for every i. In WGSL, all in u32 (where
 * additions and products wrap):
 *
 *     var x = i;
 *     for (var step = 0u; step < 3u; step++) {      // cycle-walking; more than three steps are impossible
 *       x = x + k0;                                 // every line is invertible
 *       x = (x ^ (x >> 16u)) * 0x21f0aaadu;
 *       x = x ^ k1;
 *       x = (x ^ (x >> 15u)) * 0x735a2d97u;
 *       x = (x ^ (x >> 15u)) + k2;
 *       if (x < 0xfffffffeu) { break; }
 *     }
 *
 * Cycle-walking: a result that is reserved is put in again until none comes out. As i itself is no reserved key, this
 * permutes the other 2^32 - 2 words among themselves, and as there are two reserved keys, it ends after three steps at most.
 */
export function keyOfWith(i: number, [k0, k1, k2]: KeyConstants): number {
  let x = i;
  do {
    x = x + k0;
    x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
    x = x ^ k1;
    x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
    x = ((x ^ (x >>> 15)) + k2) >>> 0;
  } while (x >= KEY_SPACE);
  return x;
}

/** `keyOfWith` for a seed; to make many keys, draw the constants once. */
export function keyOf(i: number, seed: number): number {
  return keyOfWith(i, keyConstants(seed));
}

/** Keys `from` … `from + count - 1` of the bijection. */
export function keyRange(from: number, count: number, constants: KeyConstants): Uint32Array {
  const keys = new Uint32Array(count);
  for (let j = 0; j < count; j++) keys[j] = keyOfWith(from + j, constants);
  return keys;
}

const CHUNK = 1 << 20;

/** The data set. Throws a UsageError if `n` is beyond the 2^32 - 2 keys that exist. */
export function randomKeys({ n, seed }: KeySourceOptions): KeySource {
  if (n > KEY_SPACE) throw new UsageError(`random: n = ${n} is more than the ${KEY_SPACE} keys there are`);
  const constants = keyConstants(seed);
  return {
    id: "random",
    n,
    asRandom: true,
    note: "",
    unique: () => n,
    async *chunks() {
      for (let from = 0; from < n; from += CHUNK) yield keyRange(from, Math.min(CHUNK, n - from), constants);
    },
    async absent(count) {
      return keyRange(n, Math.min(count, KEY_SPACE - n), constants);
    },
  };
}
