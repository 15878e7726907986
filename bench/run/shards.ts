/**
 * Splits cells over machines by the time that they will take. Every machine computes the same split by itself. So the split depends on
 * the runs that came with hashbench alone, not on other runs, a device or the order of measuring.
 */
import type { CellSpec } from "../base/experiment.js";
import { groupBy } from "../results/group.js";
import { cellKey } from "../results/key.js";
import { pairsOf, type WorkSeconds, workBy } from "./estimate.js";
import { type Block, blocks, historiesOf, type Part, placeIn, runsFor } from "./order.js";

export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly count: number;
}

/** Seconds of experiments in a run that came with hashbench. */
export type Times = ReadonlyMap<string, WorkSeconds>;

/** Cells that stay together, and the seconds that they will take. */
interface Load extends WorkSeconds {
  readonly cells: readonly CellSpec[];
}

/** CPU tables are measured beside the others. */
const longer = ({ own, beside }: WorkSeconds) => Math.max(own, beside);
const sum = (a: WorkSeconds, b: WorkSeconds) => ({ own: a.own + b.own, beside: a.beside + b.beside });
const NONE: WorkSeconds = { own: 0, beside: 0 };

/**
 * The cells of every experiment, of all shards. All cells of one, which are compared with each other, are in one shard, together with
 * experiments whose cells the same runs measure. What is longer than a shard's share of the time is in as many shards as it
 * needs, whole places of its figure in each.
 */
export function split<T extends Part>(parts: readonly T[], count: number, times: Times): (readonly T[])[] {
  const secondsOf = loads(parts, times);
  const loadOf = (cells: readonly CellSpec[]): Load => ({ cells, ...secondsOf(cells) });
  const units = blocks(parts);
  const loaded = units.map(({ cells }) => loadOf(cells));
  const share = longer(loaded.reduce(sum, NONE)) / count;
  const all = loaded.flatMap((load, i) => {
    // One that is as long as the share but for rounding is not longer.
    const pieces = Math.min(count, Math.ceil(longer(load) / share - 1e-6));
    const unit = units[i];
    return pieces > 1 && unit ? spread(placesOf(unit).map(loadOf), pieces) : [load];
  });
  const shards = spread(all, count);
  const shardOf = new Map(shards.flatMap(({ cells }, i) => cells.map((cell) => [cellKey(cell), i] as const)));
  const split = parts.map(({ cells }) => groupBy(cells, (cell) => `${shardOf.get(cellKey(cell))}`));
  return shards.map((_, i) => parts.map((part, at) => ({ ...part, cells: split[at]?.get(`${i}`) ?? [] })));
}

/**
 * Seconds of some of the cells: of what their experiments took half by the number of runs, and half by their pairs. The runs of an
 * experiment that none took are as long as those of the others in the mean.
 */
function loads(parts: readonly Part[], times: Times): (cells: readonly CellSpec[]) => WorkSeconds {
  const work = workBy(parts);
  const known = [...work].filter(([id]) => times.has(id));
  const runs = known.reduce((all, [, { runs }]) => all + runs, 0);
  const own = known.reduce((all, [id]) => all + (times.get(id)?.own ?? 0), 0);
  const mean = runs > 0 ? own / runs : 1;
  return (cells) =>
    runsFor(cells)
      .map((cell) => {
        const { runs, pairs } = work.get(cell.experiment) ?? { runs: 1, pairs: 1 };
        const { own, beside } = times.get(cell.experiment) ?? { own: mean * runs, beside: 0 };
        const part = (1 / runs + pairsOf(cell) / pairs) / 2;
        return { own: part * own, beside: part * beside };
      })
      .reduce(sum, NONE);
}

/** The places of the figures; those that one run measures are one. */
function placesOf(unit: Block): CellSpec[][] {
  const placeOf = placeIn(unit.experiments);
  let groups: { names: Set<string>; cells: CellSpec[] }[] = [];
  for (const cell of unit.cells) {
    const names = [placeOf(cell), ...historiesOf([cell])];
    const joined = groups.filter((group) => names.some((name) => group.names.has(name)));
    groups = groups.filter((group) => !joined.includes(group));
    groups.push({
      names: new Set([...joined.flatMap((group) => [...group.names]), ...names]),
      cells: [...joined.flatMap(({ cells }) => cells), cell],
    });
  }
  return groups.map(({ cells }) => cells);
}

/** Splits all these into that number of loads: the longest first, each to the load that is the shortest with it. */
function spread(loads: readonly Load[], count: number): Load[] {
  const all = Array.from({ length: count }, (): Load => ({ ...NONE, cells: [] }));
  for (const load of loads.toSorted((a, b) => longer(b) - longer(a))) {
    const lengths = all.map((one) => longer(sum(one, load)));
    const at = lengths.indexOf(Math.min(...lengths));
    const cells = [...(all[at]?.cells ?? []), ...load.cells];
    all[at] = { ...sum(all[at] ?? NONE, load), cells };
  }
  return all;
}
