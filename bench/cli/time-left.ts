/** How long a run still takes: what it has to do, by rough weights, at the pace of what it has done. */

import type { CellSpec } from "../base/experiment.js";
import { cellKey } from "../results/key.js";
import { bundles } from "../run/bundles.js";
import type { WorkPhase } from "../run/stopwatch.js";
import { benchmarks } from "../scenarios/index.js";

/**
 * Share of a cell's time that is over when a phase begins, as in a run of many figures on a software adapter. Cells of a group are
 * measured in turn and end together: without these shares no progress would be seen before.
 */
const BEHIND: Readonly<Record<WorkPhase, number>> = {
  idle: 0,
  data: 0,
  prepare: 0,
  compile: 0,
  "warm-up": 0.4,
  reset: 0.5,
  heat: 0.5,
  sample: 0.55,
  verify: 0.75,
  count: 0.8,
  native: 0,
};
/** A cell without kernels of a table to compile and count, of a cell with some. */
const SIMPLE = 0.25;
/** The pace is unknown at the beginning: this share of the work counts as done at the expected pace. */
const EXPECTED_SHARE = 0.1;
/** How slowly the time that is shown follows the estimate, so that it does not jump when a group ends. */
const FOLLOWS_MS = 8000;

export class TimeLeft {
  /** By cell: its weight, and how much of it is done. */
  private readonly weights = new Map<string, number>();
  private readonly shares = new Map<string, number>();
  private readonly all: number;
  private done = 0;
  private shown: number;
  private readonly began: number;
  private at: number;

  /** @param expectedMs what the whole run is expected to take. @param budgetMs the most that it may take; null: no limit */
  constructor(
    cells: readonly CellSpec[],
    private readonly expectedMs: number,
    private readonly budgetMs: number | null = null,
    private readonly now: () => number = () => performance.now(),
  ) {
    for (const bundle of bundles(cells, (cell) => cell))
      for (const cell of bundle) this.weights.set(cellKey(cell), weightOf(cell) / Math.sqrt(bundle.length));
    this.all = [...this.weights.values()].reduce((sum, weight) => sum + weight, 0);
    this.began = now();
    this.at = this.began;
    this.shown = Math.min(expectedMs, budgetMs ?? Number.POSITIVE_INFINITY);
  }

  working(cell: CellSpec, phase: WorkPhase): void {
    this.reach(cell, BEHIND[phase]);
  }

  finished(cell: CellSpec): void {
    this.reach(cell, 1);
  }

  /** Milliseconds, to be asked for now and then. */
  get ms(): number {
    const now = this.now();
    const passed = now - this.at;
    const counted = Math.max(0, this.shown - passed);
    this.at = now;
    this.shown = counted + (this.estimate(now) - counted) * (1 - Math.exp(-passed / FOLLOWS_MS));
    return this.shown;
  }

  private reach(cell: CellSpec, share: number): void {
    const key = cellKey(cell);
    const more = Math.max(0, share - (this.shares.get(key) ?? 0));
    this.shares.set(key, (this.shares.get(key) ?? 0) + more);
    this.done += more * (this.weights.get(key) ?? 0);
  }

  private estimate(now: number): number {
    const elapsed = now - this.began;
    const share = this.all > 0 ? this.done / this.all : 1;
    const pace = (elapsed + EXPECTED_SHARE * this.expectedMs) / (share + EXPECTED_SHARE);
    const left = this.budgetMs === null ? Number.POSITIVE_INFINITY : Math.max(0, this.budgetMs - elapsed);
    return Math.min(left, pace * (1 - share));
  }
}

function weightOf({ bench }: CellSpec): number {
  const benchmark = benchmarks[bench];
  return benchmark?.limits?.sets || benchmark?.runs?.besideGpu ? SIMPLE : 1;
}

/** `about 2 min`: no more digits than an estimate has. */
export function about(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 5) return "a few seconds";
  if (seconds < 15) return "about 10 s";
  if (seconds < 95) return `about ${10 * Math.round(seconds / 10)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 100) return `about ${minutes} min`;
  return `about ${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
