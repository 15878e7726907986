/** The cost of building a cuckoo table by its memory accesses (Alcantara et al., GPU Computing Gems 2011, 4.5.3). */

export interface BuildSize {
  /** Pairs. */
  readonly n: number;
  /** Slots of the table: m. */
  readonly slots: number;
}

/** ns that one access takes while the whole device makes many of them. */
interface AccessCosts {
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

/** Steps of the integral below; twice as many change its value by less than 0.1 %. */
const STEPS = 4000;

/**
 * Attempts if a key has a fixed number of places, which it takes in turn (ours). A key that was in all of them comes back to a slot that
 * was taken once. No such slot is ever empty again, so that attempt is in vain. With w the share of such keys among those in the table,
 * and a the load factor, an insertion takes (1 + a w/(1 − w)) / (1 − a) attempts.
 */
export function turnAttempts({ n, slots }: BuildSize, functions: number): number {
  const inserted = n / STEPS;
  // Keys by the number of places that they have been in; the last entry has those that have been in all. There are none at first.
  let keys = new Array<number>(functions).fill(0);
  let sum = 0;
  for (let step = 0; step < STEPS; step++) {
    const present = step * inserted;
    const load = (present + inserted / 2) / slots;
    const wrapped = present === 0 ? 0 : (keys.at(-1) ?? 0) / present;
    const each = (1 + (load * wrapped) / (1 - wrapped)) / (1 - load);
    // Every attempt but the last evicts a key, whichever.
    const evicted = present === 0 ? 0 : (inserted * (each - 1)) / present;
    keys = keys.map((count, i) => {
      const arrived = i === 0 ? inserted : evicted * (keys[i - 1] ?? 0);
      return count + arrived - (i < functions - 1 ? evicted * count : 0);
    });
    sum += inserted * each;
  }
  return sum;
}

/** The chapter's model, ns: all attempts are updates, n pairs are read and m entries initialised. */
export function chapterTime(size: BuildSize, { uncoalesced, coalesced }: AccessCosts): number {
  return attempts(size) * uncoalesced + (size.slots + size.n) * coalesced;
}

/**
 * The same for the build of kernels/cuckoo/insert.wgsl, ns, which moves numbers of pairs. `exchange` reads and
 * writes n pairs, makes the attempts and gathers the key of every pair that it evicts; `settle` reads m numbers, gathers n
 * pairs and writes m entries. A number or key of 4 bytes is half a coalesced access.
 * @param tries attempts until all pairs are in
 */
export function ownTime({ n, slots }: BuildSize, tries: number, costs: GatherCosts): number {
  const streams = 2 * n + slots / 2 + slots;
  return tries * costs.uncoalesced + (tries - n) * costs.key + n * costs.pair + streams * costs.coalesced;
}
