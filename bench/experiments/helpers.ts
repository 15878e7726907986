/** All functions that an experiment's file may call, beside those of claims.ts: they make lists of plain values. */
import { combine } from "../base/combine.js";
import type { PaperMark, Series } from "../base/experiment.js";
import { rounded } from "../base/format.js";
import { PLAIN } from "../scenarios/allocation.js";
import { patterns } from "../scenarios/limits/patterns.js";
import { stridedUpdates } from "../scenarios/limits/strided.js";
import { paperNumber } from "./claims.js";

export { combine, paperNumber };

/** `count` powers of two, from 2^`exponent` on. */
export function powers(exponent: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => 2 ** (exponent + i));
}

/** Numbers from the one to the other, both included. */
export function range(from: number, to: number, step = 1): number[] {
  return Array.from({ length: Math.round((to - from) / step) + 1 }, (_, i) => from + i * step);
}

/** Load factors of tables with so many slots per pair; six digits, as rows have them. */
export function loadFactors(...slotsPerPair: readonly number[]): number[] {
  return slotsPerPair.map((slots) => rounded(1 / slots, 6));
}

type Members = Omit<Partial<Series>, "table">;

/** The series with these members too. `{}` in a label is the label that the series had. */
export function each(series: readonly Series[], { params, only, at, ...others }: Members): Series[] {
  return series.map((one) => ({
    ...one,
    ...others,
    ...(others.label === undefined ? {} : { label: others.label.replace("{}", one.label ?? one.table) }),
    ...(params && { params: { ...one.params, ...params } }),
    ...(only && { only: { ...one.only, ...only } }),
    ...(at && { at: { ...one.at, ...at } }),
  }));
}

/** The series at each value of the parameter. `{}` in a label is the value. */
export function along(series: readonly Series[], name: string, values: readonly number[]): Series[] {
  return values.flatMap((value) =>
    series.map(({ label = "", ...one }) => ({
      ...one,
      label: label.replace("{}", String(value)),
      params: { [name]: value, ...one.params },
    })),
  );
}

/** A series per load factor, with so many slots per pair. */
export function withSlots(series: Series, ...slotsPerPair: readonly number[]): Series[] {
  return loadFactors(...slotsPerPair).flatMap((loadFactor) => each([series], { at: { loadFactor } }));
}

/** Series of plain allocations, beside one with large pages. */
export function plain(series: readonly Series[]): Series[] {
  return each(series, { label: "{}, plain allocations", variant: "plain", params: PLAIN });
}

/** The access patterns of these kinds, or those of them with blocks of so many bytes. */
export function patternSeries(kinds: readonly string[], blockBytes?: readonly number[]): Series[] {
  return patterns
    .filter((one) => kinds.includes(one.kind) && blockBytes?.includes(one.blockBytes) !== false)
    .map(({ id, title, kind }) => ({ table: id, label: title, bench: "limit", only: { op: [kind] } }));
}

export function tablesOf(series: readonly Series[]): string[] {
  return series.map(({ table }) => table);
}

/** All updates at a stride. */
export function stridedSeries(): Series[] {
  return stridedUpdates.map(({ id, title }) => ({ table: id, label: title, bench: "strided" }));
}

/** What the claim states, as the value of a line, with the number in place of `{}` in the line's label. */
export function paperLine(claim: string, label: string): { readonly label: string; readonly value: number } {
  const value = paperNumber(claim);
  return { label: label.replace("{}", String(value)), value };
}

/**
 * A mark for each combination of the values: of `x`, `table`, `variant`, `metric`, and of columns. It shows what a claim states, whose
 * id is the text with the values in place of their names; or that over what `base` states.
 */
export function paperMarks(
  claim: string,
  values: Readonly<Record<string, readonly (string | number)[]>>,
  base?: string,
): PaperMark[] {
  return combine(values).map(({ table, x, variant, metric, ...where }) => {
    const named = Object.entries({ table, x, variant, metric, ...where });
    const id = named.reduce((text, [name, value]) => text.replace(`{${name}}`, String(value)), claim);
    return {
      table: String(table),
      x: x as number | string,
      value: paperNumber(id) / (base === undefined ? 1 : paperNumber(base)),
      ...(variant === undefined ? {} : { variant: String(variant) }),
      ...(metric === undefined ? {} : { metric: String(metric) }),
      ...(Object.keys(where).length === 0 ? {} : { where }),
    };
  });
}
