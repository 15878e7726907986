/**
 * The order of measuring: blocks of experiments, one after another; in a block its cells place by place; and cells that one run measures
 * as a bundle. A worker takes as many bundles at a time as fit in memory (group.ts).
 */
import { isForThread, LEAST } from "../../datasets/ahead.js";
import { casesOf } from "../base/combine.js";
import type { CellSpec, Experiment } from "../base/experiment.js";
import { groupBy } from "../results/group.js";
import { datasetOf } from "../scenarios/bulk-table.js";
import { benchmarks, bytesOf } from "../scenarios/index.js";

export interface Part {
  readonly experiment: Experiment;
  readonly cells: readonly CellSpec[];
}

/** Cells of one experiment, or of several that measure stages of the same histories. */
export interface Block {
  readonly experiments: readonly Experiment[];
  readonly cells: readonly CellSpec[];
}

/** Cells that one run measures, those of one history: the first of them is the longest. */
export type Bundle<T> = readonly [T, ...T[]];

/** The parts with those of their cells for which `which` holds. */
export function only<T extends Part>(parts: readonly T[], which: (cell: CellSpec) => boolean): T[] {
  return parts.map((part) => ({ ...part, cells: part.cells.filter(which) }));
}

/** Experiments whose cells one run measures are a block, in the place of the first; each other one is a block by itself. */
export function blocks(parts: readonly Part[]): Block[] {
  const all: Block[] = [];
  const holders = new Map<string, number>();
  for (const { experiment, cells } of parts) {
    if (cells.length === 0) continue;
    const names = historiesOf(cells);
    const known = names.flatMap((name) => holders.get(name) ?? []);
    const at = known.length > 0 ? Math.min(...known) : all.length;
    const { experiments, cells: before } = all[at] ?? { experiments: [], cells: [] };
    all[at] = { experiments: [...experiments, experiment], cells: [...before, ...cells] };
    for (const name of names) if (!holders.has(name)) holders.set(name, at);
  }
  return all;
}

/** A block for each place of a figure. Stages of histories stay together. */
export function byPlace(all: readonly Block[]): Block[] {
  return all.flatMap((block) => {
    if (historiesOf(block.cells).length > 0) return [block];
    const places = groupBy(block.cells, placeIn(block.experiments));
    return [...places.values()].map((cells) => ({ ...block, cells }));
  });
}

/** Puts blocks whose data sets the host makes last: threads make these sets while the other blocks are measured. The order is else kept. */
export async function readyFirst(all: readonly Block[]): Promise<Block[]> {
  const made = await Promise.all(all.map(isMade));
  return [...all.filter((_, i) => !made[i]), ...all.filter((_, i) => made[i])];
}

async function isMade({ cells }: Block): Promise<boolean> {
  const large = cells
    .filter(({ n }) => n >= LEAST)
    .map((cell) => ({ dataset: datasetOf(cell), n: cell.n, seed: cell.seed }));
  const sets = new Map(large.map((set) => [JSON.stringify(set), set]));
  return (await Promise.all([...sets.values()].map(isForThread))).includes(true);
}

/**
 * Where in its figure a cell is: data set, operation, n, load factor and the parameters that are axes. The series and the share of
 * present keys do not count, as one table serves all shares. A reader compares the cells at one place.
 */
export function placeIn(experiments: readonly Experiment[]): (cell: CellSpec) => string {
  const axes = new Map(experiments.map((experiment) => [experiment.id, axesOf(experiment)]));
  return ({ experiment, dataset, op, n, loadFactor, params }) => {
    const names = axes.get(experiment) ?? [];
    return JSON.stringify([experiment, dataset, op, n, loadFactor, ...names.map((name) => params[name])]);
  };
}

function axesOf({ axes, quick }: Experiment): string[] {
  const declared = [axes, quick ?? {}].flatMap(casesOf);
  return [...new Set(declared.flatMap(Object.keys))].sort();
}

/** Bundles of items that one run measures, in the order of each bundle's first item. */
export function bundles<T>(items: readonly T[], specOf: (item: T) => CellSpec): Bundle<T>[] {
  const known = items.map((item, i) => {
    const history = historyOf(specOf(item));
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

export function historiesOf(cells: readonly CellSpec[]): string[] {
  return [...new Set(cells.flatMap((cell) => historyOf(cell)?.name ?? []))];
}

/** Bytes of the cell; null of one that cannot be prepared: whoever prepares it hears why. */
export function knownBytes(cell: CellSpec): ReturnType<typeof bytesOf> | null {
  try {
    return bytesOf(cell);
  } catch {
    return null;
  }
}

function historyOf(cell: CellSpec) {
  return benchmarks[cell.bench]?.history?.(cell);
}
