/** Numbers with an interval. Operations carry the ends along, so that a result's interval holds whatever its inputs' hold. */
import { mean as arithmeticMean, geometricMean, harmonicMean, median } from "simple-statistics";
import type { Mean } from "./claim.js";

export interface Quantity {
  readonly value: number;
  readonly lo: number;
  readonly hi: number;
}

export function exactly(value: number): Quantity {
  return { value, lo: value, hi: value };
}

/** a / b of positive quantities. */
export function over(a: Quantity, b: Quantity): Quantity {
  return { value: a.value / b.value, lo: a.lo / b.hi, hi: a.hi / b.lo };
}

const MEANS: Readonly<Record<Exclude<Mean, "every">, (values: number[]) => number>> = {
  mean: arithmeticMean,
  geomean: geometricMean,
  harmean: harmonicMean,
  median,
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
};

/** The mean of quantities. All means rise with each value, so the ends of the interval are the means of the ends. */
export function meanOf(quantities: readonly Quantity[], how: Exclude<Mean, "every">): Quantity {
  const of = (end: (q: Quantity) => number): number => MEANS[how](quantities.map(end));
  return { value: of((q) => q.value), lo: of((q) => q.lo), hi: of((q) => q.hi) };
}
