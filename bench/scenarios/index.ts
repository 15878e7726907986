/** The benchmarks by the name that cells use, and everything they can measure. */

import { UsageError } from "../../kernels/device/errors.js";
import type { Gpu } from "../../kernels/device/gpu.js";
import type { Owned } from "../../kernels/device/owned.js";
import type { Api, TableType } from "../../kernels/table.js";
import type { CellSpec } from "../base/experiment.js";
import type { Shared } from "../measure/shared.js";
import { agingBenchmark } from "./aging.js";
import { allocBenchmark } from "./alloc.js";
import { memoryOf } from "./allocation.js";
import {
  type Benchmark,
  type CellBytes,
  type KeyCache,
  type KnownSeries,
  type PreparedCell,
  prepareCell,
} from "./benchmark.js";
import { checkNames } from "./cell-table.js";
import { conflictsBenchmark } from "./conflicts.js";
import { cpuBenchmark } from "./cpu.js";
import { dynamicBenchmark } from "./dynamic.js";
import { flushBenchmark } from "./flush.js";
import { gammaBenchmark } from "./gamma.js";
import { groupByBenchmark } from "./group-by.js";
import { hostMemoryBenchmark, hostMemoryMixedBenchmark } from "./host-memory.js";
import { incrementalBenchmark } from "./incremental.js";
import { joinBenchmark } from "./join.js";
import { joinRowsBenchmark } from "./join-rows.js";
import { limitBenchmark } from "./limit.js";
import { mixedBenchmark } from "./mixed.js";
import { modelBenchmark } from "./model.js";
import { pipelinesBenchmark } from "./pipelines.js";
import { reachBenchmark } from "./reach.js";
import { repeatedBenchmark } from "./repeated.js";
import { resizeBenchmark } from "./resize.js";
import { restartsBenchmark } from "./restarts.js";
import { rowsBenchmark } from "./rows.js";
import { stridedBenchmark } from "./strided.js";
import { tableBenchmark } from "./table.js";

export const benchmarks: Readonly<Record<string, Benchmark>> = {
  table: tableBenchmark,
  mixed: mixedBenchmark,
  gamma: gammaBenchmark,
  incremental: incrementalBenchmark,
  dynamic: dynamicBenchmark,
  resize: resizeBenchmark,
  aging: agingBenchmark,
  flush: flushBenchmark,
  repeated: repeatedBenchmark,
  join: joinBenchmark,
  "group-by": groupByBenchmark,
  rows: rowsBenchmark,
  "join-rows": joinRowsBenchmark,
  host: hostMemoryBenchmark,
  "host-mixed": hostMemoryMixedBenchmark,
  limit: limitBenchmark,
  strided: stridedBenchmark,
  conflicts: conflictsBenchmark,
  model: modelBenchmark,
  pipelines: pipelinesBenchmark,
  restarts: restartsBenchmark,
  reach: reachBenchmark,
  alloc: allocBenchmark,
  cpu: cpuBenchmark,
};

/** The benchmark of that name. Throws a UsageError if there is none. */
export function benchmarkOf({ experiment, bench }: Pick<CellSpec, "experiment" | "bench">): Benchmark {
  const found = benchmarks[bench];
  if (!found)
    throw new UsageError(`${experiment}: no benchmark ${bench}; there are ${Object.keys(benchmarks).join(", ")}`);
  return found;
}

/** Who runs the table of a cell or row. */
export function apiOf({ bench, table }: Pick<CellSpec, "bench" | "table">): Api {
  return benchmarks[bench]?.runs?.api(table) ?? "webgpu";
}

/** Whether the CPU's clock times the cell: then it is not measured in turn with those that the GPU's clock times. */
export function byCpuClock(cell: Pick<CellSpec, "bench" | "table">): boolean {
  return benchmarks[cell.bench]?.clock === "cpu" || apiOf(cell) === "cpu";
}

/**
 * The cell's table with its parameters, if it has one. Throws a UsageError of one line for a parameter that neither the cell's
 * benchmark nor its table knows, a value that it does not take, or values that do not go with one another.
 */
export function checkParameters(cell: CellSpec): TableType | null {
  const { tables, parameters } = benchmarkOf(cell);
  if (tables) return tables.tableOf(cell);
  checkNames(cell, parameters);
  return null;
}

/** Device bytes that the cell will hold. Throws as `checkParameters` does. */
export function bytesOf(cell: CellSpec): CellBytes {
  const benchmark = checkedBenchmark(cell);
  const shared = Object.entries(benchmark.sharedBytes?.(cell) ?? {});
  // Cells share what they have with cells of the same kind of memory alone.
  const memory = memoryOf(cell);
  const kind = memory === "device" ? "" : `${memory}: `;
  return { all: benchmark.bytes(cell), shared: Object.fromEntries(shared.map(([name, size]) => [kind + name, size])) };
}

/** Prepares a cell by its benchmark. Throws as `Benchmark.prepare` does, and a UsageError for unknown parameters. */
export async function prepare(cell: CellSpec, gpu: Gpu, keys: KeyCache, shared?: Shared): Promise<Owned<PreparedCell>> {
  return prepareCell(checkedBenchmark(cell), cell, gpu, keys, shared);
}

/** The cell's benchmark, which has looked at the parameters or, where it has tables, will do so. */
function checkedBenchmark(cell: CellSpec): Benchmark {
  const benchmark = benchmarkOf(cell);
  if (!benchmark.tables) checkNames(cell, benchmark.parameters);
  return benchmark;
}

/** The benchmark of a series that names none. */
export const DEFAULT_BENCH = "table";

/** The benchmark's series of that id; undefined if there is no such series or benchmark. */
export function knownSeries(bench: string, id: string): KnownSeries | undefined {
  return benchmarks[bench]?.series().find((series) => series.id === id);
}

/** A series, and what the series of its benchmark are. */
type MeasuredSeries = KnownSeries & Pick<Benchmark, "measures">;

/** What a series is, with its article: `an access pattern`. */
export function kindOf({ measures }: MeasuredSeries): string {
  return `${/^[aeiou]/.test(measures) ? "an" : "a"} ${measures}`;
}

/** Everything that any benchmark measures, each id once. */
export function allSeries(): MeasuredSeries[] {
  const found = new Map<string, MeasuredSeries>();
  for (const { measures, series } of Object.values(benchmarks)) {
    for (const one of series()) if (!found.has(one.id)) found.set(one.id, { ...one, measures });
  }
  return [...found.values()];
}
