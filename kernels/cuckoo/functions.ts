/** The constants of the chapter's hash functions (functions.wgsl), and builds that draw them. */
import { Builds } from "../common/bulk.js";
import { randomWords } from "../common/random.js";
import type { Owner } from "../device/owned.js";

/** (a, b, 0, 0) of five hash functions, for the attempt of this number to build the table. */
export function drawFunctions(seed: number, attempt: number): [a: number, b: number, number, number][] {
  // Not the generator's own step: attempts would be the same words, shifted.
  const next = randomWords(seed + attempt * 0x85ebca6b);
  return Array.from({ length: 5 }, () => [next(), next() >>> 4, 0, 0]);
}

/**
 * Builds of a table with chains of at most `chain` evictions. Status words: [0] chains that were too long; [1] keys refused;
 * [2] different keys. Throws DoesNotFit.
 */
export function cuckooBuilds(gpu: Owner, chain: number, seed: number): Promise<Builds> {
  return Builds.make(gpu, {
    draw: (attempt) => [chain, 0, 0, ...drawFunctions(seed, attempt).flat()],
    judge: ([failed = 0, count = 0, distinct = 0]) => ({ failed: failed > 0, count, distinct }),
  });
}
