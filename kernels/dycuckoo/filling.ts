/** Sizes of sub-tables, and how pairs are distributed among them: arithmetic on numbers of buckets. */

/** Slots of a bucket, of which a table that keeps its size may have fewer: kernels/dycuckoo/places.wgsl. */
export const BUCKET = 32;
/** 24 bits of an address number the buckets of a sub-table, or of all of them in one array. */
export const MAX_BUCKETS = 2 ** 24;
/** Of so many keys a share goes to the first sub-table of a pair: places.wgsl. */
const WHOLE = 2 ** 16;
/** A sub-table that can be resized has one of these numbers of buckets, times a power of two: capacities 2 or 3 % apart. */
const BASES = 16;

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** @param slots of a bucket */
export const slotsOf = (buckets: readonly number[], slots = BUCKET): number => sum(buckets) * slots;

/**
 * Buckets of d sub-tables of one size, as nearly as they go, for n pairs at the filled factor.
 * @param slots of a bucket
 */
export function fixedBuckets(n: number, loadFactor: number, d: number, slots = BUCKET): number[] {
  const all = Math.max(d, Math.ceil(n / loadFactor / slots));
  return Array.from({ length: d }, (_, i) => Math.floor(all / d) + (i < all % d ? 1 : 0));
}

/** Buckets of d sub-tables as resizing leaves them, some twice as large as the others (or, `alike`, none): the fewest that are enough. */
export function resizableBuckets(n: number, loadFactor: number, d: number, alike = false): number[] {
  const wanted = n / loadFactor / BUCKET;
  let best: number[] = [];
  for (let size = 1; sum(best) === 0 || size * d < wanted * 2; size = size < BASES ? size + 1 : size * 2) {
    // Bases BASES / 2 … BASES - 1 have powers of two as factors, so that these sizes are all there are.
    for (const base of size < BASES ? [size] : basesOf(size)) {
      for (let larger = 0; larger < (alike ? 1 : d); larger++) {
        const some = Array.from({ length: d }, (_, i) => (i < larger ? 2 * base : base));
        if (sum(some) >= wanted && (best.length === 0 || sum(some) < sum(best))) best = some;
      }
    }
  }
  return best;
}

/** All sizes from `size`, a power of two, to below twice that. */
function basesOf(size: number): number[] {
  const step = (2 * size) / BASES;
  return Array.from({ length: BASES / 2 }, (_, i) => size + i * step);
}

/** The sub-table to double: the smallest, the first of those. */
export const smallest = (buckets: readonly number[]): number => buckets.indexOf(Math.min(...buckets));
/** The sub-table to halve: the largest, the last of those. */
export const largest = (buckets: readonly number[]): number => buckets.lastIndexOf(Math.max(...buckets));

/** The pairs of d sub-tables. */
export function pairsOf(d: number): [number, number][] {
  return Array.from({ length: d }, (_, j) => Array.from({ length: j }, (_, i): [number, number] => [i, j])).flat();
}

/** Parts of a batch, after each of which the sub-tables are looked at: shares hardly change with more. */
const PARTS = 32;

/**
 * Of 65,536 keys of each pair of sub-tables (i, j), how many go to i first: in proportion to n_i / C(m_i, 2) (Theorem 1). The
 * paper's m_i are what the sub-tables hold when a key is drawn. Ours are drawn before: the shares are the means of a batch of which
 * each part goes where these numbers say, after the parts before it.
 */
export function sharesOf(buckets: readonly number[], pairs: readonly number[], incoming: number): number[] {
  const both = pairsOf(buckets.length);
  const held = buckets.map((_, i) => pairs[i] ?? 0);
  const sums = both.map(() => 0);
  const each = incoming / PARTS / both.length;
  for (let part = 0; part < PARTS; part++) {
    const weights = buckets.map((n, i) => {
      const m = Math.max(2, held[i] ?? 0);
      return n / ((m * (m - 1)) / 2);
    });
    for (const [pair, [i, j]] of both.entries()) {
      const [a = 1, b = 1] = [weights[i], weights[j]];
      const share = a / (a + b);
      sums[pair] = (sums[pair] ?? 0) + share;
      held[i] = (held[i] ?? 0) + share * each;
      held[j] = (held[j] ?? 0) + (1 - share) * each;
    }
  }
  return sums.map((sum) => Math.round((WHOLE * sum) / PARTS));
}
