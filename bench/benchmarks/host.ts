/** Times the operations of tables in host memory, end to end, by the host's clock; counts what they move (kernels/out-of-core). */

import { UsageError } from "../../kernels/device/errors.js";
import { hostTable, hostTableIds } from "../../kernels/host-memory.js";
import { Traffic } from "../../kernels/out-of-core/pcie.js";
import type { TableType } from "../../kernels/table.js";
import type { CellSpec } from "../experiment.js";
import type { BenchContext, Benchmark, PreparedCell } from "../measure/benchmark.js";
import { exact, type Metric } from "../results/record.js";
import { prepareMixed } from "./mixed.js";
import { lookupsOf, prepareTable } from "./table.js";

/** Insertion, retrieval or deletion in bulk. */
export const hostBenchmark: Benchmark = {
  host: true,
  bytes: (cell) => tableBytes(cell) + cell.n * 4 + (cell.op === "insert" ? cell.n * 4 : lookupsOf(cell) * 8),
  prepare: (cell, context) => prepare(cell, context, prepareTable),
};

/** Slices of insertions and retrievals. */
export const hostMixedBenchmark: Benchmark = {
  host: true,
  // Two operations a pair, of four words each.
  bytes: (cell) => tableBytes(cell) + cell.n * 32,
  prepare: (cell, context) => prepare(cell, context, prepareMixed),
};

/** Host memory counts like the device's: tables that are measured in turn have to fit. */
function tableBytes({ table, n, loadFactor, params }: CellSpec): number {
  return hostTable(table, new Traffic())?.bytes(n, loadFactor ?? 1, params) ?? 0;
}

/** The cell of the benchmark in GPU memory, with the table in host memory and with its counters. */
async function prepare(
  cell: CellSpec,
  context: BenchContext,
  inCore: (cell: CellSpec, type: TableType, context: BenchContext) => Promise<PreparedCell>,
): Promise<PreparedCell> {
  const traffic = new Traffic();
  const type = hostTable(cell.table, traffic);
  if (!type) throw new UsageError(`${cell.table} cannot be in host memory; ${hostTableIds.join(", ")} can`);
  const prepared = await inCore(cell, type, context);
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

function trafficMetrics(traffic: Traffic, operations: number): Metric[] {
  const mops = traffic.mops(operations);
  return [
    exact("host_reads", "1/op", traffic.reads / operations),
    exact("host_writes", "1/op", traffic.writes / operations),
    exact("host_rounds", "rounds", traffic.rounds),
    ...(mops === null ? [] : [exact("counted_mops", "M op/s", mops)]),
  ];
}
