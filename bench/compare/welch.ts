/** Welch's test of two means, one-sided, of the logarithms; the distribution is R's (lib-r-math.js). */
import { distributions } from "./r.js";

/**
 * Probability of means that lie so far apart if `b` is no larger than `a` times `factor`, of normally distributed logarithms.
 * 1 where either side has fewer than two values.
 */
export function welchP(a: readonly number[], b: readonly number[], factor: number): number {
  if (a.length < 2 || b.length < 2) return 1;
  const [from, to] = [moments(a), moments(b)];
  const above = to.mean - from.mean - Math.log(factor);
  const error = Math.sqrt(from.error + to.error);
  if (error === 0) return above > 0 ? 0 : 1;
  const freedom = error ** 4 / (from.error ** 2 / (a.length - 1) + to.error ** 2 / (b.length - 1));
  return distributions().pt(above / error, freedom, undefined, false);
}

/** Of the logarithms: their mean, and the variance of that mean. */
function moments(values: readonly number[]): { readonly mean: number; readonly error: number } {
  const logs = values.map(Math.log);
  const mean = logs.reduce((sum, x) => sum + x, 0) / logs.length;
  const variance = logs.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (logs.length - 1);
  return { mean, error: variance / logs.length };
}
