/** Numbers for people: the unit a figure is drawn in, ticks of an axis and their labels. */

import { formatNumber, rounded } from "../../bench/base/format.js";

/** A unit and the factor that turns a row's values into it. */
export interface DisplayUnit {
  readonly factor: number;
  readonly unit: string;
}

/** Spellings of 10^6 operations a second. */
const MOPS = /^(mops|mop\/s|m ?ops?\/s)$/i;
/** A rate of things counted, such as `M accesses/s` or `G op/s`; not of bytes. */
const RATE = /^(k(?= )|[MG]|) ?([a-z]{2,}(?: [a-z]+)?)\/s$/;
/** Matches a unit in a title's parentheses. */
const UNIT_LIKE = /^(%|.+\/.+|[kMGT]?i?B|ns|us|µs|ms|s|mops|MOPS)$/;
const RATE_PREFIXES = ["", "k", "M", "G"];
const BANDWIDTHS = ["B/s", "kB/s", "MB/s", "GB/s", "TB/s"];
const TIME_UNITS = ["ns", "µs", "ms", "s"];

/**
 * The unit in which values up to `max` (given in `unit`) have labels of few digits. A rate, a bandwidth or a time moves by powers of 1000 until the
 * largest value is between 2 and 2000. Any other unit stays as it is.
 */
export function displayUnit(unit: string, max: number): DisplayUnit {
  const { units, from } = unitsLike(unit);
  const { factor, index } = rescale(from, units.length, max);
  return { factor, unit: units[index] ?? unit };
}

/** The units that differ from one in their prefix, by size, and its place among them. */
function unitsLike(unit: string): { readonly units: readonly string[]; readonly from: number } {
  const rate = MOPS.test(unit) ? ["", "M", "op"] : RATE.exec(unit);
  if (rate) {
    const [, prefix = "", thing = ""] = rate;
    const units = RATE_PREFIXES.map((one) => `${one} ${thing}/s`.trim());
    return { units, from: RATE_PREFIXES.indexOf(prefix) };
  }
  const spelt = unit.replace(/^us$/, "µs");
  const units = [BANDWIDTHS, TIME_UNITS].find((all) => all.includes(spelt)) ?? [unit];
  return { units, from: Math.max(0, units.indexOf(spelt)) };
}

/** A value with its unit, in few digits: `12.3 G op/s`. */
export function amountOf(value: number, unit: string): string {
  const { factor, unit: shown } = displayUnit(unit, value);
  return `${formatNumber(value * factor, 3)} ${shown}`.trim();
}

/** Whether two units are one, whatever their spelling: `MOPS` and `M op/s`. */
export function sameUnit(a: string, b: string): boolean {
  return displayUnit(a, 1).unit === displayUnit(b, 1).unit;
}

/** Whether two units differ in their prefix at most. */
function sameKind(a: string, b: string): boolean {
  return displayUnit(a, Number.MIN_VALUE).unit === displayUnit(b, Number.MIN_VALUE).unit;
}

function rescale(from: number, count: number, max: number): { factor: number; index: number } {
  let index = from;
  let value = Math.abs(max);
  while (value >= 2000 && index < count - 1) {
    value /= 1000;
    index++;
  }
  while (value > 0 && value < 0.5 && index > 0) {
    value *= 1000;
    index--;
  }
  return { factor: 1000 ** (from - index), index };
}

const END_UNIT = /\s*\(([^()]*)\)\s*$/;

/** The unit in parentheses at a title's end, "" without one. */
export function writtenUnit(title: string): string {
  return END_UNIT.exec(title)?.[1] ?? "";
}

/** `title (unit)`; a unit that the title has in parentheses already is replaced by one of its kind, else kept. A word of the title is said once. */
export function titleWithUnit(title: string, unit: string): string {
  if (unit === "" || title.toLowerCase().split(" ").includes(unit)) return title;
  const end = END_UNIT.exec(title);
  const written = writtenUnit(title);
  if (!end || !(sameKind(written, unit) || UNIT_LIKE.test(written))) return `${title} (${unit})`;
  return sameKind(written, unit) ? `${title.slice(0, end.index)} (${unit})` : title;
}

/** Ticks at a round step that cover min … max, about `count` of them; the first and last may lie outside. */
export function niceTicks(min: number, max: number, count = 5): number[] {
  const span = max - min || Math.abs(max) || 1;
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5, 10].find((m) => m * power >= rough * 0.999) ?? 10);
  const first = Math.floor(min / step + 1e-9);
  const last = Math.ceil(max / step - 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => rounded((first + i) * step, 12));
}

/** Multiples of the powers of ten that are ticks, where at most `most` of them fit. */
const STEPS = [
  { steps: [1, 2, 3, 4, 5, 6, 8], most: 8 },
  { steps: [1, 2, 5], most: 10 },
] as const;
const MOST_POWERS = 9;
/** A log axis spans more than this: a value between its ends, not a flat line blown up. */
const LEAST_SPAN = 1.5;

/** Ticks of a log axis from the last below `min` to the first above `max` (both > 0), as close as they have room. */
export function decadeTicks(min: number, max: number): { domain: [number, number]; ticks: number[] } {
  if (max < LEAST_SPAN * min) return decadeTicks(min / LEAST_SPAN, max * LEAST_SPAN);
  const powers = powersOfTen(min, max);
  for (const { steps, most } of STEPS) {
    const all = powers.flatMap((ten) => steps.map((step) => rounded(step * ten, 3)));
    const from = all.findLast((t) => t <= min * 1.0001) ?? min;
    const to = all.find((t) => t >= max * 0.9999) ?? max;
    const ticks = all.filter((t) => t >= from && t <= to);
    if (ticks.length <= most) return { domain: [from, to], ticks };
  }
  return { domain: [powers[0] ?? min, powers.at(-1) ?? max], ticks: thin(powers, MOST_POWERS) };
}

/** Powers of ten from below `min` to above `max` (both > 0). */
export function powersOfTen(min: number, max: number): number[] {
  const low = Math.floor(Math.log10(min) + 1e-9);
  const high = Math.ceil(Math.log10(max) - 1e-9);
  return Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
}

/** Powers of two between `min` and `max` (both > 0), at most `count` of them, at even distances. */
export function octaveTicks(min: number, max: number, count: number): number[] {
  const low = Math.ceil(Math.log2(min) - 1e-9);
  const high = Math.floor(Math.log2(max) + 1e-9);
  const all = Array.from({ length: Math.max(0, high - low + 1) }, (_, i) => 2 ** (low + i));
  return thin(all, count);
}

function thin(values: readonly number[], count: number): number[] {
  const every = Math.max(1, Math.ceil(values.length / Math.max(1, count)));
  return values.filter((_, i) => i % every === 0);
}

/** Whether every value is a power of two, within a rounding error of 1e-9. */
export function arePowersOfTwo(values: readonly number[]): boolean {
  return values.every((v) => v > 0 && Math.abs(Math.log2(v) - Math.round(Math.log2(v))) < 1e-9);
}
