/** Runs in the page: what `hashbench run` does, in a worker, with rows in memory. Knows nothing of the document. */
import { commit, version } from "hashbench:about";
import { UsageError } from "../../../kernels/device/errors.js";
import type { DeviceInfo } from "../../../kernels/device/gpu.js";
import type { CellSpec } from "../../base/experiment.js";
import { experiments, measuredFor } from "../../experiments/index.js";
import { defaultStopping } from "../../measure/stopping.js";
import { cellKey } from "../../results/key.js";
import type { CellResult, RunInfo } from "../../results/record.js";
import { Queue } from "../../run/budget.js";
import { configuration, isQuick, quickStopping, runId } from "../../run/configuration.js";
import { type Earlier, type Estimate, estimate, type Range, toldBy } from "../../run/estimate.js";
import { Limits } from "../../run/limits.js";
import { blocks, only, type Part } from "../../run/order.js";
import { type Planned, plan } from "../../run/plan.js";
import { type Child, Pool, Stopped } from "../../run/pool.js";
import { Session } from "../../run/session.js";
import type { WorkPhase } from "../../run/stopwatch.js";
import { type Attention, attentive } from "./attention.js";
import type { Choice } from "./choice.js";
import { Store } from "./store.js";

/** Device bytes of the cells that are measured in turn: a laptop's GPU shares its memory with all else. */
const MEMORY = 2 ** 30;

export interface Listener {
  note(line: string): void;
  started(cells: number, expected: Range): void;
  working(cell: CellSpec, phase: WorkPhase, samples: number): void;
  finished(cell: CellSpec, result: CellResult): void;
}

export class Runner {
  /** Of the last run; null before the first. */
  store: Store | null = null;
  private known: DeviceInfo | null = null;
  private readonly limits = new Limits();
  private earlier: readonly Earlier[] = [];
  private running: Pool | null = null;

  constructor(
    private readonly fork: () => Child,
    private readonly attention: Attention,
  ) {}

  /** The device that cells will run on. Throws an Error that says why there is none. */
  async device(): Promise<DeviceInfo> {
    if (this.known) return this.known;
    const pool = this.pool(60, true, true);
    try {
      this.known = await pool.device();
      return this.known;
    } finally {
      pool.stop();
    }
  }

  /** The cells of a choice on the device. Throws a UsageError for one that cannot be. */
  plan(choice: Choice, device: DeviceInfo): Planned[] {
    const wanted = measuredFor(experiments.filter(({ id }) => choice.experiments.includes(id)));
    return plan(wanted, askedOf(choice, device), device);
  }

  estimate(planned: readonly Part[], device: DeviceInfo): Estimate {
    return estimate(planned, { device, earlier: this.earlier, beside: false });
  }

  /** Whether a run of the choice would go on where the last one ended. */
  continues(choice: Choice, device: DeviceInfo): boolean {
    const planned = this.plan(choice, device);
    const asked = configuration(askedOf(choice, device), planned, infoOf(device));
    return JSON.stringify(this.store?.configuration) === JSON.stringify(asked);
  }

  /**
   * Measures what of the choice is not measured yet. Whether it came to its end; false where it was stopped. Throws an Error where
   * the device is lost for good.
   */
  async run(choice: Choice, listener: Listener): Promise<boolean> {
    const device = await this.device();
    const planned = this.plan(choice, device);
    const info = infoOf(device);
    if (!this.continues(choice, device) || !this.store)
      this.store = new Store(configuration(askedOf(choice, device), planned, info));
    const { store } = this;
    const parts = only(planned, (cell) => !store.finished.has(cellKey(cell)));
    const cells = parts.flatMap((part) => part.cells);
    if (cells.length === 0) throw new UsageError("there is nothing to measure: all cells of this choice are there");
    store.describe(info.run, environmentOf(info.run, device));
    listener.started(cells.length, this.estimate(parts, device).seconds);
    const pool = this.pool(choice.timeout, askedOf(choice, device).quick || device.software, device.software);
    this.running = pool;
    try {
      const watched = attentive(pool, this.attention);
      const queue = new Queue(blocks(parts), null, 1);
      const share = { info, pool: watched, limits: this.limits, queue };
      await new Session(store, listener).measure([share], { software: device.software, runs: () => true });
      this.earlier = [...this.earlier, ...toldBy(pool.spent, parts, device.name)];
      return true;
    } catch (error) {
      if (error instanceof Stopped) return false;
      throw error;
    } finally {
      pool.stop();
      this.running = null;
    }
  }

  /** Ends the run; finished cells stay. */
  stop(): void {
    this.running?.stop();
  }

  private pool(timeoutSeconds: number, quick: boolean, software: boolean): Pool {
    const options = {
      open: { adapter: "", robust: true, toggles: [] },
      stopping: { ...defaultStopping, ...(quick ? quickStopping(software) : {}) },
      memory: MEMORY,
      counting: true,
      plugins: [],
      native: [],
      timeoutMs: 1000 * timeoutSeconds,
    };
    return new Pool(options, this.fork);
  }
}

function askedOf({ tables, seed, n, quick }: Choice, { software }: DeviceInfo) {
  const sizes = { quick, n: n ?? undefined };
  return { ...sizes, quick: isQuick(sizes, software), seed, tables: tables.length > 0 ? tables : undefined };
}

function infoOf(device: DeviceInfo): RunInfo {
  const { name, driver, toggles, implementation = "unknown browser" } = device;
  return { run: runId(), commit, device: name, driver, dawn: implementation, toggles };
}

/** As environment.json has it. */
function environmentOf(run: string, device: DeviceInfo) {
  return {
    run,
    date: new Date().toISOString(),
    os: navigator.userAgent,
    cores: navigator.hardwareConcurrency,
    hashbench: version,
    device,
    adapter: "the browser's",
  };
}
