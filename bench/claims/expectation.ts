/** Whether a number agrees with a paper's, and both in words. */
import type { Expectation } from "./claim.js";
import { exactly, meanOf, type Quantity } from "./quantity.js";

/** How far a number may be from the paper's where the claim does not say, relative. */
const WITHIN = 0.25;

/** By how much a single cell of `every` may miss what is accepted, relative: `compare` takes as much for no change. */
export const TIE = 0.05;

/** Above 0 where the number agrees; the smaller, the less favourable. */
export function margin(value: number, expectation: Expectation): number {
  return marginOf(exactly(value), expectation);
}

/**
 * The margin of the most favourable number in the interval: an interval that reaches what is accepted does not contradict it. Of a
 * wide interval only what is within {@link TIE} of the value counts, so that noise does not make a number agree.
 */
function marginOf({ value, ...ends }: Quantity, expectation: Expectation): number {
  const reach = TIE * Math.abs(value);
  const [lo, hi] = [Math.max(ends.lo, value - reach), Math.min(ends.hi, value + reach)];
  if ("atLeast" in expectation) return hi - expectation.atLeast + 1e-9;
  if ("atMost" in expectation) return expectation.atMost - lo + 1e-9;
  const { from, to } = bounds(expectation);
  return Math.min(hi - from, to - lo) + 1e-9;
}

export function agrees(quantity: Quantity, expectation: Expectation): boolean {
  return marginOf(quantity, expectation) >= 0;
}

/** Whether every number agrees: their median does, and none misses by more than {@link TIE}. */
export function allAgree(quantities: readonly Quantity[], expectation: Expectation): boolean {
  const widened = quantities.map(({ value, lo, hi }) => ({ value, lo: lo * (1 - TIE), hi: hi * (1 + TIE) }));
  return agrees(meanOf(quantities, "median"), expectation) && widened.every((q) => agrees(q, expectation));
}

/** Whether a quotient is on the side of 1 that is accepted: at 0.97 nothing is faster, however near that is to 1. */
export function keepsSide(quotient: number, expectation: Expectation): boolean {
  if ("atLeast" in expectation) return expectation.atLeast < 1 || quotient >= 1;
  if ("atMost" in expectation) return expectation.atMost > 1 || quotient <= 1;
  return true;
}

/** Whether the accepted range has 1 in it: of quotients, that the two are alike. */
export function isLikeness(expectation: Extract<Expectation, { within?: number }>): boolean {
  const { from, to } = bounds(expectation);
  return from <= 1 && to >= 1;
}

/** The accepted range of an expectation that has two ends. */
function bounds(expectation: Extract<Expectation, { within?: number }>): { from: number; to: number } {
  const { within = WITHIN } = expectation;
  const [low, high] = "near" in expectation ? [expectation.near, expectation.near] : [expectation.from, expectation.to];
  return { from: low - Math.abs(low) * within, to: high + Math.abs(high) * within };
}

/** What is accepted: `0.996 to 1.66`, `at least 1`. */
export function accepted(expectation: Expectation): string {
  if ("atLeast" in expectation) return `at least ${number(expectation.atLeast)}`;
  if ("atMost" in expectation) return `at most ${number(expectation.atMost)}`;
  const { from, to } = bounds(expectation);
  return `${number(from)} to ${number(to)}`;
}

/** Multiplies the bounds, for numbers scaled to another device. */
export function scale(expectation: Expectation, factor: number): Expectation {
  const entries = Object.entries(expectation).map(([key, value]) => [key, key === "within" ? value : value * factor]);
  return Object.fromEntries(entries) as Expectation;
}

/** The paper's own number or range. */
export function stated(expectation: Expectation): string {
  if ("near" in expectation) return number(expectation.near);
  if ("from" in expectation) return `${number(expectation.from)} to ${number(expectation.to)}`;
  return accepted(expectation);
}

/** Three significant digits, thousands separated: `1.33`, `8,730`. */
export function number(value: number): string {
  return value.toLocaleString("en-US", { maximumSignificantDigits: 3 });
}

/** `1.30 to 1.36`; "" where the ends are the value. */
export function interval({ value, lo, hi }: Quantity): string {
  if (lo === value && hi === value) return "";
  // As many digits as tell the ends apart, three at least.
  const spread = Math.abs(hi - lo) / Math.max(Math.abs(value), Number.MIN_VALUE);
  const digits = Math.min(6, Math.max(3, 1 - Math.floor(Math.log10(spread || 1))));
  const write = (end: number) => end.toLocaleString("en-US", { maximumSignificantDigits: digits });
  return `${write(lo)} to ${write(hi)}`;
}
