/** Whether a number agrees with a paper's, and both in words. */
import { significant } from "../base/format.js";
import type { Check, Expectation, Range, Target } from "./claim.js";
import type { Quantity } from "./quantity.js";
import { ALIKE, type Judgement, LINEAR, MUCH, type Precision, SMALL } from "./rule.js";

/** Of float arithmetic. */
const ROUNDING = 1e-9;

/** Below 0 where the number itself is not accepted; the smaller, the less favourable. */
export function margin(value: number, expectation: Expectation, precision: Precision): number {
  if ("above" in expectation) return value - expectation.above;
  const { from, to } = bounds(expectation, precision);
  return Math.min(value - from, to - value);
}

/** Whether the number agrees, by the rule of rule.ts. */
export function judge(quantity: Quantity, expectation: Expectation, precision: Precision): Judgement {
  const { value } = quantity;
  const reach = precision.floor * Math.abs(value) + ROUNDING;
  const lo = Math.min(quantity.lo, value - reach);
  const hi = Math.max(quantity.hi, value + reach);
  const isAlike = lo > 1 - precision.tie && hi < 1 + precision.tie;
  if ("above" in expectation) {
    if (lo > 1) return value >= 1 + SMALL ? "agrees" : "small";
    return hi < 1 ? "differs" : isAlike ? "alike" : "tie";
  }
  if ("slightly" in expectation && lo < 1 && hi > 1) return isAlike ? "alike" : "tie";
  const { from, to } = bounds(expectation, precision);
  const agrees = Number.isFinite(to - from)
    ? value >= from - ROUNDING && value <= to + ROUNDING
    : (lo + 2 * ROUNDING >= from && hi - 2 * ROUNDING <= to) || (isAlike && (from === 1 || to === 1));
  if (agrees) return "agrees";
  return hi < from || lo > to ? "differs" : "tie";
}

/** Whether the paper states a number or a range, not a bound. */
export function isTarget(expectation: Expectation): expectation is Target {
  return "from" in expectation && "to" in expectation;
}

/** Whether quotients of 1 are accepted: that the two are alike. */
export function isLikeness({ from, to }: Target): boolean {
  return from <= 1 && to >= 1;
}

/** The accepted range; of a bound, one end is infinite. */
function bounds(
  expectation: Exclude<Expectation, { above: 1 }>,
  { within, quotient, share }: Precision,
): { readonly from: number; readonly to: number } {
  if ("slightly" in expectation) {
    return expectation.slightly === "more" ? { from: 1, to: 1 + within } : { from: 1 - within, to: 1 };
  }
  const { from: low = Number.NEGATIVE_INFINITY, to: high = Number.POSITIVE_INFINITY } = expectation;
  if (!isTarget(expectation)) return { from: low, to: high };
  if (quotient) {
    const from = withGain(low, low > 1 ? 1 - within : 1 + within);
    const to = withGain(high, high < 1 ? 1 - within : 1 + within);
    return isLikeness(expectation) ? { from: Math.min(from, 1 - ALIKE), to: Math.max(to, 1 + ALIKE) } : { from, to };
  }
  const to = high + Math.abs(high) * within;
  return { from: low - Math.abs(low) * within, to: share && high <= 1 ? Math.min(1, to) : to };
}

/** A quotient of so many times the gain; below 1 the gain is of the other side. */
function withGain(quotient: number, times: number): number {
  return quotient >= 1 ? 1 + (quotient - 1) * times : 1 / (1 + (1 / quotient - 1) * times);
}

/** What is accepted: `0.996 to 1.66`, `above 1, up to 1.25`, `at least 1`; of a share in per cent if that is its factor. */
export function accepted(expectation: Expectation, precision: Precision, factor = 1): string {
  if ("above" in expectation) return "above 1";
  if (!("slightly" in expectation))
    return stated(scale(isTarget(expectation) ? bounds(expectation, precision) : expectation, factor));
  const { from, to } = bounds(expectation, precision);
  return expectation.slightly === "more"
    ? `above 1, up to ${significant(to * factor)}`
    : `below 1, down to ${significant(from * factor)}`;
}

/** Multiplies the paper's number, for another device or unit. */
export function scale(range: Range, factor: number): Range {
  return Object.fromEntries(Object.entries(range).map(([end, value]) => [end, value * factor]));
}

