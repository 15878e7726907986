/** How many cells a worker begins together, so that they end in time. */
import type { CellSpec } from "../base/experiment.js";

/** What cells cost on this device, all in all: data, building, sampling, checking, counting. */
export class Pace {
  private cells = 0;
  private operations = 0;
  private spentMs = 0;

  learn(cells: readonly CellSpec[], ms: number): void {
    this.cells += cells.length;
    this.operations += cells.reduce((sum, cell) => sum + operationsOf(cell), 0);
    this.spentMs += ms;
  }

  /** Expected wall time of a cell in ms: the mean cell's, or by its operations where these are more. Null before the first. */
  cost(cell: CellSpec): number | null {
    if (this.cells === 0) return null;
    return Math.max(this.spentMs / this.cells, (this.spentMs / this.operations) * operationsOf(cell));
  }
}

function operationsOf({ n, params }: CellSpec): number {
  return Math.max(1, n + Number(params.lookups ?? 0));
}

/** What is left of the time for the cells of one request. */
export class Budget {
  private readonly end: number;

  /** @param ms null: no limit */
  constructor(
    ms: number | null,
    private readonly pace: Pace,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.end = ms === null ? Number.POSITIVE_INFINITY : now() + ms;
  }

  get left(): number {
    return this.end - this.now();
  }

  /** How many cells, from the first, to begin together: one alone while the cost of a cell is unknown; 0 if none would end in time. */
  room(cells: readonly CellSpec[]): number {
    const { left } = this;
    if (left === Number.POSITIVE_INFINITY) return cells.length;
    if (left <= 0) return 0;
    let costs = 0;
    for (const [count, cell] of cells.entries()) {
      const cost = this.pace.cost(cell);
      if (cost === null) return 1;
      costs += cost;
      if (costs > left) return count;
    }
    return cells.length;
  }
}
