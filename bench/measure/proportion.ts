/** The interval of a share that was counted. */

/** Quantile of the normal distribution for 95 % two-sided. */
const Z = 1.959963984540054;

export interface Share {
  readonly value: number;
  /** Ends of the 95 % interval. */
  readonly lo: number;
  readonly hi: number;
}

/**
 * successes / trials with Wilson's score interval (E. B. Wilson, J. Am. Stat. Assoc. 22, 1927), which holds for rare events and
 * few trials too, and is never outside 0 … 1. Throws a RangeError without trials.
 */
export function wilson(successes: number, trials: number): Share {
  if (!(trials > 0)) throw new RangeError("no trials");
  const value = successes / trials;
  const z2 = (Z * Z) / trials;
  const centre = (value + z2 / 2) / (1 + z2);
  const half = (Z / (1 + z2)) * Math.sqrt((value * (1 - value) + z2 / 4) / trials);
  return { value, lo: successes === 0 ? 0 : centre - half, hi: successes === trials ? 1 : centre + half };
}
