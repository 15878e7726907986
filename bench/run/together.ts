/** Experiments that are measured together, because their cells are stages of the same histories. */

import type { CellSpec, Experiment } from "../base/experiment.js";
import { benchmarks } from "../scenarios/index.js";
import { placeIn } from "./places.js";

interface ExperimentCells {
  readonly experiment: Experiment;
  readonly cells: readonly CellSpec[];
}

/** Cells of one experiment, or of several that measure stages of the same histories. */
export interface Together {
  readonly experiments: readonly Experiment[];
  readonly cells: readonly CellSpec[];
}

/** Experiments whose cells one run measures are put together, in the place of the first; each other one is by itself. */
export function together(parts: readonly ExperimentCells[]): Together[] {
  const all: Together[] = [];
  const holders = new Map<string, number>();
  for (const { experiment, cells } of parts) {
    const names = historiesOf(cells);
    const known = names.flatMap((name) => holders.get(name) ?? []);
    const at = known.length > 0 ? Math.min(...known) : all.length;
    const { experiments, cells: before } = all[at] ?? { experiments: [], cells: [] };
    all[at] = { experiments: [...experiments, experiment], cells: [...before, ...cells] };
    for (const name of names) if (!holders.has(name)) holders.set(name, at);
  }
  return all;
}

export function historiesOf(cells: readonly CellSpec[]): string[] {
  return [...new Set(cells.flatMap((cell) => benchmarks[cell.bench]?.history?.(cell)?.name ?? []))];
}

/** Where in its figure a cell is. */
export function placeOf({ experiments }: Together): (cell: CellSpec) => string {
  const places = new Map(experiments.map((experiment) => [experiment.id, placeIn(experiment)]));
  return (cell) => places.get(cell.experiment)?.(cell) ?? "";
}
