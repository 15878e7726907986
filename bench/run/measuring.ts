/** Cells on one device, with the limits that their shares refer to. */

import type { CellSpec } from "../base/experiment.js";
import { isUncounted } from "../measure/counting/counters.js";
import { exact, type Metric, within } from "../results/metrics.js";
import type { CellResult } from "../results/record.js";
import { deviceShareOf, HOST, memoryOf } from "../scenarios/allocation.js";
import type { Access } from "../scenarios/benchmark.js";
import { benchmarks } from "../scenarios/index.js";
import { limitCell } from "../scenarios/limit.js";
import { LARGE_HOST_BYTES, type Limits } from "./limits.js";
import type { Measure, OnPhase, OnResult, Pool } from "./pool.js";
import type { WorkerResult } from "./protocol.js";
import type { WorkPhase } from "./stopwatch.js";

/** Other experiments on access patterns do not have the sizes that shares refer to. */
const LIMITS: ReadonlySet<string> = new Set(["device/limits", "device/large", "device/host", "device/host-large"]);
/** Sizes at which a pattern is measured where device/limits itself has not run. */
const SHORT_SIZES_MIB = [1, 16, 64, 256, 1024, 2048];
const SHORT_ACCESSES = 2 ** 26;
/**
 * Further sizes for tables that are larger than all of these, where the translation of addresses is slow: up to the first
 * that holds the table.
 */
const LARGE_SIZES_MIB = [2560, 3072, 4032, 5120, 10240];
const LARGE_BYTES = 2 ** 31;
/** In host memory, up to the first that holds the table. */
const HOST_SIZES_MIB = [64, 256, 1024, 4096, 16384];
const HOST_ACCESSES = 2 ** 21;
const MIB = 2 ** 20;

interface MeasuringOptions extends Pick<Measure, "deadline" | "place" | "soon"> {
  readonly onResult: (cell: CellSpec, result: CellResult) => Promise<void>;
  readonly onPhase: (cell: CellSpec, phase: WorkPhase, samples: number) => void;
}

/** Bytes of the cell's table, and of what comes with it. */
function bytesOf(cell: CellSpec): number {
  try {
    return benchmarks[cell.bench]?.bytes(cell) ?? 0;
  } catch {
    // It will be skipped.
    return 0;
  }
}

/** Accesses to host memory have limits of their own. */
const inHostMemory = (pattern: string) => `host: ${pattern}`;

function accessIn(cell: CellSpec, access: Access): Access {
  return memoryOf(cell) === "host" ? { ...access, pattern: inHostMemory(access.pattern) } : access;
}

/** Whether the operation cannot avoid the access: of a table in host memory, memory of the device may take RMWs and tell absent keys. */
function isDecided(cell: CellSpec, { ofIndex }: Pick<Access, "ofIndex"> = {}): boolean {
  return memoryOf(cell) !== "host" || (cell.op === "find" && cell.positiveRatio === (ofIndex ? 0 : 1));
}

/** The memories that have a part of the cell's table. */
function sharesOf(cell: CellSpec) {
  const inDevice = deviceShareOf(cell);
  const shares = [
    { share: inDevice, inHost: false },
    { share: 1 - inDevice, inHost: true },
  ];
  return shares.filter(({ share }) => share > 0);
}

export interface MeasuredDevice {
  readonly software: boolean;
  /** Whether the cell's table runs there: a native one may run on another. */
  runs(cell: CellSpec): boolean;
}

/**
 * Measures cells on one GPU, and says what share of that GPU's limits they reach. A software adapter has none: it emulates
 * lanes and memory at costs of its own, so that a table may be ten times as fast as the accesses that it consists of.
 */
export class Measuring {
  /** Operations of tables for which it was already noted that they are not counted. */
  private readonly uncounted = new Set<string>();

  constructor(
    private readonly pool: Pick<Pool, "measure">,
    private readonly device: MeasuredDevice,
    private readonly limits: Limits,
    private readonly note: (line: string) => void,
  ) {}

  async cells(cells: readonly CellSpec[], { onResult, onPhase, ...measure }: MeasuringOptions): Promise<void> {
    const phaseOf =
      (specs: readonly CellSpec[]): OnPhase =>
      (index, phase, samples) => {
        const cell = specs[index];
        if (cell) onPhase(cell, phase, samples);
      };
    if (!this.device.software) await this.ensureLimits(cells, phaseOf);
    const report: OnResult = async (index, result) => {
      const cell = cells[index];
      if (!cell) throw new Error(`the worker reported a cell ${index} it was not given`);
      this.learn(cell, result);
      if (isUncounted(result.metrics)) this.sayUncounted(cell);
      await onResult(cell, { ...result, metrics: [...result.metrics, ...this.share(cell, result)] });
    };
    await this.pool.measure(cells, { ...measure, onResult: report, onPhase: phaseOf(cells) });
  }

