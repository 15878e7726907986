/** Random words for constants of hash functions. */

/** Finaliser of MurmurHash3, 32 bits: mix32 of hash.wgsl. */
export function mix32(x: number): number {
  let z = x;
  z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
  z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
  return (z ^ (z >>> 16)) >>> 0;
}

/** u32 words from a seed: splitmix32. */
export function randomWords(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    return mix32(state);
  };
}
