/** `shuffled` of shuffle.wgsl: element i of a seeded permutation of 0 … count - 1. */
export function shuffled(i: number, count: number, seed: number): number {
  const bits = bitsFor(count);
  const mask = 0xffffffff >>> (32 - bits);
  const half = (bits + 1) >>> 1;
  let x = i;
  do {
    for (let round = 0; round < 3; round++) {
      x = ((Math.imul(x, 0x9e3779b1) + (seed ^ Math.imul(round, 0x85ebca6b))) & mask) >>> 0;
      x ^= x >>> half;
      x = (Math.imul(x, 0x2c1b3c6d) & mask) >>> 0;
      x ^= x >>> Math.max(1, half - 1);
    }
    x >>>= 0;
  } while (x >= count);
  return x;
}

/** Smallest b >= 1 with count <= 2^b. */
export function bitsFor(count: number): number {
  return Math.max(1, Math.ceil(Math.log2(count)));
}
