/** Whether a number agrees with a paper's, and both in words. */
import type { Expectation } from "./claim.js";
import type { Quantity } from "./quantity.js";

/** How far a number may be from the paper's where the claim does not say, relative. */
export const WITHIN = 0.25;

/** Above 0 where the number agrees; the smaller, the less favourable. */
export function margin(value: number, expectation: Expectation): number {
  if ("atLeast" in expectation) return value - expectation.atLeast + 1e-9;
  if ("atMost" in expectation) return expectation.atMost - value + 1e-9;
  const { from, to } = bounds(expectation);
  return Math.min(value - from, to - value) + 1e-9;
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
