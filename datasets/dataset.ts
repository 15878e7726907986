/** What a host-side data set offers to the harness: a stream of u32 keys, and keys that are not in it. */

/** Slot contents that no key may have. */
export const EMPTY = 0xffffffff;
export const DELETED = 0xfffffffe;

export interface KeySource {
  /** The name under which results are filed, such as `lineitem` or `zipf:1.0`. */
  readonly id: string;
  /** Keys in the stream, duplicates included. */
  readonly n: number;
  /** Keys in chunks of any size, in the data set's order; together exactly `n`. Never EMPTY or DELETED. */
  chunks(): AsyncIterable<Uint32Array>;
  /**
   * `count` distinct u32 keys (fewer if the key space has not so many) that are not among the stream's. Call after
   * `chunks` was consumed to its end.
   */
  absent(count: number): Promise<Uint32Array>;
  /** Distinct keys of the stream; known once `chunks` was consumed to its end. */
  unique(): number;
  /**
   * Where lookups ask for some keys more often than for others: the rank of a key, 0 … n - 1, the most frequent first, below
   * which the share u of the lookups lies, 0 <= u < 1. Which key has which rank is the workload's. Default: they ask evenly.
   */
  rankAt?(u: number): number;
  /** Its keys, and those that are not in it, are the data set `random`'s, which a device makes by itself. Default: they are not. */
  readonly asRandom?: true;
  /** One line about how the data was made or changed (remapped reserved keys, stand-ins); "" if nothing to say. */
  readonly note: string;
}

export interface KeySourceOptions {
  /** How many keys are wanted. A source that cannot give as many throws a UsageError that says how many it has. */
  readonly n: number;
  readonly seed: number;
}
