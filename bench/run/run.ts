/** `hashbench run`: plans cells, measures them in workers, writes every one as it finishes. */
import { createRequire } from "node:module";
import { tableType } from "../../kernels/index.js";
import { chooseAdapter } from "../gpu/adapter.js";
import type { DeviceInfo } from "../gpu/gpu.js";
import { defaultStopping, type StoppingOptions } from "../measure/stopping.js";
import type { CellSpec, Experiment } from "../model.js";
import { gitCommit, hostEnvironment } from "../results/environment.js";
import { cellKey } from "../results/key.js";
import type { CellResult, Metric, RunInfo } from "../results/record.js";
import { openResults, type ResultWriter } from "../results/write.js";
import type { WorkerResult } from "../worker/protocol.js";
import { LimitsStore } from "./limits-store.js";
import { type Planned, type PlanOptions, plan } from "./plan.js";
import { Pool } from "./pool.js";

export interface RunOptions extends PlanOptions {
  readonly experiments: readonly Experiment[];
  readonly device: string;
  /** Results folder; called with the device once it is known. */
  readonly out: (device: DeviceInfo) => string;
  readonly resume: boolean;
  readonly force: boolean;
  readonly timeoutMs: number;
  readonly stopping: Partial<StoppingOptions>;
  readonly toggles: readonly string[];
  readonly robust: boolean;
  /** GiB of cells measured together; by default 4 on a GPU, 1 on a software adapter. */
  readonly memoryGiB?: number;
  readonly counting: boolean;
  readonly plugins: readonly string[];
}

export interface Progress {
  started(device: DeviceInfo, planned: readonly Planned[], total: number, out: string): void;
  note(line: string): void;
  finished(cell: CellSpec, result: CellResult): void;
  ended(): void;
}

export interface RunSummary {
  readonly run: string;
  readonly out: string;
  readonly device: DeviceInfo;
  readonly planned: readonly Planned[];
  /** Cells of this run by status; those that an earlier run had finished are `kept`. */
  readonly counts: Readonly<Record<string, number>>;
}

const SOFTWARE_QUICK = "software adapter: --quick is implied; give --scale or --n for other sizes";
/** Patterns whose rate must be known, and the sizes measured where device/limits itself has not run. */
const SHORT_SIZES_MIB = [1, 16, 64, 256, 1024, 2048];

export async function run(options: RunOptions, progress: Progress): Promise<RunSummary> {
  const choice = await chooseAdapter({ device: options.device });
  const software = choice.kind === "software";
  const sized = options.scale !== undefined || options.n !== undefined;
  const quick = options.quick || (software && !sized);
  const pool = new Pool({
    env: choice.env,
    timeoutMs: options.timeoutMs,
    open: { adapter: choice.adapterFlag, robust: options.robust, toggles: options.toggles },
    stopping: { ...defaultStopping, ...(quick ? { maxTimeMs: software ? 250 : 700 } : {}), ...options.stopping },
    memory: (options.memoryGiB ?? (software ? 1 : 4)) * 2 ** 30,
    counting: options.counting,
    plugins: options.plugins,
  });
  try {
    const device = await pool.device();
    const planned = plan(options.experiments, { ...options, quick }, device);
    const info = runInfo(device);
    const out = options.out(device);
    const writer = await openResults(out, configuration(options, planned, info), options);
    try {
      await writer.writeEnvironment({ ...hostEnvironment(), run: info.run, device, adapter: choice.source });
      const waiting = planned.map(({ cells }) => cells.filter((cell) => !writer.finished().has(cellKey(cell))));
      const all = planned.reduce((sum, { cells }) => sum + cells.length, 0);
      const total = waiting.reduce((sum, cells) => sum + cells.length, 0);
      progress.started(device, planned, total, out);
      if (software && quick && !options.quick) progress.note(SOFTWARE_QUICK);
      const measuring = new Measuring(pool, writer, info, new LimitsStore(limitsKey(info)), progress);
      for (const cells of waiting) await measuring.experiment(cells);
      if (all > total) measuring.counts.kept = all - total;
      return { run: info.run, out, device, planned, counts: measuring.counts };
    } finally {
      await writer.close();
    }
  } finally {
    pool.stop();
    progress.ended();
  }
}

class Measuring {
  readonly counts: Record<string, number> = {};

