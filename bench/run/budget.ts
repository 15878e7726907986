/** Shares a time budget out over experiments. */
import { type Block, runsFor } from "./order.js";

/** No experiment is begun again with less time left than this: opening and building alone take about as long. */
const WORTH_MS = 2000;

/**
 * Parts to measure one after another, by one or several takers, each with the time until which its cells may begin: its
 * runs' share of what is left of the budget then. Postponed cells come again at the end, as long as there is time.
 */
export class Queue<T extends Pick<Block, "cells">> {
  private waiting: T[];
  private readonly end: number;

  /** @param budgetMs null: no limit. @param takers how many parts are measured at a time */
  constructor(
    parts: readonly T[],
    budgetMs: number | null,
    private readonly takers: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.waiting = parts.filter(({ cells }) => cells.length > 0);
    this.end = budgetMs === null ? Number.POSITIVE_INFINITY : now() + budgetMs;
  }

  /** The next part and its deadline (null without a budget); null if there is none, or no time for it. */
  take(): { readonly part: T; readonly deadline: number | null } | null {
    const [part] = this.waiting;
    if (!part) return null;
    const left = this.end - this.now();
    if (left < WORTH_MS) return null;
    const runs = ({ cells }: T) => runsFor(cells).length;
    const all = this.waiting.reduce((sum, waits) => sum + runs(waits), 0);
    this.waiting = this.waiting.slice(1);
    if (left === Number.POSITIVE_INFINITY) return { part, deadline: null };
    const share = Math.min(1, (this.takers * runs(part)) / all);
    return { part, deadline: this.now() + share * left };
  }

  /** Puts the cells of a part that were postponed at the end of the queue. */
  postpone(part: T): void {
    if (part.cells.length > 0) this.waiting.push(part);
  }

  /** Parts that no taker has begun. */
  get rest(): readonly T[] {
    return this.waiting;
  }
}
