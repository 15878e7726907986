/** Which cells of a figure are compared with each other. */
import { casesOf } from "../base/combine.js";
import type { CellSpec, Experiment } from "../base/experiment.js";

/**
 * Where in its figure a cell is, whatever its series and its share of present keys, which all ask one table for: data set,
 * operation, n, load factor and the parameters that are axes. The cells at one place are what a reader compares.
 */
export function placeIn({ axes, quick }: Experiment): (cell: CellSpec) => string {
  const declared = [axes, quick ?? {}].flatMap(casesOf);
  const names = [...new Set(declared.flatMap(Object.keys))].sort();
  return ({ dataset, op, n, loadFactor, params }) =>
    JSON.stringify([dataset, op, n, loadFactor, ...names.map((name) => params[name])]);
}
