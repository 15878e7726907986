/** Sets of u32 keys, for removing duplicates and for finding keys that a data set has not. */
import { DELETED, EMPTY, type KeySource } from "./dataset.js";
import { KEY_SPACE, keyConstants, keyOfWith, mix } from "./random.js";

export interface KeySet {
  /** Number of keys added so far. */
  readonly size: number;
  has(key: number): boolean;
  /**
   * Adds the keys, EMPTY and DELETED excepted, and moves those that were new to the front of the array, in order.
   * Returns how many were new.
   */
  addAll(keys: Uint32Array): number;
}

/** Beyond so many keys the bitmap is the smaller of the two sets. */
const HASHED_AT_MOST = 1 << 25;

/** A set for up to `capacity` keys: 8 to 16 bytes a key, at most 512 MiB. */
export function keySet(capacity: number): KeySet {
  return capacity <= HASHED_AT_MOST ? new HashedSet(capacity) : new Bitmap();
}

/** Keys that are not made for it stay nearer to their slots, even 2^25 of them. */
const FARTHEST = 256;

/** A place for a key among 2^32, which nobody who makes keys can know beforehand. @param salt another for each set */
export function placeOf(key: number, salt: number): number {
  return mix(Math.imul(key ^ salt, 0x9e3779b1));
}

/** Open addressing with linear probing, at most half full. Empty slots hold EMPTY, which no key is. */
class HashedSet implements KeySet {
  size = 0;
  private slots: Uint32Array;
  private readonly shift: number;
  private salt: number | undefined;

  constructor(capacity: number) {
    const bits = Math.max(4, Math.ceil(Math.log2(Math.max(1, capacity))) + 1);
    this.slots = new Uint32Array(2 ** bits).fill(EMPTY);
    this.shift = 32 - bits;
  }

  /** The key's slot, or the empty one where it would go. Fibonacci hashing spreads runs of user keys, and is fast. */
  private slotOf(key: number): number {
    const { slots, salt } = this;
    const home = (salt === undefined ? Math.imul(key, 0x9e3779b1) : placeOf(key, salt)) >>> this.shift;
    let slot = home;
    while (slots[slot] !== key && slots[slot] !== EMPTY) slot = (slot + 1) & (slots.length - 1);
    const distance = (slot - home) & (slots.length - 1);
    return distance > FARTHEST && salt === undefined ? this.spread(key) : slot;
  }

  /** Moves all keys to salted places, without which keys made for the set would take quadratic time. Returns the slot of `key`. */
  private spread(key: number): number {
    const old = this.slots;
    this.salt = Math.floor(Math.random() * 2 ** 32);
    this.slots = new Uint32Array(old.length).fill(EMPTY);
    for (const kept of old) if (kept !== EMPTY) this.slots[this.slotOf(kept)] = kept;
    return this.slotOf(key);
  }

  has(key: number): boolean {
    const slot = this.slotOf(key);
    return key < DELETED && this.slots[slot] === key;
  }

  addAll(keys: Uint32Array): number {
    let added = 0;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i]!;
      if (key >= DELETED) continue;
      const slot = this.slotOf(key);
      if (this.slots[slot] === key) continue;
      this.slots[slot] = key;
      keys[added++] = key;
    }
    this.size += added;
    return added;
  }
}

/** One bit for every u32: 512 MiB, of which the system provides only the pages that are touched. */
class Bitmap implements KeySet {
  size = 0;
  private readonly words = new Int32Array(2 ** 27);

  constructor() {
    // The reserved keys count as seen, so that the loop below needs no test for them.
    this.words[2 ** 27 - 1] = (1 << (EMPTY & 31)) | (1 << (DELETED & 31));
  }

  has(key: number): boolean {
    return key < DELETED && (this.words[key >>> 5]! & (1 << (key & 31))) !== 0;
  }

  addAll(keys: Uint32Array): number {
    const { words } = this;
    let added = 0;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i]!;
      const bit = 1 << (key & 31);
      const word = words[key >>> 5]!;
      if ((word & bit) !== 0) continue;
      words[key >>> 5] = word | bit;
      keys[added++] = key;
    }
    this.size += added;
    return added;
  }
}

/** `count` distinct keys that are not in the set (fewer if there are not so many), in a sequence drawn from the seed. */
export function absentKeys(set: KeySet, count: number, seed: number): Uint32Array {
  const constants = keyConstants(mix(seed + 0x5eed));
  const keys = new Uint32Array(Math.max(0, Math.min(count, KEY_SPACE - set.size)));
  for (let i = 0, found = 0; found < keys.length; i++) {
    const key = keyOfWith(i, constants);
    if (!set.has(key)) keys[found++] = key;
  }
  return keys;
}

/** What a source says of itself from the start. */
type About = Pick<KeySource, "id" | "n" | "note"> & { readonly seed: number };

/**
 * A source that adds its keys to a set, which tells how many are different and which are absent.
 * @param most keys that it may add
 */
export function remembering(
  { seed, ...about }: About,
  chunks: (seen: KeySet) => AsyncIterable<Uint32Array>,
  most = about.n,
): KeySource {
  let seen: KeySet | undefined;
  return {
    ...about,
    unique: () => seen?.size ?? 0,
    chunks() {
      seen = keySet(most);
      return chunks(seen);
    },
    async absent(count) {
      if (!seen) throw new Error(`${about.id}: absent() before chunks() was consumed`);
      return absentKeys(seen, count, seed);
    },
  };
}

const CHUNK = 1 << 20;

/** The first n different keys of those that are written chunk by chunk. @param begin returns what fills a chunk with the next ones */
export function firstDifferent(about: About, begin: () => (keys: Uint32Array) => void): KeySource {
  const { n } = about;
  return remembering(about, async function* (seen) {
    const fill = begin();
    while (seen.size < n) {
      const keys = new Uint32Array(Math.min(CHUNK, n - seen.size));
      fill(keys);
      yield keys.subarray(0, seen.addAll(keys));
    }
  });
}
