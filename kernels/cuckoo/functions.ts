/** The constants of the chapter's hash functions (functions.wgsl), and builds that draw them. */
import { Builds } from "../common/bulk.js";
import { randomWords } from "../common/random.js";
import type { Owner } from "../device/owned.js";

/** The prime of the chapter's hash functions. */
const PRIME = 334214459;
/** The largest one of 32 bits. */
const LARGE_PRIME = 4294967291;

/** The prime of the hash functions of a table: they reach fewer slots than it. @param large whether it is the large one in any case */
export function primeOf(slots: number, large = false): number {
  return slots < PRIME && !large ? PRIME : LARGE_PRIME;
}

/** Slots of a class, of which some class would have more keys than places. */
const FEWEST = 16;

/**
 * Whether no functions of so many slots place all keys. Modulo 2^32 - 5 the last s bits of a key decide those of its places: of 2^s · u slots each
 * function gives keys that are alike in these bits the same u. Of few slots in such a class, one of the many has too many keys; CUDPP's tables of
 * these sizes cannot be built. @param large as `primeOf` has it
 */
export function fallApart(slots: number, large = false): boolean {
  let ofClass = slots;
  while (ofClass % 2 === 0) ofClass /= 2;
  return primeOf(slots, large) === LARGE_PRIME && ofClass < slots && ofClass < FEWEST;
}

/** How the functions join a key and their constant. */
export const HASHES = ["xor", "multiply"] as const;

/** Parameters of a table that decide its functions. */
export interface Form {
  readonly largePrime?: boolean;
  readonly hash?: (typeof HASHES)[number];
}

/** Conditions of functions.wgsl for a table of so many slots. */
export function hashConditions(slots: number, { largePrime, hash }: Form = {}): Readonly<Record<string, boolean>> {
  return { LARGE_PRIME: primeOf(slots, largePrime) === LARGE_PRIME, MULTIPLY: hash === "multiply" };
}

/** (a, b, 0, 0) of five hash functions, for the attempt of this number to build the table. */
export function drawFunctions(seed: number, attempt: number): [a: number, b: number, number, number][] {
  // Not the generator's own step: attempts would be the same words, shifted.
  const next = randomWords(seed + attempt * 0x85ebca6b);
  return Array.from({ length: 5 }, () => [next(), next() >>> 4, 0, 0]);
}

/** `Functions` of functions.wgsl: the number of items, the longest chain of evictions, and the constants of the functions. */
export type Functions = {
  readonly n: number;
  readonly chain: number;
  readonly constants: readonly number[];
};

/** For the attempt of this number to build the table, with chains of at most `chain` evictions. */
export function functionsFor(chain: number, seed: number, attempt: number): Omit<Functions, "n"> {
  return { chain, constants: drawFunctions(seed, attempt).flat() };
}

/** Builds of a table with chains of at most `chain` evictions. Throws DoesNotFit. */
export function cuckooBuilds(gpu: Owner, chain: number, seed: number): Promise<Builds<Omit<Functions, "n">>> {
  return Builds.make(gpu, {
    draw: (attempt) => functionsFor(chain, seed, attempt),
    judge: ({ failed, refused, distinct }) => ({ failed: failed > 0, count: refused, distinct }),
  });
}
