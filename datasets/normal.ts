/**
 * The data set `normal`: n different keys, normally distributed over the u32 words. DyCuckoo's RAND (Li et al., section 6.1):
 * "generated from a normal distribution", deduplicated; mean and deviation are ours.
 */
import { UsageError } from "../kernels/device/errors.js";
import { DELETED, type KeySource, type KeySourceOptions } from "./dataset.js";
import { firstDifferent } from "./keyset.js";
import { type Uniform, uniform } from "./rng.js";

/** The middle of the u32 words; its ends are four deviations away. */
export const MEAN = 2 ** 31;
export const DEVIATION = 2 ** 29;
/** Beyond it most draws near the mean are of a key that was drawn before. */
const MAX_N = 2 ** 29;

/** The data set: draws beyond the keys, and repeated ones, are left out. Throws a UsageError for too large an n. */
export function normalKeys({ n, seed }: KeySourceOptions): KeySource {
  if (n > MAX_N) throw new UsageError(`normal: n = ${n} is more than ${MAX_N}, of which most draws are repetitions`);
  const note = "normal distribution over the u32 words, mean 2^31, standard deviation 2^29; repeated draws left out";
  return firstDifferent({ id: "normal", n, seed, note }, () => {
    const draw = uniform(seed);
    return (keys) => fill(keys, draw);
  });
}

/** Draws two at a time by the polar method: G. Marsaglia and T. Bray, SIAM Review 6(3), 1964. */
function fill(keys: Uint32Array, draw: Uniform): void {
  let filled = 0;
  const take = (key: number) => {
    if (key >= 0 && key < DELETED && filled < keys.length) keys[filled++] = key;
  };
  while (filled < keys.length) {
    const x = 2 * draw() - 1;
    const y = 2 * draw() - 1;
    const square = x * x + y * y;
    if (square >= 1 || square === 0) continue;
    const scale = DEVIATION * Math.sqrt((-2 * Math.log(square)) / square);
    take(Math.floor(MEAN + scale * x));
    take(Math.floor(MEAN + scale * y));
  }
}
