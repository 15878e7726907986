/** Mann and Whitney's rank-sum test, one-sided; the distributions are R's (lib-r-math.js). */
import { pnorm, pwilcox } from "lib-r-math.js";

/** Up to this many values on either side the exact distribution is used, where there are no ties. */
const EXACT = 49;

/**
 * Probability of a rank sum as extreme as this one if both samples came from one distribution, against the alternative that
 * `b` tends to be larger than `a`. 1 where either is empty.
 */
export function rankSumP(a: readonly number[], b: readonly number[]): number {
  if (a.length === 0 || b.length === 0) return 1;
  const { u, ties } = mannWhitney(a, b);
  if (ties === 0 && a.length <= EXACT && b.length <= EXACT) return pwilcox(u - 1, b.length, a.length, false);
  const pairs = a.length * b.length;
  const all = a.length + b.length;
  const variance = (pairs / 12) * (all + 1 - ties / (all * (all - 1)));
  // With a correction for continuity. All values equal: no variance, and no evidence.
  return variance <= 0 ? 1 : pnorm((u - pairs / 2 - 0.5) / Math.sqrt(variance), 0, 1, false);
}

/** U: pairs in which b's value is the larger, ties by half. `ties` is Σ t³ − t over groups of t equal values. */
function mannWhitney(a: readonly number[], b: readonly number[]): { u: number; ties: number } {
  const all = [...a.map((value) => ({ value, own: 0 })), ...b.map((value) => ({ value, own: 1 }))];
  all.sort((x, y) => x.value - y.value);
  let ranks = 0;
  let ties = 0;
  for (let from = 0; from < all.length; ) {
    let to = from;
    let own = 0;
    while (to < all.length && all[to]?.value === all[from]?.value) own += all[to++]?.own ?? 0;
    const count = to - from;
    // Ranks from + 1 … to, each of the group gets their mean.
    ranks += own * ((from + 1 + to) / 2);
    ties += count ** 3 - count;
    from = to;
  }
  return { u: ranks - (b.length * (b.length + 1)) / 2, ties };
}
