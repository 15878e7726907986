/** Memory utilisation ↔ buckets (Ashkiani et al., IPDPS 2018, III.C and Fig. 4c). */

export const SLAB_BYTES = 128;
/** Bytes of a slab that hold pairs or keys: the last two words are the pointer and a spare one. */
const USED_BYTES = 120;

/** What a slab holds: `pairBytes` is 8 of pairs, 4 of keys. */
export function pairsPerSlab(pairBytes: number): number {
  return USED_BYTES / pairBytes;
}

/** Beyond this mean a list's last slab is as good as uniformly filled. */
const LARGE_MEAN = 600;

/** Mean number of slabs of a list of X ~ Poisson(mean) pairs: E[max(1, ⌈X / perSlab⌉)]. */
export function slabsPerList(mean: number, perSlab: number): number {
  if (mean > LARGE_MEAN) return (mean + (perSlab - 1) / 2) / perSlab;
  let probability = Math.exp(-mean);
  let sum = probability;
  for (let x = 1; x < mean + 12 * Math.sqrt(mean) + 30; x++) {
    probability *= mean / x;
    sum += probability * Math.ceil(x / perSlab);
  }
  return sum;
}

/** Slabs in use when n pairs are in so many lists. */
export function expectedSlabs(n: number, buckets: number, pairBytes: number): number {
  return buckets * slabsPerList(n / buckets, pairsPerSlab(pairBytes));
}

/** Bytes of pairs / bytes of slabs. */
export function expectedUtilisation(n: number, buckets: number, pairBytes: number): number {
  return (n * pairBytes) / (expectedSlabs(n, buckets, pairBytes) * SLAB_BYTES);
}

/** The most buckets with which n pairs are expected to reach the utilisation; 1 if none does. */
export function bucketsFor(n: number, utilisation: number, pairBytes: number): number {
  let [low, high] = [1, Math.max(1, Math.ceil((n * pairBytes) / (utilisation * SLAB_BYTES)))];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (expectedUtilisation(n, middle, pairBytes) >= utilisation) low = middle;
    else high = middle - 1;
  }
  return low;
}
