/** Times the operations of tables in host memory, end to end, by the CPU's clock; counts what they move (kernels/out-of-core). */

import { UsageError } from "../../kernels/device/errors.js";
import { hostTable, hostTableIds } from "../../kernels/host-memory.js";
import { Traffic } from "../../kernels/out-of-core/pcie.js";
import type { TableType } from "../../kernels/table.js";
import type { CellSpec } from "../experiment.js";
import type { BenchContext, Benchmark, Operation, PreparedCell } from "../measure/benchmark.js";
import { Shared } from "../measure/shared.js";
import { exact, type Metric } from "../results/metrics.js";
import { MIXED_PARAMETERS, mixedBytes, prepareMixed } from "./mixed.js";
import { ERASE, FIND, INSERT, MIXED, tablesWith } from "./series.js";
import { BULK_PARAMETERS, bytesFor, lookupsOf, prepareTable } from "./table.js";

/** The type whose tables add what they move to `traffic`. */
function typeOf(table: string, traffic = new Traffic()): TableType {
  const type = hostTable(table, traffic);
  if (!type) throw new UsageError(`${table} cannot be in host memory; ${hostTableIds.join(", ")} can`);
  return type;
}

function declared(operations: readonly Operation[]) {
  const types = () => hostTableIds.map((id) => typeOf(id));
  const series = () => tablesWith(operations, types());
  return { measures: "GPU table", operations, series, typeOf, clock: "cpu" } as const;
}

/** Insertion, retrieval or deletion in bulk. Host memory counts like the device's: tables measured in turn have to fit. */
export const hostMemoryBenchmark: Benchmark = {
  ...declared([INSERT, FIND, ERASE]),
  parameters: BULK_PARAMETERS,
  bytes(cell) {
    return bytesFor(typeOf(cell.table), cell) + cell.n * 4 + (cell.op === "insert" ? cell.n * 4 : lookupsOf(cell) * 8);
  },
  prepare: (cell, context) => prepare(cell, context, prepareTable),
};

/** Slices of insertions and retrievals. */
export const hostMemoryMixedBenchmark: Benchmark = {
  ...declared([MIXED]),
  parameters: MIXED_PARAMETERS,
  bytes: (cell) => mixedBytes(typeOf(cell.table), cell),
  prepare: (cell, context) => prepare(cell, context, prepareMixed),
};

/** The cell of the benchmark in GPU memory, with the table in host memory and with its counters. */
async function prepare(
  cell: CellSpec,
  context: BenchContext,
  inCore: (cell: CellSpec, type: TableType, context: BenchContext) => Promise<PreparedCell>,
): Promise<PreparedCell> {
  const traffic = new Traffic();
  // Its table tells this cell alone what went over the bus.
  const apart = { ...context, shared: new Shared(context.gpu) };
  const prepared = await inCore(cell, typeOf(cell.table, traffic), apart);
  let counted: Metric[] = [];
  return {
    ...prepared,
    // Host rounds are no pass: nothing is repeated in one.
    ...(prepared.mutates ? {} : { repeats: false }),
    sample: async () => {
      traffic.reset();
      const ns = await prepared.sample();
      counted = trafficMetrics(traffic, prepared.operations);
      return ns;
    },
    // The GPU's memory is not what these operations wait for.
    access: null,
    metrics: async () => counted,
  };
}

/** Of one sample. An operation that the ticket-board resolved alone needs no bus, and so has no rate on it. */
export function trafficMetrics(traffic: Traffic, operations: number): Metric[] {
  const mops = traffic.mops(operations);
  return [
    exact("host_reads", traffic.reads / operations),
    exact("host_writes", traffic.writes / operations),
    exact("host_accesses", traffic.accesses / operations),
    exact("host_rounds", traffic.rounds),
    ...(mops === null ? [] : [exact("counted_mops", mops)]),
  ];
}