  constructor(
    private readonly pool: Pool,
    private readonly writer: ResultWriter,
    private readonly info: Info,
    private readonly limits: LimitsStore,
    private readonly progress: Progress,
  ) {}

  async experiment(cells: readonly CellSpec[]): Promise<void> {
    await this.ensureLimits(cells);
    await this.pool.measure(cells, async (index, result) => {
      const cell = cells[index];
      if (!cell) throw new Error(`the worker reported a cell ${index} it was not given`);
      this.learn(cell, result);
      const full = { ...result, metrics: [...result.metrics, ...this.share(cell, result)] };
      await this.writer.append(cell, full, this.info);
      this.counts[result.status] = (this.counts[result.status] ?? 0) + 1;
      this.progress.finished(cell, full);
    });
  }

  /** Measures the patterns that the cells' shares refer to, shortly, where they are not known for this device. */
  private async ensureLimits(cells: readonly CellSpec[]): Promise<void> {
    const patterns = new Set<string>();
    for (const cell of cells) {
      if (cell.bench !== "table") continue;
      const type = tableType(cell.table);
      const op = type.ops.find((known) => known === cell.op);
      if (op) patterns.add(type.access(op).pattern);
    }
    const missing = [...patterns].filter((pattern) => !this.limits.has(pattern));
    if (missing.length === 0) return;
    this.progress.note(`measuring this device's limits first (kept for later runs): ${missing.join(", ")}`);
    const n = this.info.software ? 2 ** 16 : 2 ** 26;
    const wanted = missing.flatMap((pattern) => SHORT_SIZES_MIB.map((size) => limitCell(pattern, size, n)));
    await this.pool.measure(wanted, async (index, result) => this.learn(wanted[index], result));
  }

  /** Keeps what a cell of device/limits found out. */
  private learn(cell: CellSpec | undefined, { status, access, metrics }: WorkerResult): void {
    const mops = metrics.find(({ metric }) => metric === "mops")?.value;
    if (cell?.bench === "limit" && status === "ok" && access && mops) this.limits.set(access, mops);
  }

  /** The limit of the cell's unavoidable access, and the cell's share of it. */
  private share(cell: CellSpec, { status, access, metrics }: WorkerResult): Metric[] {
    const rate = access && cell.bench === "table" ? this.limits.rate(access) : null;
    const mops = metrics.find(({ metric }) => metric === "mops");
    if (status !== "ok" || rate === null || !mops) return [];
    const part = (value: number | null) => (value === null ? null : value / rate);
    return [
      { metric: "limit_mops", unit: "M op/s", value: rate, lo: null, hi: null },
      { metric: "limit_share", unit: "ratio", value: mops.value / rate, lo: part(mops.lo), hi: part(mops.hi) },
    ];
  }
}

function limitCell(pattern: string, tableMiB: number, n: number): CellSpec {
  return {
    experiment: "device/limits",
    bench: "limit",
    table: pattern,
    variant: "",
    op: "",
    dataset: "",
    n,
    loadFactor: null,
    positiveRatio: null,
    seed: 0,
    params: { tableMiB },
  };
}

type Info = RunInfo & { readonly software: boolean };

function runInfo(device: DeviceInfo): Info {
  const now = new Date();
  const { version } = createRequire(import.meta.url)("webgpu/package.json") as { version: string };
  return {
    run: now.toISOString().replace(/[-:]/g, "").replace(/\.\d+/, ""),
    commit: gitCommit(),
    device: device.name,
    driver: device.driver,
    dawn: `webgpu ${version}`,
    toggles: device.toggles,
    software: device.software,
  };
}

function limitsKey({ device, driver, dawn, toggles }: RunInfo): string[] {
  return [device, driver, dawn, toggles];
}

/** What has to be equal for a run to go on in a folder that holds results. */
function configuration(options: RunOptions, planned: readonly Planned[], info: RunInfo) {
  return {
    experiments: planned.map(({ experiment, scale }) => ({ id: experiment.id, scale: Number(scale.toPrecision(6)) })),
    seed: options.seed,
    quick: options.quick,
    tables: options.tables ?? null,
    datasets: options.datasets ?? null,
    shard: options.shard ?? null,
    device: info.device,
    driver: info.driver,
    toggles: info.toggles,
  };
}
