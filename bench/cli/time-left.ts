/** How long a run still takes: the cells that are left at the pace of those that are done. */

import type { CellSpec } from "../base/experiment.js";
import { type Estimate, middleOf, type Range } from "../run/estimate.js";

/** The pace is unknown at the beginning: this share of the work counts as done at the expected pace. */
const EXPECTED_SHARE = 0.1;
/** How slowly the time that is shown follows the estimate, so that it does not jump when a group ends. */
const FOLLOWS_MS = 6000;

/** What takes longer than expected takes the longer still, the longer it has taken: this share of that is still to come. */
const OVERDUE = 0.3;
/** Sums of shares are 1 but for rounding. */
const DONE = 0.999;

export class TimeLeft {
  /** By experiment, the share of the work that a cell is. */
  private readonly shares: ReadonlyMap<string, number>;
  private readonly expectedMs: number;
  private done = 0;
  /** When the last cell ended. */
  private ended: number;
  private shown: number;
  private readonly began: number;
  private at: number;

  /** @param budgetMs the most that the whole run may take; null: no limit */
  constructor(
    { seconds, experiments }: Estimate,
    private readonly budgetMs: number | null = null,
    private readonly now: () => number = () => performance.now(),
  ) {
    const all = experiments.reduce((sum, one) => sum + middleOf(one.seconds), 0);
    this.shares = new Map(experiments.map((one) => [one.id, middleOf(one.seconds) / (all * one.cells)]));
    this.expectedMs = 1000 * middleOf(seconds);
    this.began = now();
    this.at = this.began;
    this.ended = this.began;
    this.shown = Math.min(this.expectedMs, budgetMs ?? Number.POSITIVE_INFINITY);
  }

  finished({ experiment }: CellSpec): void {
    this.done += this.shares.get(experiment) ?? 0;
    this.ended = this.now();
  }

  /** Milliseconds, to be asked for now and then. */
  get ms(): number {
    const now = this.now();
    const passed = now - this.at;
    const { left, overdue } = this.estimate(now);
    const counted = overdue ? this.shown : Math.max(0, this.shown - passed);
    this.at = now;
    this.shown = counted + (left - counted) * (1 - Math.exp(-passed / FOLLOWS_MS));
    return this.shown;
  }

  private estimate(now: number): { readonly left: number; readonly overdue: boolean } {
    // Cells of a group end together: until the next ones do, nothing is known but that time passes.
    const pace = (this.ended - this.began + EXPECTED_SHARE * this.expectedMs) / (this.done + EXPECTED_SHARE);
    const expected = pace * (1 - Math.min(1, this.done));
    const waited = now - this.ended;
    const overdue = this.done < DONE && waited > (1 - OVERDUE) * expected;
    const left = overdue ? OVERDUE * Math.max(waited, expected) : expected - waited;
    const budget = this.budgetMs === null ? Number.POSITIVE_INFINITY : this.budgetMs - (now - this.began);
    return { left: Math.max(0, Math.min(left, budget)), overdue: overdue && left < budget };
  }
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

/** `about 20 s to about 2 min`. */
export function rangeText({ from, to }: Range): string {
  const [least, most] = [about(1000 * from), about(1000 * to)];
  return least === most ? least : `${least} to ${most}`;
}
