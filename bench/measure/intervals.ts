/**
 * 95 % intervals of medians, from how far the turns of all cells lie apart. A row's own ends are the range of its samples by order
 * statistics. It holds the median as often as it says only where there are six samples and turns do not differ.
 */

import { groupBy } from "../results/group.js";
import { environmentKey, rowKey } from "../results/key.js";
import { byClock } from "../results/metrics.js";
import type { ResultRow } from "../results/record.js";
import type { SamplesLine } from "../results/samples.js";
import { summarise } from "./statistics.js";

/** Of so many samples and more, each successive `BLOCK` may be of one turn: their median is one observation. */
const MANY = 10;
const BLOCK = 5;
/** Order statistics of so many observations reach 95 %. */
const ENOUGH = 6;
/**
 * A difference between two turns is large if one of the two is off by as much. So where one cell in ten has a larger difference than this
 * quantile, a single turn is off by more in one of twenty.
 */
const QUANTILE = 0.9;
/** Kinds of fewer cells have no such quantile of their own. */
const FEWEST = 20;

interface Cell {
  readonly rows: readonly [ResultRow, ...ResultRow[]];
  /** Logarithms of what its turns measured, in time order; none where its samples were not kept. */
  readonly turns: readonly number[];
  /** Cells that vary alike, from few to many: of one table and benchmark with passes as long, of any table, all that one clock timed. */
  readonly kinds: readonly [narrow: string, middle: string, wide: string];
}

/**
 * The rows, those by a clock with the ends of a 95 % interval. A cell of fewer than six turns gets the spread that is usual between the
 * first two turns of cells of its kind: no stopping rule has chosen these. Its own range counts where it is wider. Rows are left as they
 * are where no samples of their kind are kept.
 */
export function withIntervals(rows: readonly ResultRow[], lines: readonly SamplesLine[]): ResultRow[] {
  const samples = new Map(lines.map((line) => [cellOfRun(line.run, line.key), line.samples]));
  const cells = [...groupBy(rows, rowKey).values()].flatMap((own) =>
    [...groupBy(own, ({ run }) => run).values()].map((ofRun) => {
      const [row] = ofRun;
      return cellOf(ofRun, samples.get(cellOfRun(row.run, rowKey(row))) ?? []);
    }),
  );
  const spreads = new Map([0, 1, 2].flatMap((width) => [...spreadsBy(cells, width as 0 | 1 | 2)]));
  const widened = new Map<ResultRow, ResultRow>();
  for (const cell of cells) {
    const factor = Math.exp(reachOf(cell, spreads));
    for (const row of cell.rows) {
      const wider = within(row, factor);
      if (wider !== row) widened.set(row, wider);
    }
  }
  return rows.map((row) => widened.get(row) ?? row);
}

function cellOfRun(run: string, key: string): string {
  return `${run}\n${key}`;
}

function cellOf(rows: Cell["rows"], samples: readonly number[]): Cell {
  const [row] = rows;
  const count = samples.length > 0 ? samples.length : row.samples;
  const ns = rows.find(({ metric }) => metric === "time")?.value ?? 1;
  const length = Math.floor(Math.log10(ns * row.repetitions));
  const wide = JSON.stringify([environmentKey(row), row.api, count < MANY]);
  const middle = JSON.stringify([wide, row.bench, length]);
  const kinds = [JSON.stringify([middle, row.table]), middle, wide] as const;
  return { rows, turns: turnsOf(samples).map(Math.log), kinds };
}

function turnsOf(samples: readonly number[]): readonly number[] {
  if (samples.length < MANY) return samples;
  const blocks = Math.floor(samples.length / BLOCK);
  return Array.from({ length: blocks }, (_, i) => summarise(samples.slice(i * BLOCK, (i + 1) * BLOCK)).median);
}

/** By kind what the first two turns of a cell differ by, in logarithms; of narrow kinds only those of enough cells. */
function spreadsBy(cells: readonly Cell[], width: 0 | 1 | 2): Map<string, number> {
  const differences = new Map<string, number[]>();
  for (const { turns, kinds } of cells) {
    const [first, second] = turns;
    if (first === undefined || second === undefined) continue;
    const own = differences.get(kinds[width]) ?? [];
    own.push(Math.abs(first - second));
    differences.set(kinds[width], own);
  }
  const known = [...differences].filter(([, { length }]) => width === 2 || length >= FEWEST);
  return new Map(known.map(([kind, own]) => [kind, quantile(own)]));
}

/** Rounded up, so that few cells have a larger one. */
function quantile(values: readonly number[]): number {
  const at = Math.min(values.length, Math.ceil(QUANTILE * (values.length + 1)));
  return values.toSorted((a, b) => a - b)[at - 1] ?? 0;
}

/** How far the cell's median may be off, in logarithms. */
function reachOf({ turns, kinds }: Cell, spreads: ReadonlyMap<string, number>): number {
  if (turns.length < ENOUGH) return kinds.map((kind) => spreads.get(kind)).find((spread) => spread !== undefined) ?? 0;
  const { median, lo, hi } = summarise(turns);
  return Math.max(hi - median, median - lo);
}

/** A limit was measured by another cell. */
function within(row: ResultRow, factor: number): ResultRow {
  const { value, lo, hi, metric } = row;
  if (value === null || factor === 1 || metric === "limit_mops" || !byClock(metric)) return row;
  return { ...row, lo: Math.min(lo ?? value, value / factor), hi: Math.max(hi ?? value, value * factor) };
}