/** The paper's own number, range or bound. */
export function stated({ from, to }: Range, digits = 3): string {
  const shown = (value = Number.NaN) => significant(value, digits);
  if (to === undefined) return `at least ${shown(from)}`;
  if (from === undefined) return `at most ${shown(to)}`;
  return from === to ? shown(from) : `${shown(from)} to ${shown(to)}`;
}

/** `1.30 to 1.36`; "" where the ends are the value. */
export function interval({ value, lo, hi }: Quantity): string {
  if (lo === value && hi === value) return "";
  // As many digits as tell the ends apart, three at least.
  const spread = Math.abs(hi - lo) / Math.max(Math.abs(value), Number.MIN_VALUE);
  const digits = Math.min(6, Math.max(3, 1 - Math.floor(Math.log10(spread || 1))));
  return `${significant(lo, digits)} to ${significant(hi, digits)}`;
}

export const PER_CENT = 100;

/** Rates above 1,000 M in G, times in ms, µs or ns, shares in per cent. */
export function prefix(value: number, unit: string): { factor: number; unit: string } {
  if (unit === "%") return { factor: PER_CENT, unit };
  if (unit === "M op/s") return value >= 1000 ? { factor: 1e-3, unit: "G op/s" } : { factor: 1, unit };
  if (unit === "ns" && value >= 1e3) return value >= 1e6 ? { factor: 1e-6, unit: "ms" } : { factor: 1e-3, unit: "µs" };
  return { factor: 1, unit };
}

/** `1.33×`, `65 %`, `3.2 G op/s`. */
export function withUnit(value: number, unit: string): string {
  if (unit === "×") return joined(unlikeOne(value), unit);
  const shown = prefix(value, unit);
  return joined(significant(value * shown.factor), shown.unit);
}

export function statedWithUnit(range: Range, unit: string, digits = 3): string {
  const shown = prefix(Math.max(...Object.values(range)), unit);
  return joined(stated(scale(range, shown.factor), digits), shown.unit);
}

function joined(text: string, unit: string): string {
  return unit === "×" ? `${text}×` : `${text} ${unit}`.trim();
}

/** `1.33`, and `1.004`: with so many digits, of six, that only 1 is written as 1. */
export function unlikeOne(value: number): string {
  return significant(value, [3, 4, 5, 6].find((digits) => significant(value, digits) !== "1") ?? 3);
}

/** What the paper says by what is checked, as short as in a table: `1.33×`, `faster`, `rises`, `512 M op/s`. */
export function inShort(check: Check): string {
  switch (check.kind) {
    case "order":
      return check.of.length === 2 ? "in this order" : `this order of ${check.of.length}`;
    case "course": {
      const how = check.how === "crosses" ? `crosses 1 from ${check.begins}` : check.how;
      return check.at ? `${how} at ${stated(check.at)}` : how;
    }
    case "correlation":
      return isLinear(check.expect) ? "linear" : `r ${inWords(check.expect, "")}`;
    case "device":
      return statedWithUnit(check.expect, check.unit, PAPER_DIGITS);
    case "number": {
      const { expect } = check;
      const least = "above" in expect ? 1 : isTarget(expect) || !("from" in expect) ? 0 : expect.from;
      if (check.over && check.unit === "×" && isTarget(expect) && expect.from === 1 && expect.to === 1) return "alike";
      const { metric = "mops" } = check.of;
      if (!check.over || (least !== 1 && least !== MUCH)) return inWords(check.expect, check.unit);
      const [higher, lower] = RATES.includes(metric) ? ["faster", "slower"] : ["more", "less"];
      return `${least === MUCH ? "much " : ""}${check.turned ? lower : higher}`;
    }
  }
}

function isLinear(expect: Expectation): boolean {
  return "from" in expect ? expect.from === LINEAR : "to" in expect && expect.to === -LINEAR;
}

/** As many as papers print. */
const PAPER_DIGITS = 6;
const RATES: readonly string[] = ["mops", "counted_mops"];

function inWords(expect: Expectation, unit: string): string {
  if ("slightly" in expect) return `slightly ${expect.slightly}`;
  if ("above" in expect) return "more";
  return statedWithUnit(expect, unit, PAPER_DIGITS);
}
