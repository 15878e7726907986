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

/** The same by experiment; "" is what belongs to none. */
export type SpentBy = Readonly<Record<string, Spent>>;

/** Attributes all time to one phase, of one experiment: those entered last. */
export class Stopwatch {
  private phase: WorkPhase = "idle";
  private experiment = "";
  private since: number;
  private spent: Record<string, Partial<Record<WorkPhase, number>>> = {};

  constructor(private readonly now: () => number = () => performance.now()) {
    this.since = now();
  }

  enter(phase: WorkPhase, experiment = ""): void {
    const now = this.now();
    const own = this.spent[this.experiment] ?? {};
    this.spent[this.experiment] = own;
    own[this.phase] = (own[this.phase] ?? 0) + now - this.since;
    this.since = now;
    this.phase = phase;
    this.experiment = experiment;
  }

  /** Does work that belongs to a phase of its own in the midst of another one. */
  async during<T>(phase: WorkPhase, work: () => Promise<T>): Promise<T> {
    const { phase: before, experiment } = this;
    this.enter(phase, experiment);
    try {
      return await work();
    } finally {
      this.enter(before, experiment);
    }
  }

  /** What was spent since the last call. */
  take(): SpentBy {
    this.enter(this.phase, this.experiment);
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

export function addSpentBy(a: SpentBy, b: SpentBy): SpentBy {
  const all = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return Object.fromEntries(all.map((experiment) => [experiment, addSpent(a[experiment] ?? {}, b[experiment] ?? {})]));
}
