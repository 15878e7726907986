/**
 * The data set `reddit`: a stand-in for GPH's (Cao et al., SIGMOD 2025), the ids of Reddit's comments. Ids are numbers in base
 * 36 that Reddit gives one after another; these are successive ones from the first of May 2015 on, where the real file has
 * gaps. Hashed as the data set `file` hashes a column, first occurrences only.
 */
import { UsageError } from "../kernels/device/errors.js";
import type { KeySource, KeySourceOptions } from "./dataset.js";
import { hashEnd, hashUnit } from "./file.js";
import { absentKeys, type KeySet, keySet } from "./keyset.js";
import { keyConstants } from "./random.js";

/** About the first comment of May 2015. */
export const FIRST_ID = Number.parseInt("cqug90g", 36);
const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";
/** Ids of so many successive numbers differ in two digits only. */
const TAILS = 36 ** 2;
/** As for lineitem: beyond it more than every second hash would be a duplicate. */
const MAX_N = 2 ** 31;
const CHUNK = 1 << 20;

/** The data set. Throws a UsageError for too large an n. */
export function redditKeys({ n, seed }: KeySourceOptions): KeySource {
  if (n > MAX_N) throw new UsageError(`reddit: n = ${n} is more than the ${MAX_N} ids that 32 bits tell apart`);
  const [salt] = keyConstants(seed);
  let seen: KeySet | undefined;
  return {
    id: "reddit",
    n,
    note: "stand-in for Reddit's comments of May 2015: successive ids in base 36, hashed to 32 bits; equal hashes left out",
    unique: () => n,
    async *chunks() {
      const set = keySet(n);
      seen = set;
      const hashes = new IdHashes(salt);
      while (set.size < n) {
        const keys = new Uint32Array(Math.min(CHUNK, n - set.size));
        // Reserved words are not added to the set.
        for (let i = 0; i < keys.length; i++) keys[i] = hashes.next();
        yield keys.subarray(0, set.addAll(keys));
      }
    },
    async absent(count) {
      if (!seen) throw new Error("reddit: absent() before chunks() was consumed");
      return absentKeys(seen, count, seed);
    },
  };
}

/** Hashes of successive ids, each that of its text: what ids have in common is hashed once. */
class IdHashes {
  private readonly codes = Uint8Array.from(DIGITS, (digit) => digit.charCodeAt(0));
  private number = FIRST_ID;
  private head = 0;
  private length = 0;

  constructor(private readonly salt: number) {
    this.setHead();
  }

  next(): number {
    const tail = this.number % TAILS;
    if (tail === 0) this.setHead();
    this.number++;
    const last = tail % 36;
    const hash = hashUnit(this.codes[(tail - last) / 36] as number, this.head);
    return hashEnd(this.length, hashUnit(this.codes[last] as number, hash));
  }

  private setHead(): void {
    const text = Math.floor(this.number / TAILS).toString(36);
    this.length = text.length + 2;
    this.head = this.salt;
    for (let i = 0; i < text.length; i++) this.head = hashUnit(text.charCodeAt(i), this.head);
  }
}
