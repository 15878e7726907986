/** The first hash of layout.wgsl backwards, on the host: which keys go to a bucket. */

/** The key whose first hash that is. */
export function keyOfHash(hash: number, seed: number): number {
  let x = unshifted(hash, 16);
  x = unshifted(Math.imul(x, inverse(0xc2b2ae35)), 13);
  x = unshifted(Math.imul(x, inverse(0x85ebca6b)), 16);
  return (x ^ seed) >>> 0;
}

/** The x whose x ^ (x >>> by) that is. */
function unshifted(y: number, by: number): number {
  let x = y;
  for (let known = by; known < 32; known += by) x = y ^ (x >>> by);
  return x;
}

/** Of an odd factor, modulo 2^32; every step of Newton's doubles the bits that are right. */
function inverse(factor: number): number {
  let x = factor;
  for (let bits = 3; bits < 32; bits *= 2) x = Math.imul(x, 2 - Math.imul(factor, x));
  return x;
}
