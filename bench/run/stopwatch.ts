/** Where the wall time of a run goes. */

/** What a worker does: the phases of a cell, the data sets, and nothing. */
export const WORK_PHASES = [
  "data",
  "prepare",
  "warm-up",
  "reset",
  "heat",
  "sample",
  "verify",
  "count",
  "idle",
] as const;
export type WorkPhase = (typeof WORK_PHASES)[number];

/** Milliseconds by phase. */
export type Spent = Readonly<Partial<Record<WorkPhase, number>>>;

/** Attributes all time to one phase: the one entered last. */
export class Stopwatch {
  private phase: WorkPhase = "idle";
  private since: number;
  private spent: Partial<Record<WorkPhase, number>> = {};

  constructor(private readonly now: () => number = () => performance.now()) {
    this.since = now();
  }

  enter(phase: WorkPhase): void {
    const now = this.now();
    this.spent[this.phase] = (this.spent[this.phase] ?? 0) + now - this.since;
    this.since = now;
    this.phase = phase;
  }

  /** Does work that belongs to a phase of its own in the midst of another one. */
  async during<T>(phase: WorkPhase, work: () => Promise<T>): Promise<T> {
    const before = this.phase;
    this.enter(phase);
    try {
      return await work();
    } finally {
      this.enter(before);
    }
  }

  /** What was spent since the last call. */
  take(): Spent {
    this.enter(this.phase);
    const { spent } = this;
    this.spent = {};
    return spent;
  }
}

/** The sum, in the order of {@link WORK_PHASES}. */
export function addSpent(a: Spent, b: Spent): Spent {
  const sums = WORK_PHASES.map((phase) => [phase, (a[phase] ?? 0) + (b[phase] ?? 0)] as const);
  return Object.fromEntries(sums.filter(([, ms]) => ms > 0));
}
