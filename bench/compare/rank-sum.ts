/** Mann and Whitney's rank-sum test, one-sided; the distributions are R's (lib-r-math.js). */
import { distributions } from "./r.js";

/** Up to this many values on either side the exact distribution is used. */
const EXACT = 49;

/**
 * Probability of at least so many pairs with the larger value in `b` if both samples came from one distribution. Equal values
 * count for `a`, so that ties make the test conservative and never the opposite. 1 where either sample is empty.
 */
export function rankSumP(a: readonly number[], b: readonly number[]): number {
  if (a.length === 0 || b.length === 0) return 1;
  const { pnorm, pwilcox } = distributions();
  const u = pairsAbove(a, b);
  if (a.length <= EXACT && b.length <= EXACT) return pwilcox(u - 1, a.length, b.length, false);
  const pairs = a.length * b.length;
  const deviation = Math.sqrt((pairs / 12) * (a.length + b.length + 1));
  // With a correction for continuity.
  return pnorm((u - pairs / 2 - 0.5) / deviation, 0, 1, false);
}

/** U: pairs of a value of `a` and one of `b` in which b's is the larger. */
function pairsAbove(a: readonly number[], b: readonly number[]): number {
  const sorted = a.toSorted((x, y) => x - y);
  let below = 0;
  let pairs = 0;
  for (const value of b.toSorted((x, y) => x - y)) {
    while ((sorted[below] ?? Number.POSITIVE_INFINITY) < value) below++;
    pairs += below;
  }
  return pairs;
}
