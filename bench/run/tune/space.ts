/** The space that `tune` searches: the values of each parameter of a table, and load factors. */

import { configure, conflictOf } from "../../../kernels/define.js";
import { UsageError } from "../../../kernels/device/errors.js";
import { namesOf, suggestion } from "../../../kernels/parameters.js";
import type { Params, Scalar, TableParameter, TableType } from "../../../kernels/table.js";
import { decimals, rounded } from "../../base/format.js";

export interface Point {
  /** Null for a dense table. */
  readonly loadFactor: number | null;
  /** Parameters that differ from the defaults. */
  readonly params: Params;
}

/** What differs between points: a parameter or the load factor (LOAD_FACTOR, which is not the name of a parameter). */
export interface Dimension {
  readonly name: string;
  readonly values: readonly Scalar[];
}

export const LOAD_FACTOR = "load factor";
/** Values of a parameter with a range, beside its default. */
const SAMPLES = 5;
/** A range of no more whole numbers than these is tried as a whole. */
const FEW = 9;

/** Equal for equal points. */
export function pointKey({ loadFactor, params }: Point): string {
  return JSON.stringify([loadFactor, ...Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1))]);
}

/**
 * Values to try: all of a list; of a range some around the default, or at even distances where the default is not above 0.
 */
export function valuesOf(parameter: TableParameter): Scalar[] {
  return [...new Set<Scalar>([parameter.default, ...candidates(parameter)])];
}

function candidates(parameter: TableParameter): readonly Scalar[] {
  if ("values" in parameter) return parameter.values;
  const { from, to, integer, default: usual } = parameter;
  if (integer && to - from < FEW) return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const whole = (value: number): number => (integer ? Math.round(value) : rounded(value, 3));
  if (typeof usual === "number" && usual > 0)
    return [usual / 4, usual / 2, 2 * usual, 4 * usual].map(whole).filter((value) => value >= from && value <= to);
  const share = (i: number): number => i / (SAMPLES - 1);
  // Among whole numbers from 0 on, the small ones make the most difference.
  const at = (i: number): number => (integer ? (to - from + 1) ** share(i) - 1 + from : from + (to - from) * share(i));
  return Array.from({ length: SAMPLES }, (_, i) => whole(at(i)));
}

interface SpaceOptions {
  /** Parameters that are set by hand, and not varied. */
  readonly fixed: Params;
  /** Parameters to vary; by default all that do not change the task. */
  readonly vary?: readonly string[];
  /** The first is where the search begins. */
  readonly loadFactors: readonly number[];
}

/**
 * The dimensions that the search varies. Throws a UsageError for a parameter that the table does not have or that is fixed too, and if
 * nothing varies.
 */
export function dimensionsOf(type: TableType, { fixed, vary, loadFactors }: SpaceOptions): Dimension[] {
  for (const name of vary ?? []) {
    if (!type.parameters.some((one) => one.name === name))
      throw new UsageError(
        `--vary ${name}: ${type.id} has no such parameter${suggestion(name, namesOf(type.parameters))}`,
      );
    if (name in fixed) throw new UsageError(`--vary ${name}: --param sets it to ${fixed[name]}`);
  }
  const varied = type.parameters.filter(({ name, task }) => (vary ? vary.includes(name) : !task && !(name in fixed)));
  const dimensions = [
    ...varied.map((parameter) => ({ name: parameter.name, values: valuesOf(parameter) })),
    ...(type.dense ? [] : [{ name: LOAD_FACTOR, values: loadFactors }]),
  ].filter(({ values }) => values.length > 1);
  if (dimensions.length === 0)
    throw new UsageError(
      `${type.id} has nothing to vary: no such parameter, and one load factor; give several --load-factor`,
    );
  return dimensions;
}

/** Where the search begins: the defaults, with what is fixed. */
export function startOf(type: TableType, { fixed, loadFactors }: SpaceOptions): Point {
  return { loadFactor: type.dense ? null : (loadFactors[0] ?? null), params: fixed };
}

/** The point with another value in one dimension. */
export function moved(type: TableType, point: Point, name: string, value: Scalar): Point {
  if (name === LOAD_FACTOR) return { ...point, loadFactor: Number(value) };
  const { [name]: _, ...params } = point.params;
  return { ...point, params: value === type.params[name] ? params : { ...params, [name]: value } };
}

/** Why the table does not take the point; "" if it may. */
export function impossible(type: TableType, { loadFactor, params }: Point): string {
  const conflict = conflictOf(type, params);
  if (conflict) return conflict;
  const { maxLoadFactor: most } = configure(type, params);
  return loadFactor !== null && loadFactor > most ? `its load factor is at most ${decimals(most, 3)}` : "";
}
