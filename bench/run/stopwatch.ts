/** Where the wall time of a run goes. */

/** Phases of a cell, during which data sets are made and kernels compiled; `native` is all phases of a native table. */
export const WORK_PHASES = [
  "data",
  "prepare",
  "compile",
  "warm-up",
  "reset",
  "heat",
  "sample",
  "verify",
  "count",
  "native",
  "idle",
] as const;
export type WorkPhase = (typeof WORK_PHASES)[number];

/** Milliseconds by phase. */
export type Spent = Readonly<Partial<Record<WorkPhase, number>>>;

/** The same by experiment; "" has the time that belongs to none. */
export type SpentBy = Readonly<Record<string, Spent>>;

interface Work {
  readonly phase: WorkPhase;
  readonly experiment: string;
}

/** Attributes all time to one phase, of one experiment: those entered last, or what is done in their midst. */
export class Stopwatch {
  private entered: Work = { phase: "idle", experiment: "" };
  /** Work in the midst of that, the last one begun at the end: several cells may be prepared at a time. */
  private inner: readonly Work[] = [];
  private since: number;
  private spent: Record<string, Partial<Record<WorkPhase, number>>> = {};

  constructor(private readonly now: () => number = () => performance.now()) {
    this.since = now();
  }

  enter(phase: WorkPhase, experiment = ""): void {
    this.note();
    this.entered = { phase, experiment };
  }

  /** Does work that belongs to a phase of its own, whatever is entered meanwhile. */
  async during<T>(phase: WorkPhase, work: () => Promise<T>): Promise<T> {
    this.note();
    const own = { ...this.entered, phase };
    this.inner = [...this.inner, own];
    try {
      return await work();
    } finally {
      this.note();
      this.inner = this.inner.filter((one) => one !== own);
    }
  }

  private note(): void {
    const { phase, experiment } = this.inner.at(-1) ?? this.entered;
    const now = this.now();
    const own = this.spent[experiment] ?? {};
    this.spent[experiment] = own;
    own[phase] = (own[phase] ?? 0) + now - this.since;
    this.since = now;
  }

  /** What was spent since the last call. */
  take(): SpentBy {
    this.note();
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
