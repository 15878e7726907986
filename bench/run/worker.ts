/** The worker process: opens the device and measures cells until its parent lets it go. A hang or crash ends only it. */

import { DoesNotFit, UsageError } from "../../kernels/device/errors.js";
import type { Gpu } from "../../kernels/device/gpu.js";
import type { Owned } from "../../kernels/device/owned.js";
import { tableType } from "../../kernels/index.js";
import { benchmarks } from "../benchmarks/index.js";
import { messageOf } from "../errors.js";
import type { CellSpec } from "../experiment.js";
import { openDawn } from "../gpu/dawn.js";
import { type KeepWarm, makeHeater } from "../gpu/heater.js";
import { checkTimer } from "../gpu/timer.js";
import { type KeyCache, type PreparedCell, prepareCell } from "../measure/benchmark.js";
import { checkDuration, measureGroup, type Outcome } from "../measure/sampler.js";
import { summarise } from "../measure/statistics.js";
import { loadPlugins } from "../plugins.js";
import type { Metric, Status } from "../results/record.js";
import { cases } from "../verify/cases.js";
import { type DeviceKeys, loadKeys } from "../workload/workload.js";
import { Budget, Pace } from "./pace.js";
import type { CheckSpec, FromWorker, ToWorker, WorkerOptions, WorkerResult } from "./protocol.js";

/** Part of a cell's share of the budget that its samples may take; the rest is for data, building, checking, counting. */
const SAMPLING_SHARE = 0.5;
/** Wall time of a CPU table's cell after its ten samples: it is there for scale, and no GPU waits for it gladly. */
const HOST_MS = 1000;

interface Job {
  readonly index: number;
  readonly spec: CellSpec;
}

type Prepared = readonly [Job, Owned<PreparedCell>];

function say(message: FromWorker): void {
  process.send?.(message);
}

function finish(index: number, status: Status, error: unknown): void {
  const reason = (error instanceof Error ? error.message : String(error)).replace(/\s+/g, " ").trim();
  const result: WorkerResult = {
    status,
    reason,
    dataHash: "",
    metrics: [],
    samples: [],
    access: null,
    operations: 0,
  };
  say({ type: "result", index, result });
}

/** Data sets on the device; those that no waiting cell wants are dropped. */
class Keys implements KeyCache {
  private readonly sets = new Map<string, Owned<DeviceKeys>>();

  constructor(private readonly gpu: Gpu) {}

  async get(dataset: string, n: number, seed: number): Promise<DeviceKeys> {
    const name = keysName(dataset, n, seed);
    const known = this.sets.get(name);
    if (known) return known;
    const made = await loadKeys(this.gpu, dataset, n, seed);
    this.sets.set(name, made);
    return made;
  }

  keepOnly(cells: readonly CellSpec[]): void {
    const wanted = new Set(cells.map(({ dataset, n, seed }) => keysName(dataset, n, seed)));
    for (const [name, keys] of this.sets) {
      if (wanted.has(name)) continue;
      keys.destroy();
      this.sets.delete(name);
    }
  }
}

function keysName(dataset: string, n: number, seed: number): string {
  return `${dataset} ${n} ${seed}`;
}

class Worker {
  private readonly keys: Keys;
  private readonly pace = new Pace();

  constructor(
    private readonly gpu: Gpu,
    private readonly keepWarm: KeepWarm,
    private readonly options: WorkerOptions,
  ) {
    this.keys = new Keys(gpu);
  }

  /** Measures all jobs, as many at a time as fit in memory together; those of the CPU by themselves, at the end. */
  async run(jobs: readonly Job[], budgetMs: number | null): Promise<void> {
    const onHost = ({ spec }: Job) => benchmarks[spec.bench]?.host === true;
    const budget = new Budget(budgetMs, this.pace);
    await this.runKind(
      jobs.filter((job) => !onHost(job)),
      budget,
    );
    await this.runKind(jobs.filter(onHost), budget);
  }

  private async runKind(jobs: readonly Job[], budget: Budget): Promise<void> {
    let waiting = [...jobs];
    while (waiting.length > 0) {
      const room = budget.room(waiting.map(({ spec }) => spec));
      if (room === 0) {
        for (const { index } of waiting) finish(index, "postponed", "not begun within --budget");
        break;
      }
      this.keys.keepOnly(waiting.map(({ spec }) => spec));
      const share = (SAMPLING_SHARE * budget.left) / waiting.length;
      const began = performance.now();
      const { prepared, rest } = await this.prepare(waiting, room);
      await this.measure(prepared, share);
      const done = waiting.slice(0, waiting.length - rest.length);
      this.pace.learn(
        done.map(({ spec }) => spec),
        performance.now() - began,
      );
      waiting = rest;
    }
    this.keys.keepOnly([]);
  }

