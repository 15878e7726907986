/**
 * Splits cells over machines by the time that they will take. Every machine computes the same split by itself, so it depends on
 * nothing that only one of them has: on no earlier run, no device, and not on the order of measuring.
 */
import type { CellSpec } from "../base/experiment.js";
import { groupBy } from "../results/group.js";
import { cellKey } from "../results/key.js";
import { byConstants, type Part } from "./estimate.js";
import { placeIn } from "./places.js";
import { historiesOf, type Together, together } from "./together.js";

export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly count: number;
}

/** Cells that stay together, and the seconds that they will take. */
interface Load {
  readonly seconds: number;
  readonly cells: readonly CellSpec[];
}

/** The shard's cells of every experiment. */
export function inShard<T extends Part>(parts: readonly T[], shard: Shard | undefined): readonly T[] {
  return shard ? (split(parts, shard.count)[shard.index - 1] ?? []) : parts;
}

/**
 * The cells of every experiment, of all shards. All cells of one, which are compared with each other, are in one shard, together with
 * experiments whose cells the same runs measure. What is longer than a shard's share of the time is in as many shards as it
 * needs, whole places of its figure in each.
 */
export function split<T extends Part>(parts: readonly T[], count: number): (readonly T[])[] {
  const units = together(parts).map((unit) => loadOf(unit, unit.cells));
  const share = units.reduce((sum, { seconds }) => sum + seconds, 0) / count;
  const loads = units.flatMap(({ unit, ...load }) => {
    // One that is as long as the share but for rounding is not longer.
    const pieces = Math.min(count, Math.ceil(load.seconds / share - 1e-6));
    return pieces > 1 ? spread(placesOf(unit), pieces) : [load];
  });
  const shards = spread(loads, count);
  const shardOf = new Map(shards.flatMap(({ cells }, i) => cells.map((cell) => [cellKey(cell), i] as const)));
  const split = parts.map(({ cells }) => groupBy(cells, (cell) => `${shardOf.get(cellKey(cell))}`));
  return shards.map((_, i) => parts.map((part, at) => ({ ...part, cells: split[at]?.get(`${i}`) ?? [] })));
}

function loadOf(unit: Together, cells: readonly CellSpec[]): Load & { readonly unit: Together } {
  const parts = unit.experiments.map((experiment) => {
    return { experiment, cells: cells.filter((cell) => cell.experiment === experiment.id) };
  });
  // The constants of a GPU, whatever the adapter is: others have other proportions, but a cell must not be lost between two kinds.
  const seconds = [...byConstants(parts, "gpu").values()];
  const sum = (of: "own" | "beside") => seconds.reduce((all, work) => all + work[of], 0);
  return { unit, cells, seconds: Math.max(sum("own"), sum("beside")) };
}

/** The places of the figures; those that one run measures are one. */
function placesOf(unit: Together): Load[] {
  const places = new Map(unit.experiments.map((experiment) => [experiment.id, placeIn(experiment)]));
  let groups: { names: Set<string>; cells: CellSpec[] }[] = [];
  for (const cell of unit.cells) {
    const place = `${cell.experiment} ${places.get(cell.experiment)?.(cell)}`;
    const names = [place, ...historiesOf([cell])];
    const joined = groups.filter((group) => names.some((name) => group.names.has(name)));
    groups = groups.filter((group) => !joined.includes(group));
    groups.push({
      names: new Set([...joined.flatMap((group) => [...group.names]), ...names]),
      cells: [...joined.flatMap(({ cells }) => cells), cell],
    });
  }
  return groups.map(({ cells }) => loadOf(unit, cells));
}

/** So many loads of all these: the longest first, each to the one that has the least so far. */
function spread(loads: readonly Load[], count: number): Load[] {
  const all = Array.from({ length: count }, (): { seconds: number; cells: CellSpec[] } => ({ seconds: 0, cells: [] }));
  for (const load of loads.toSorted((a, b) => b.seconds - a.seconds)) {
    const least = all.reduce((a, b) => (b.seconds < a.seconds ? b : a));
    least.seconds += load.seconds;
    least.cells.push(...load.cells);
  }
  return all;
}
