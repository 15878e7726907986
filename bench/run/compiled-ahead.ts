/** Compiles the kernels of later cells while others are sampled: a cell that waits for the compiler keeps the device idle. */

import { inCache } from "../../kernels/common/steps.js";
import type { Kernel, KernelSource, Pass, Step } from "../../kernels/device/gpu.js";
import { IdleGpu, idleBuffer } from "../../kernels/device/idle.js";
import type { CellSpec } from "../base/experiment.js";
import type { WebGpu } from "../device/gpu.js";
import type { KeyCache } from "../scenarios/benchmark.js";
import { apiOf, benchmarks, byCpuClock, prepare } from "../scenarios/index.js";
import { poolOf } from "../scenarios/workload/keys.js";
import { knownBytes } from "./order.js";

/** Cells at a time: the compiler shares the cores with threads that make data. */
const TOGETHER = 4;
/** Passes after which a cell is given up: it waits for what never comes where nothing is done. */
const MOST_PASSES = 200;
/** Size of a cell in host memory that is gone through ahead: such memory is this process's own. It is still larger than caches. */
const MOST_HOST_BYTES = 2 ** 28;

type Compiler = Pick<WebGpu, "info" | "maxBinding" | "kernel">;

/** Compiles kernels, and does nothing else. */
class Compiling extends IdleGpu {
  private passes = 0;

  constructor(private readonly compiler: Compiler) {
    super(compiler.info, compiler.maxBinding);
  }

  kernel<const Takes extends string>(source: KernelSource<Takes>): Promise<Kernel<Takes>> {
    return this.compiler.kernel(source, true);
  }

  override time(steps: readonly Step[]): Promise<Pass> {
    if (++this.passes > MOST_PASSES) throw new Error(`more than ${MOST_PASSES} passes`);
    return super.time(steps);
  }
}

const KEYS: KeyCache = {
  async get(dataset, n) {
    const pool = poolOf(n);
    const [keys, absent] = [idleBuffer("keys", 4 * n), idleBuffer("absent keys", 4 * pool)];
    return { id: dataset, n, unique: n, keys, absent, pool, digest: "", note: "" };
  },
};

export class CompiledAhead {
  /** By name. */
  private readonly known = new Set<string>();
  /** Names by cell: most cells are heard of many times. */
  private readonly names = new Map<string, string>();
  private waiting: CellSpec[] = [];
  private readonly working = new Set<Promise<void>>();

  constructor(private readonly compiler: Compiler) {}

  /** Compiles these cells' kernels from now on, in their order, in place of those that were asked for before. */
  begin(cells: readonly CellSpec[]): void {
    this.waiting = cells.filter((cell) => apiOf(cell) === "webgpu" && !this.known.has(this.nameOf(cell)));
    while (this.waiting.length > 0 && this.working.size < TOGETHER) {
      const work = this.work().finally(() => this.working.delete(work));
      this.working.add(work);
    }
  }

  get busy(): boolean {
    return this.working.size > 0;
  }

  /** Begins no others; resolves once none is compiled any more. */
  async end(): Promise<void> {
    this.waiting = [];
    await Promise.all(this.working);
  }

  private async work(): Promise<void> {
    for (let cell = this.waiting.shift(); cell; cell = this.waiting.shift()) {
      const name = this.nameOf(cell);
      if (this.known.has(name)) continue;
      this.known.add(name);
      // Whoever prepares the cell hears what is wrong with it.
      await this.goThrough(cell).catch(() => undefined);
      // The sampling cell has its turn.
      await new Promise((goOn) => setTimeout(goOn, 0));
    }
  }

  private nameOf(cell: CellSpec): string {
    const { bench, table, op, dataset, params, n, loadFactor, seed } = cell;
    const key = JSON.stringify([bench, table, op, dataset, params, n, loadFactor, seed]);
    const name = this.names.get(key) ?? nameOf(cell);
    this.names.set(key, name);
    return name;
  }

  /** Does on the idle device what the cell's first run does. */
  private async goThrough(spec: CellSpec): Promise<void> {
    const cell = await prepare(gone(spec), new Compiling(this.compiler), KEYS);
    try {
      if (cell.rehearse) return await cell.rehearse();
      if (cell.mutates) await cell.reset();
      await cell.sample();
    } finally {
      cell.destroy();
    }
  }
}

/** A smaller cell with the same kernels, for a cell in host memory. */
function gone(spec: CellSpec): CellSpec {
  const part = byCpuClock(spec) ? MOST_HOST_BYTES / sizeOf(spec) : 1;
  return part < 1 ? { ...spec, n: Math.ceil(part * spec.n) } : spec;
}

/** Names a cell by its history, or by all that decides its kernels. Sizes do where they are compiled in, or a table has several buffers. */
function nameOf(cell: CellSpec): string {
  const { bench, table, op, params, n, loadFactor } = cell;
  const history = historyOf(cell);
  if (history) return history.name;
  const bytes = sizeOf(cell);
  const sizes = inCache(bytes / BESIDE) || bytes >= LARGE ? [n, loadFactor] : [];
  return JSON.stringify([bench, table, op, params, ...sizes]);
}

function historyOf(cell: CellSpec) {
  try {
    return benchmarks[cell.bench]?.history?.(cell);
  } catch {
    // Whoever prepares it hears why.
    return null;
  }
}

/** BESIDE: bytes of a cell, at most, as a multiple of its table. LARGE: bytes from which on a buffer may be several. */
const BESIDE = 4;
const LARGE = 2 ** 31;

const sizeOf = (cell: CellSpec): number => knownBytes(cell)?.all ?? 0;