  /** Prepares jobs from the front until memory ends; jobs that cannot be prepared are reported. */
  private async prepare(jobs: readonly Job[], room: number): Promise<{ prepared: Prepared[]; rest: Job[] }> {
    const prepared: Prepared[] = [];
    let bytes = 0;
    for (const [at, job] of jobs.entries()) {
      say({ type: "phase", index: job.index, phase: "prepare" });
      const benchmark = benchmarks[job.spec.bench];
      if (!benchmark) {
        finish(job.index, "failed", `no benchmark ${job.spec.bench}`);
        continue;
      }
      bytes += benchmark.bytes(job.spec);
      const full = bytes > this.options.memory || prepared.length >= room;
      if (prepared.length > 0 && full) return { prepared, rest: jobs.slice(at) };
      try {
        prepared.push([job, await prepareCell(benchmark, job.spec, this.gpu, this.keys)]);
      } catch (error) {
        // With others in memory it may only have been their memory: it is tried again with the device to itself.
        if (error instanceof DoesNotFit && prepared.length > 0) return { prepared, rest: jobs.slice(at) };
        finish(job.index, error instanceof DoesNotFit || error instanceof UsageError ? "skipped" : "failed", error);
      }
    }
    return { prepared, rest: [] };
  }

  /** Conformance cases, one after another. */
  async check(jobs: readonly { index: number; spec: CheckSpec }[]): Promise<void> {
    for (const { index, spec } of jobs) {
      say({ type: "phase", index, phase: "verify" });
      try {
        await cases.find(({ name }) => name === spec.name)?.check(this.gpu, tableType(spec.table));
        finish(index, "ok", "");
      } catch (error) {
        finish(index, "failed", error);
      }
    }
  }

  private async measure(prepared: readonly Prepared[], shareMs: number): Promise<void> {
    let said = { cell: -1, at: 0 };
    // The watchdog has to know at once which cell runs, and now and then that it still does.
    const beat = (cell: number, phase: string): void => {
      const at = performance.now();
      const job = prepared[cell]?.[0];
      if (!job || (said.cell === cell && at - said.at < 200)) return;
      say({ type: "phase", index: job.index, phase });
      said = { cell, at };
    };
    const cells = prepared.map(([, cell]) => cell);
    const { stopping } = this.options;
    const onHost = prepared.some(([{ spec }]) => benchmarks[spec.bench]?.host);
    const maxTimeMs = Math.min(stopping.maxTimeMs, shareMs, onHost ? HOST_MS : Number.POSITIVE_INFINITY);
    const keepWarm = onHost ? undefined : this.keepWarm;
    const outcomes = await measureGroup(cells, { ...stopping, maxTimeMs }, beat, keepWarm);
    for (const [at, [job, cell]] of prepared.entries()) {
      const outcome = outcomes[at];
      say({ type: "phase", index: job.index, phase: "verify" });
      try {
        if (outcome) await this.conclude(job, cell, outcome);
      } catch (error) {
        finish(job.index, "failed", error);
      } finally {
        cell.destroy();
      }
    }
  }

  /** Verifies the last run, counts, reports. */
  private async conclude({ index }: Job, cell: PreparedCell, outcome: Outcome): Promise<void> {
    if (!outcome.ok) return finish(index, "failed", outcome.error);
    const samples = [...outcome.samples];
    // What the last sample built is verified, and since then other cells' blocks may have run: take it once more.
    if (cell.mutates) {
      await cell.reset();
      samples.push(checkDuration(await cell.sample()));
    }
    const wrong = await cell.verify();
    if (wrong) return finish(index, "failed", wrong);
    const { median, lo, hi } = summarise(samples);
    const { operations, dataHash, access } = cell;
    const rate = (ns: number) => (operations * 1e3) / ns;
    const metrics: Metric[] = [
      { metric: "mops", unit: "M op/s", value: rate(median), lo: rate(hi), hi: rate(lo) },
      { metric: "time", unit: "ns", value: median, lo, hi },
    ];
    if (this.options.counting) {
      say({ type: "phase", index, phase: "count" });
      metrics.push(...(await cell.metrics(median)));
    }
    const result = { status: "ok" as const, reason: "", dataHash, metrics, samples, access, operations };
    say({ type: "result", index, result });
  }
}

async function open(options: WorkerOptions): Promise<Worker | null> {
  try {
    await loadPlugins(options.plugins);
    const gpu = await openDawn(options.open);
    gpu.device.lost.then(({ reason, message }) => {
      if (reason !== "destroyed") {
        console.error(`device lost: ${message.split("\n")[0]}`);
        process.exit(70);
      }
    });
    const problem = await checkTimer(gpu.device);
    if (problem) throw new Error(problem);
    const keepWarm = await makeHeater(gpu);
    say({ type: "ready", device: gpu.info });
    return new Worker(gpu, keepWarm, options);
  } catch (error) {
    say({ type: "unusable", reason: messageOf(error), usage: error instanceof UsageError });
    return null;
  }
}

let worker: Worker | null = null;
process.on("message", async (message: ToWorker) => {
  if (message.type === "open") {
    worker = await open(message.options);
  } else {
    if (message.type === "cells") await worker?.run(message.cells, message.budgetMs);
    else await worker?.check(message.cells);
    say({ type: "done" });
  }
});
// A kernel that hangs would keep the exit waiting for the driver.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
