/** Tests of two means, one-sided, of the logarithms: Welch's, and one of a known deviation; the distributions are R's (lib-r-math.js). */
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

/**
 * The same where a side may have a single value: of a normal distribution with this standard deviation, or with that of the side's own
 * values if it is larger. 1 where either side has no value.
 */
export function singleP(a: readonly number[], b: readonly number[], factor: number, deviation: number): number {
  if (a.length === 0 || b.length === 0) return 1;
  const known = (values: readonly number[]) => {
    const { mean, error } = moments(values);
    return { mean, error: Math.max(values.length > 1 ? error : 0, deviation ** 2 / values.length) };
  };
  const [from, to] = [known(a), known(b)];
  const above = to.mean - from.mean - Math.log(factor);
  return distributions().pnorm(above / Math.sqrt(from.error + to.error), 0, 1, false);
}

/** Of the logarithms: their mean, and the variance of that mean. */
function moments(values: readonly number[]): { readonly mean: number; readonly error: number } {
  const logs = values.map(Math.log);
  const mean = logs.reduce((sum, x) => sum + x, 0) / logs.length;
  const variance = logs.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (logs.length - 1);
  return { mean, error: variance / logs.length };
}
