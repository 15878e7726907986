/** Reports to the parent process what a worker does, and for how long. */
import type { Status } from "../results/record.js";
import type { FromWorker, WorkerResult } from "./protocol.js";
import { Stopwatch, type WorkPhase } from "./stopwatch.js";

/** The phases of one cell are reported at most once in this time. */
const QUIET_MS = 200;

export class Reporter {
  private said = { index: -1, at: 0 };
  private beside = false;
  /** Whether later cells are at work, whose end would be taken for that of the one that is named. */
  ahead: () => boolean = () => false;
  /** By index: the experiment that a cell belongs to, if any. */
  experiments: ReadonlyMap<number, string> = new Map();
  /** Cells of native tables, whose phases are one: most of them are a program's, which decides how long they take. */
  native: ReadonlySet<number> = new Set();

  constructor(
    private readonly say: (message: FromWorker) => void,
    private readonly now: () => number = () => performance.now(),
    readonly watch = new Stopwatch(now),
  ) {}

  /** Whether other cells are at work beside the one that is named. */
  set together(together: boolean) {
    this.beside = together;
    // The next phase is said in any case.
    this.said = { index: -1, at: 0 };
  }

  /** The watchdog has to know at once which cell runs, and now and then that it still does. */
  phase(index: number, phase: WorkPhase, samples = 0): void {
    this.watch.enter(this.native.has(index) ? "native" : phase, this.experiments.get(index));
    const at = this.now();
    if (this.said.index === index && at - this.said.at < QUIET_MS) return;
    this.say({ type: "phase", index, phase, samples, together: this.beside || this.ahead() });
    this.said = { index, at };
  }

  result(index: number, result: WorkerResult): void {
    this.say({ type: "result", index, result, spent: this.watch.take() });
  }

  /**
   * A cell without numbers, and why.
   * @param ran what a conformance case ran
   */
  finish(
    index: number,
    status: Status,
    error: unknown,
    ran: Pick<Partial<WorkerResult>, "operations" | "seconds"> = {},
  ): void {
    const reason = (error instanceof Error ? error.message : String(error)).replace(/\s+/g, " ").trim();
    this.result(index, { ...noResult(status, reason), ...ran });
  }

  done(): void {
    this.watch.enter("idle");
    this.say({ type: "done", spent: this.watch.take() });
  }
}

/** The result of a cell that has no numbers. */
export function noResult(status: Status, reason: string): WorkerResult {
  const none = { dataHash: "", metrics: [], samples: [], repetitions: 1, stopped: "" } as const;
  return { ...none, status, reason, access: null, operations: 0 };
}
