/**
 * Keys that are made to be hard: for a table whose hash function and seed are known, keys that all begin at one place of it; and keys
 * of few bits. All are different.
 */
import { nextPrime } from "../kernels/common/steps.js";
import { UsageError } from "../kernels/device/errors.js";
import { keyOfHash } from "../kernels/quotient/hash.js";
import { DELETED, type KeySource, type KeySourceOptions } from "./dataset.js";
import { madeKeys } from "./made.js";

/** Of the tables at which the keys aim: their slots are a prime, which they divide hashes by. */
const LOAD_FACTOR = 0.8;
const WORDS = 2 ** 32;
const CHUNK = 1 << 16;

type Keys = (options: KeySourceOptions) => Generator<number>;

/** Keys with these hashes. */
function* withHashes(hashes: Iterable<number>, seed: number): Generator<number> {
  for (const hash of hashes) yield keyOfHash(hash, seed);
}

function* multiples(of: number): Generator<number> {
  for (let rest = 0; rest < of; rest++) for (let word = rest; word < WORDS; word += of) yield word;
}

/** Words by the number of their bits, ascending. */
function* byBits(): Generator<number> {
  yield 0;
  for (let bits = 1; bits <= 32; bits++) {
    // The next word with as many bits (Gosper).
    for (let word = 2 ** bits - 1; word < WORDS; ) {
      yield word;
      const low = Number(BigInt(word) & -BigInt(word));
      const ripple = word + low;
      const ones = Number((BigInt(word) ^ BigInt(ripple)) >> 2n);
      word = ripple + Math.floor(ones / low);
    }
  }
}

/** A place of tables of bucketed's kind is of the upper bits of the hash. */
const upper: Keys = ({ seed }) => withHashes(multiples(1), seed);
const modulo: Keys = ({ n, seed }) => withHashes(multiples(nextPrime(n / LOAD_FACTOR)), seed);

const KINDS: Readonly<Record<string, { readonly description: string; readonly keys: Keys }>> = {
  bucketed: { description: "all begin in the first buckets of bucketed", keys: upper },
  quotient: { description: "all begin in the first buckets of quotient", keys: upper },
  crystal: { description: `all begin in the first slots of crystal at load factor ${LOAD_FACTOR}`, keys: modulo },
  "double-hashing": { description: "the same of double hashing, whose steps differ", keys: modulo },
  multiples: {
    description: "multiples of the largest power of two of which there are n",
    keys: ({ n }) => multiples(2 ** Math.floor(Math.log2(WORDS / n))),
  },
  bits: { description: "the words of fewest bits", keys: () => byBits() },
};

function* chunked(keys: Generator<number>): Generator<Uint32Array> {
  let chunk: number[] = [];
  for (const key of keys) {
    if (key < DELETED) chunk.push(key);
    if (chunk.length < CHUNK) continue;
    yield Uint32Array.from(chunk);
    chunk = [];
  }
  yield Uint32Array.from(chunk);
}

/** The first n keys of the kind, for tables with that seed. Throws a UsageError for a kind that there is not. */
export function hostileKeys(kind: string, options: KeySourceOptions): KeySource {
  const found = KINDS[kind];
  if (!found) throw new UsageError(`hostile: no kind "${kind}"; there are ${Object.keys(KINDS).join(", ")}`);
  const { description, keys } = found;
  return madeKeys({ name: `hostile:${kind}`, description, keys: (of) => chunked(keys(of)) }, options);
}
