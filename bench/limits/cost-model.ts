/** What building a cuckoo table costs by its memory accesses (Alcantara et al., GPU Computing Gems 2011, 4.5.3). */

export interface BuildSize {
  /** Pairs. */
  readonly n: number;
  /** Slots of the table: m. */
  readonly slots: number;
}

/** ns that one access takes while the whole device makes many of them. */
export interface AccessCosts {
  /** An update of a random word. */
  readonly uncoalesced: number;
  /** A read or a write of 8 bytes at unit stride. */
  readonly coalesced: number;
}

export interface GatherCosts extends AccessCosts {
  /** A read of the key of a random pair, amid the updates. */
  readonly key: number;
  /** A read of a random pair. */
  readonly pair: number;
}

/**
 * Insertion attempts until all pairs are in: −m ln(1 − n/m). The k-th pair finds its slot taken with probability (k − 1)/m, and
 * so takes 1/(1 − (k − 1)/m) attempts; the sum over k as an integral. It supposes that concurrent insertion has no more
 * collisions than serial one.
 */
export function attempts({ n, slots }: BuildSize): number {
  return -slots * Math.log1p(-n / slots);
}

/** The chapter's model, ns: all attempts are updates, n pairs are read and m entries initialised. */
export function chapterTime(size: BuildSize, { uncoalesced, coalesced }: AccessCosts): number {
  return attempts(size) * uncoalesced + (size.slots + size.n) * coalesced;
}

/**
 * The same for the build of kernels/cuckoo/insert.wgsl, ns, which moves numbers of pairs. `pack` reads and writes n pairs;
 * `exchange` reads n keys, makes the attempts and gathers the key of every pair that it evicts; `settle` reads m numbers,
 * gathers n pairs and writes m entries. A number or key of 4 bytes is half a coalesced access.
 */
export function ownTime(size: BuildSize, { uncoalesced, coalesced, key, pair }: GatherCosts): number {
  const { n, slots } = size;
  const evictions = attempts(size) - n;
  const streams = 2 * n + n / 2 + slots / 2 + slots;
  return attempts(size) * uncoalesced + evictions * key + n * pair + streams * coalesced;
}
