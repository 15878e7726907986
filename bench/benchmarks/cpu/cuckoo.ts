/**
 * Bucketised cuckoo hashing for several threads, after libcuckoo (X. Li, D. Andersen, M. Kaminsky, M. Freedman, "Algorithmic
 * improvements for fast concurrent cuckoo hashing", EuroSys 2014): buckets of four slots, two buckets a key, locks for stripes
 * of buckets. Where both buckets are full, a breadth-first search, which locks nothing, finds the shortest chain of keys that
 * move to their other buckets; they move from its end on, each under the locks of its two buckets, if all is still as it was.
 *
 * A key is always in one of its two buckets, and who inserts it, or moves it, holds the locks of both.
 */
import { EMPTY } from "../../../datasets/dataset.js";
import { mix } from "../../../datasets/random.js";

const SLOTS = 4;
/** Words of a bucket: its keys, then their values. */
const WORDS = 2 * SLOTS;
const STRIPES = 2 ** 14;
/** Buckets that a search looks at: chains of four or five keys. */
const NODES = 2 ** 11;
/** Searches without a result after which a key finds no room: others may have been in the middle of their moves. */
const SEARCHES = 2;
/** Turns of a thread that waits for a lock, before it gives up its core. */
const SPINS = 1000;
const SALT = 0x9e3779b9;

/** What threads share; of shared memory all. */
export interface CuckooMemory {
  readonly buckets: number;
  readonly words: Uint32Array;
  /** 1: locked. */
  readonly locks: Int32Array;
}

export function sharedWords(n: number): Uint32Array<SharedArrayBuffer> {
  return new Uint32Array(new SharedArrayBuffer(4 * n));
}

export function cuckooMemory(n: number, loadFactor: number): CuckooMemory {
  // At least two more than are needed: small tables are less even.
  const buckets = Math.ceil(n / loadFactor / SLOTS) + 2;
  const locks = new Int32Array(new SharedArrayBuffer(4 * STRIPES));
  return { buckets, words: sharedWords(buckets * WORDS).fill(EMPTY), locks };
}

/** The table as one thread has it. */
export class Cuckoo {
  private readonly buckets: number;
  private readonly words: Uint32Array;
  private readonly locks: Int32Array;
  /** Of the search: a bucket, the node that a key would come from, and that key's slot there. */
  private readonly node = new Int32Array(NODES);
  private readonly parent = new Int32Array(NODES);
  private readonly slot = new Int32Array(NODES);

  constructor({ buckets, words, locks }: CuckooMemory) {
    this.buckets = buckets;
    this.words = words;
    this.locks = locks;
  }

  /** The value, or EMPTY. Not to be called while others insert. */
  find(key: number): number {
    const { words } = this;
    for (let bucket = this.first(key), turn = 0; turn < 2; bucket = this.second(key), turn++) {
      const at = this.wordOf(bucket, key);
      if (at >= 0) return words[at + SLOTS] as number;
    }
    return EMPTY;
  }

  /** False if no chain of moves makes room for the key. An existing key gets the value. */
  insert(key: number, value: number): boolean {
    const a = this.first(key);
    const b = this.second(key);
    for (let full = 0; full < SEARCHES; ) {
      this.lock(a, b);
      const placed = this.put(a, b, key, value);
      this.unlock(a, b);
      if (placed) return true;
      const end = this.search(a, b);
      if (end < 0) full++;
      else this.shift(end);
    }
    return false;
  }

  private first(key: number): number {
    return Math.floor((mix(key) * this.buckets) / 2 ** 32);
  }

  private second(key: number): number {
    return Math.floor((mix(key ^ SALT) * this.buckets) / 2 ** 32);
  }

  private other(key: number, bucket: number): number {
    const first = this.first(key);
    return first === bucket ? this.second(key) : first;
  }

  /** Index of the bucket's word that is the key, or that is EMPTY; -1 if there is none. */
  private wordOf(bucket: number, key: number): number {
    const base = bucket * WORDS;
    for (let word = base; word < base + SLOTS; word++) if (this.words[word] === key) return word;
    return -1;
  }

  private put(a: number, b: number, key: number, value: number): boolean {
    let at = this.wordOf(a, key);
    if (at < 0) at = this.wordOf(b, key);
    if (at < 0) at = this.wordOf(a, EMPTY);
    if (at < 0) at = this.wordOf(b, EMPTY);
    if (at < 0) return false;
    this.words[at] = key;
    this.words[at + SLOTS] = value;
    return true;
  }

  /** The node at the end of the shortest chain that ends in a free slot; -1 if none is found. */
  private search(a: number, b: number): number {
    const { words, node, parent, slot } = this;
    node[0] = a;
    node[1] = b;
    parent[0] = parent[1] = -1;
    let size = 2;
    for (let head = 0; head < size; head++) {
      const bucket = node[head] as number;
      for (let i = 0; i < SLOTS; i++) {
        const key = words[bucket * WORDS + i] as number;
        // Another thread has just made room.
        if (key === EMPTY) return head;
        if (size === NODES) continue;
        const next = this.other(key, bucket);
        node[size] = next;
        parent[size] = head;
        slot[size] = i;
        if (this.wordOf(next, EMPTY) >= 0) return size;
        size++;
      }
    }
    return -1;
  }

  /** Moves the keys of the chain, the last one first; ends where something has changed meanwhile. */
  private shift(end: number): void {
    const { words, node, parent, slot } = this;
    for (let at = end; (parent[at] as number) >= 0; at = parent[at] as number) {
      const to = node[at] as number;
      const from = node[parent[at] as number] as number;
      const word = from * WORDS + (slot[at] as number);
      this.lock(from, to);
      const key = words[word] as number;
      const free = this.wordOf(to, EMPTY);
      const moves = key !== EMPTY && free >= 0 && this.other(key, from) === to;
      if (moves) {
        words[free] = key;
        words[free + SLOTS] = words[word + SLOTS] as number;
        words[word] = EMPTY;
      }
      this.unlock(from, to);
      if (!moves) return;
    }
  }

  /** In one order, so that threads never wait in a circle. */
  private lock(a: number, b: number): void {
    const x = a % STRIPES;
    const y = b % STRIPES;
    this.lockStripe(Math.min(x, y));
    if (x !== y) this.lockStripe(Math.max(x, y));
  }

  private lockStripe(stripe: number): void {
    const { locks } = this;
    for (let turn = 1; Atomics.compareExchange(locks, stripe, 0, 1) !== 0; turn++) {
      // Nobody notifies: the time-out ends it.
      if (turn % SPINS === 0) Atomics.wait(locks, stripe, 1, 1);
    }
  }

  private unlock(a: number, b: number): void {
    Atomics.store(this.locks, a % STRIPES, 0);
    Atomics.store(this.locks, b % STRIPES, 0);
  }
}