  /** Measures the patterns that the cells' shares refer to, shortly, where they are not known for this device. */
  private async ensureLimits(
    cells: readonly CellSpec[],
    phaseOf: (specs: readonly CellSpec[]) => OnPhase,
  ): Promise<void> {
    const [inDevice, inHost] = [new Map<string, number>(), new Map<string, number>()];
    for (const cell of cells) {
      if (!isDecided(cell) || !this.device.runs(cell)) continue;
      for (const pattern of benchmarks[cell.bench]?.limits?.patternsOf?.(cell) ?? [])
        for (const { share, inHost: isHosts } of sharesOf(cell)) {
          const largest = isHosts ? inHost : inDevice;
          largest.set(pattern, Math.max(share * bytesOf(cell), largest.get(pattern) ?? 0));
        }
    }
    const wanted = [
      ...[...inDevice].flatMap((of) => this.missing(...of)),
      ...[...inHost].flatMap((of) => this.missingInHost(...of)),
    ];
    if (wanted.length === 0) return;
    const missing = [...new Set(wanted.map((cell) => accessIn(cell, { pattern: cell.table, tableBytes: 0 }).pattern))];
    this.note(`measuring this device's limits first (kept for later runs): ${missing.join(", ")}`);
    const onResult: OnResult = async (index, result) => this.learn(wanted[index], result);
    await this.pool.measure(wanted, { onResult, onPhase: phaseOf(wanted) });
  }

  /** @param bytes of the largest table */
  private missing(pattern: string, bytes: number): CellSpec[] {
    // device/large begins with the largest of these.
    const short = this.limits.has(pattern, 0, LARGE_BYTES / 2) ? [] : SHORT_SIZES_MIB;
    const large = this.unknownSizes(pattern, bytes, LARGE_SIZES_MIB, LARGE_BYTES / MIB);
    return [...short, ...large].map((size) => limitCell(pattern, size, SHORT_ACCESSES));
  }

  /** device/host may be measured by the worker of another GPU. */
  private missingInHost(pattern: string, bytes: number): CellSpec[] {
    const sizes = this.unknownSizes(inHostMemory(pattern), bytes, HOST_SIZES_MIB, 0);
    return sizes.map((size) => ({ ...limitCell(pattern, size, HOST_ACCESSES), params: { tableMiB: size, ...HOST } }));
  }

  /** The sizes in MiB beyond `from` that are below the largest table's, and the next one; none if the pattern is known there. */
  private unknownSizes(pattern: string, bytes: number, all: readonly number[], from: number): readonly number[] {
    const sizes = all.filter((_, i) => bytes > (all[i - 1] ?? from) * MIB);
    return sizes.length > 0 && this.limits.has(pattern, (sizes.at(-2) ?? from) * MIB) ? [] : sizes;
  }

  private sayUncounted({ table, op }: CellSpec): void {
    const name = `${table}'s ${op}`;
    if (this.uncounted.has(name)) return;
    this.uncounted.add(name);
    this.note(
      `${name}: its kernels count nothing, or have no counting variant (@if(COUNT)), so its rows have no counters`,
    );
  }

  private learn(cell: CellSpec | undefined, { status, access, metrics }: WorkerResult): void {
    const mops = metrics.find(({ metric }) => metric === "mops")?.value;
    const setsLimits =
      !this.device.software &&
      cell &&
      memoryOf(cell) !== "plain" &&
      LIMITS.has(cell.experiment) &&
      benchmarks[cell.bench]?.limits?.sets;
    if (setsLimits && status === "ok" && access && mops) this.limits.set(accessIn(cell, access), mops);
  }

  /** M accesses/s, where both memories serve their shares at the same time; null where one's limit is not known. */
  private limitOf(cell: CellSpec, { pattern, tableBytes, ofIndex }: Access): number | null {
    const shares = ofIndex ? [{ share: 1, inHost: false }] : sharesOf(cell);
    const rates = shares.map(({ share, inHost }) => {
      const own = { pattern: inHost ? inHostMemory(pattern) : pattern, tableBytes: share * tableBytes };
      const isKnown = !inHost || own.tableBytes >= LARGE_HOST_BYTES;
      return isKnown ? (this.limits.rate(own) ?? Number.NaN) / share : Number.NaN;
    });
    return Math.min(...rates) || null;
  }

  /** M operations/s that the access allows, and what is beside it; null where one's limit is not known. */
  private rateOf(cell: CellSpec, access: Access): number | null {
    if (!isDecided(cell, access)) return null;
    const accesses = this.limitOf(cell, access);
    const own = accesses && accesses / (access.times ?? 1);
    const other = access.beside ? this.rateOf(cell, access.beside) : Number.POSITIVE_INFINITY;
    return own && other && Math.min(own, other);
  }

  /** The limit of the cell's unavoidable access, and the cell's share of it. */
  private share(cell: CellSpec, { status, access, metrics }: WorkerResult): Metric[] {
    const limited = !this.device.software && benchmarks[cell.bench]?.limits?.patternsOf && this.device.runs(cell);
    const rate = limited && access ? this.rateOf(cell, access) : null;
    const mops = metrics.find(({ metric }) => metric === "mops");
    if (status !== "ok" || !rate || !mops) return [];
    const part = (value: number | null) => (value === null ? null : value / rate);
    return [
      exact("limit_mops", rate),
      within("limit_share", { value: mops.value / rate, lo: part(mops.lo), hi: part(mops.hi) }),
    ];
  }
}
