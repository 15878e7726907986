/** Workers under a watchdog: a cell that hangs or kills its device costs that cell, not the run. */
import { UsageError } from "../../kernels/device/errors.js";
import type { DeviceInfo } from "../../kernels/device/gpu.js";
import { NoAdapterError } from "../base/errors.js";
import type { CellSpec } from "../base/experiment.js";
import type { Status } from "../results/record.js";
import type { CheckSpec, FromWorker, ToWorker, WorkerOptions, WorkerResult } from "./protocol.js";
import { noResult } from "./reporter.js";
import { addSpentBy, type SpentBy, type WorkPhase } from "./stopwatch.js";

/** Time for Dawn and the driver to start. */
const START_TIMEOUT_MS = 120_000;

export interface WatchedOptions extends WorkerOptions {
  /** A cell that shows no progress for so long is killed. */
  readonly timeoutMs: number;
}

/** A worker: a process of Node, or a thread of a browser. */
export interface Child {
  send(message: ToWorker): void;
  /** Hands over what it says from now on, and that it ended and why: in place of those who listened before. */
  listen(onMessage: (message: FromWorker) => void, onEnd: (why: string) => void): void;
  /** Nobody listens any more, but the worker goes on. */
  leave(): void;
  /** Ends it at once. */
  kill(): void;
}

/** The error with which `measure` and `check` reject after `stop`. */
export class Stopped extends Error {}

export type OnResult = (index: number, result: WorkerResult) => Promise<void>;
/** What the worker does now: the cell, its phase, and the samples that it has. */
export type OnPhase = (index: number, phase: WorkPhase, samples: number) => void;

export interface Measure {
  readonly onResult: OnResult;
  readonly onPhase?: OnPhase;
  /** Cells that have not begun then (of performance.now()) are postponed; null: all begin. */
  readonly deadline?: number | null;
  /** Cells at one place are measured in turn where they can be; by default all are at one. */
  readonly place?: (cell: CellSpec) => string;
  /** Cells after these, whose data and kernels may be made meanwhile; by default none. */
  readonly soon?: readonly CellSpec[];
}

interface Job<T> {
  readonly index: number;
  readonly spec: T;
}

/** One device, and one worker at a time on it. */
export class Pool {
  private child: Child | null = null;
  private known: DeviceInfo | null = null;
  /** Ends what waits for a worker. */
  private cancel: () => void = () => undefined;
  /** Where the time of the workers went so far, by experiment and phase. */
  spent: SpentBy = {};

  constructor(
    private readonly options: WatchedOptions,
    private readonly fork: () => Child,
  ) {}

  /** Starts a worker if none runs. Throws NoAdapterError if it cannot use the device. */
  async device(): Promise<DeviceInfo> {
    if (!this.child || !this.known) await this.start();
    if (!this.known) throw new NoAdapterError("the worker said nothing about its device");
    return this.known;
  }

  /** Measures all cells; every one gets a result, whatever happens to the workers. Results come as they finish. */
  measure(
    cells: readonly CellSpec[],
    { onResult, onPhase, deadline = null, place = () => "", soon = [] }: Measure,
  ): Promise<void> {
    const left = () => (deadline === null ? null : deadline - performance.now());
    const request = (waiting: Job<CellSpec>[], together: boolean): ToWorker => {
      const jobs = waiting.map(({ index, spec }) => ({ index, spec, place: place(spec) }));
      return { type: "cells", cells: jobs, budgetMs: left(), together, soon };
    };
    return this.all(cells, request, onResult, onPhase);
  }

  /** Runs conformance cases; the status says how each ended. */
  check(checks: readonly CheckSpec[], onResult: OnResult): Promise<void> {
    return this.all(checks, (cells, together) => ({ type: "checks", cells, together }), onResult);
  }

  private async all<T>(
    specs: readonly T[],
    request: (jobs: Job<T>[], together: boolean) => ToWorker,
    onResult: OnResult,
    onPhase?: OnPhase,
  ): Promise<void> {
    let waiting = specs.map((spec, index) => ({ index, spec }));
    let together = true;
    while (waiting.length > 0) {
      await this.device();
      const sent = request(waiting, together);
      const { finished, current, others, failure } = await this.batch(sent, onResult, onPhase);
      // One of several cells ended the worker: from now on they are prepared one by one, which shows which it was.
      if (failure && others) together = false;
      const culprit = current ?? waiting.find(({ index }) => !finished.has(index))?.index;
      if (failure && !others && culprit !== undefined && !finished.has(culprit)) {
        finished.add(culprit);
        await onResult(culprit, noResult(failure.status, failure.reason));
      }
      waiting = waiting.filter(({ index }) => !finished.has(index));
    }
  }

  /** Ends the worker; what waits for it rejects with Stopped. */
  stop(): void {
    this.renew();
    this.cancel();
  }

  /** Ends the worker; the next request gets a new one. */
  renew(): void {
    const { child } = this;
    this.child = null;
    child?.leave();
    child?.kill();
  }

  private async start(): Promise<void> {
    this.renew();
    const { timeoutMs: _, ...options } = this.options;
    const child = this.fork();
    this.child = child;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const said = await new Promise<FromWorker | string>((resolve, reject) => {
      this.cancel = () => reject(new Stopped());
      timer = setTimeout(() => resolve("it did not start within two minutes"), START_TIMEOUT_MS);
      child.listen(resolve, (why) => resolve(`it ended with ${why}`));
      child.send({ type: "open", options });
    }).finally(() => clearTimeout(timer));
    child.leave();
    if (typeof said === "string" || said.type !== "ready") {
      this.renew();
      if (typeof said !== "string" && said.type === "unusable" && said.usage) throw new UsageError(said.reason);
      const why = typeof said === "string" ? said : said.type === "unusable" ? said.reason : said.type;
      throw new NoAdapterError(`the device cannot be used: ${why}`);
    }
    this.known = said.device;
  }

  /** Sends the cells to the worker and follows it until it is done, hangs or dies. */
  private async batch(request: ToWorker, onResult: OnResult, onPhase?: OnPhase) {
    const child = this.child;
    if (!child) throw new Error("no worker");
    const finished = new Set<number>();
    let current: number | null = null;
    let others = false;
    let writing = Promise.resolve();
    let failed: unknown = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const failure = await new Promise<{ status: Status; reason: string } | null>((resolve) => {
      const { timeoutMs } = this.options;
      this.cancel = () => {
        failed ??= new Stopped();
        resolve(null);
      };
      const rearm = (): void => {
        clearTimeout(timer);
        const reason = `no progress for ${timeoutMs / 1000} s`;
        timer = setTimeout(() => resolve({ status: "timeout", reason }), timeoutMs);
      };
      rearm();
      const take = (message: FromWorker): void => {
        rearm();
        if (message.type === "phase") {
          current = message.index;
          others = message.together;
          onPhase?.(message.index, message.phase, message.samples);
        }
        if (message.type === "result" || message.type === "done") this.spent = addSpentBy(this.spent, message.spent);
        if (message.type === "result") {
          finished.add(message.index);
          // Results are on disk in their order; the first error ends the run.
          writing = writing
            .then(() => onResult(message.index, message.result))
            .catch((error) => {
              failed ??= error;
              resolve(null);
            });
        }
        if (message.type === "done") resolve(null);
      };
      child.listen(take, (why) => resolve({ status: "crash", reason: `the worker ended with ${why}` }));
      child.send(request);
    });
    clearTimeout(timer);
    child.leave();
    if (failure) this.renew();
    await writing;
    if (failed) throw failed;
    return { finished, current: current as number | null, others, failure };
  }
}
