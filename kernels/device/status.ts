/** What kernels say of a pass: words with one meaning in all tables, the members of `Status` in status.wgsl. */

/** In the order of their words. */
export const STATUS_WORDS = [
  /** Pairs that found no slot, and reserved keys. */
  "refused",
  /** Keys that were erased, or put where there was none; nodes that were given back. */
  "changed",
  /** Different keys. */
  "distinct",
  /** Loops that reached their bound. */
  "bound",
  /** Not 0: lanes were in other subgroups than the host says. */
  "misplaced",
  /** Parts for which this attempt failed: chains that got too long, seeds that were not found, pairs whose only bucket was full. */
  "failed",
  /** What a kernel leaves for those after it: pairs, operations. */
  "left",
  /** Where a pass stopped, to be gone on with. */
  "halted",
] as const;

export type StatusWord = (typeof STATUS_WORDS)[number];
export type StatusWords = Readonly<Record<StatusWord, number>>;

export const STATUS_BYTES = 4 * STATUS_WORDS.length;

/** The words of a pass, by name; 0 where there are fewer. */
export function statusOf(words: Uint32Array): StatusWords {
  return Object.fromEntries(STATUS_WORDS.map((name, i) => [name, words[i] ?? 0])) as Record<StatusWord, number>;
}
