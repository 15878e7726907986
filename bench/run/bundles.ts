/** Which cells one run measures together: those of one history. */

import type { CellSpec } from "../base/experiment.js";
import { groupBy } from "../results/group.js";
import { benchmarks } from "../scenarios/index.js";

/** The first of them is the longest of their history. */
export type Bundle<T> = readonly [T, ...T[]];

/** In the order of each one's first item. */
export function bundles<T>(items: readonly T[], specOf: (item: T) => CellSpec): Bundle<T>[] {
  const known = items.map((item, i) => {
    const spec = specOf(item);
    const history = benchmarks[spec.bench]?.history?.(spec);
    return { item, name: history ? `history ${history.name}` : `cell ${i}`, length: history?.length ?? 0 };
  });
  return [...groupBy(known, ({ name }) => name).values()].flatMap((group) => {
    const [first, ...others] = group.toSorted((a, b) => b.length - a.length).map(({ item }) => item);
    return first === undefined ? [] : [[first, ...others] as const];
  });
}

/** The cells whose runs measure all of them. */
export function runsFor(cells: readonly CellSpec[]): CellSpec[] {
  return bundles(cells, (cell) => cell).map(([first]) => first);
}
