/**
 * The data set `reddit`: a stand-in for GPH's (Cao et al., SIGMOD 2025), the ids of Reddit's comments. Ids are numbers in base
 * 36 that Reddit gives one after another; these are successive ones from the first of May 2015 on, where the real file has
 * gaps. Hashed as the data set `file` hashes a column, first occurrences only.
 */
import { UsageError } from "../kernels/device/errors.js";
import type { KeySource, KeySourceOptions } from "./dataset.js";
import { hashEnd, hashUnit } from "./file.js";
import { firstDifferent } from "./keyset.js";
import { keyConstants } from "./random.js";

/** About the first comment of May 2015. */
export const FIRST_ID = Number.parseInt("cqug90g", 36);
const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";
/** Ids of so many successive numbers differ in two digits only. */
const TAILS = 36 ** 2;
/** As for lineitem: beyond it more than every second hash would be a duplicate. */
const MAX_N = 2 ** 31;

/** The data set. Throws a UsageError for too large an n. */
export function redditKeys({ n, seed }: KeySourceOptions): KeySource {
  if (n > MAX_N) throw new UsageError(`reddit: n = ${n} is more than the ${MAX_N} ids that 32 bits tell apart`);
  const [salt] = keyConstants(seed);
  const note =
    "stand-in for Reddit's comments of May 2015: successive ids in base 36, hashed to 32 bits; equal hashes left out";
  return firstDifferent({ id: "reddit", n, seed, note }, () => {
    const next = idHashes(salt);
    return (keys) => {
      for (let i = 0; i < keys.length; i++) keys[i] = next();
    };
  });
}

/** Hashes of successive ids, each that of its text: what ids have in common is hashed once. */
function idHashes(salt: number): () => number {
  const codes = Uint8Array.from(DIGITS, (digit) => digit.charCodeAt(0));
  const headOf = (number: number) => {
    const text = Math.floor(number / TAILS).toString(36);
    let hash = salt;
    for (let i = 0; i < text.length; i++) hash = hashUnit(text.charCodeAt(i), hash);
    return { hash, length: text.length + 2 };
  };
  let number = FIRST_ID;
  let head = headOf(number);
  return () => {
    const tail = number % TAILS;
    if (tail === 0) head = headOf(number);
    number++;
    const last = tail % 36;
    const hash = hashUnit(codes[(tail - last) / 36] as number, head.hash);
    return hashEnd(head.length, hashUnit(codes[last] as number, hash));
  };
}
