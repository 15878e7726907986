/** Times the operations of tables in host memory, end to end, by the CPU's clock; counts what they move (kernels/out-of-core). */

import { PAIR_BYTES } from "../../kernels/common/steps.js";
import { UsageError } from "../../kernels/device/errors.js";
import { hostTable, hostTableIds } from "../../kernels/host-memory.js";
import { Traffic } from "../../kernels/out-of-core/pcie.js";
import type { TableType } from "../../kernels/table.js";
import type { CellSpec } from "../base/experiment.js";
import { Shared } from "../measure/shared.js";
import { exact, type Metric } from "../results/metrics.js";
import type { BenchContext, PreparedCell } from "./benchmark.js";
import { ofTables, type TableBenchmark, type Tables } from "./gpu-tables.js";
import { mixedBenchmark, mixedCells } from "./mixed.js";
import { INSERT } from "./operations.js";
import { lookupsOf } from "./parameters.js";
import { bulkCells, tableBenchmark } from "./table.js";

/** The type whose tables add what they move to `traffic`. */
function typeOf(table: string, traffic = new Traffic()): TableType {
  const type = hostTable(table, traffic);
  if (!type) throw new UsageError(`${table} cannot be in host memory; ${hostTableIds.join(", ")} can`);
  return type;
}

const IN_HOST_MEMORY: Tables = {
  all: () => hostTableIds.map((id) => typeOf(id)),
  byId: (id) => typeOf(id),
  clock: "cpu",
};

/** Insertion, retrieval or deletion in bulk. Host memory counts like the device's: tables measured in turn have to fit. */
export const hostMemoryBenchmark = ofTables(
  {
    ...bulkCells,
    bytes(of) {
      const { n, op } = of.cell;
      const beside = op === INSERT.id ? n * 4 : lookupsOf(of.cell) * PAIR_BYTES;
      return of.bytes() + n * 4 + beside;
    },
    prepare: ({ cell }, context) => prepare(cell, context, tableBenchmark),
  },
  IN_HOST_MEMORY,
);

/** Slices of insertions and retrievals. */
export const hostMemoryMixedBenchmark = ofTables(
  { ...mixedCells, prepare: ({ cell }, context) => prepare(cell, context, mixedBenchmark) },
  IN_HOST_MEMORY,
);

/** The cell of the benchmark in GPU memory, with the table in host memory and with its counters. */
async function prepare(cell: CellSpec, context: BenchContext, inCore: TableBenchmark): Promise<PreparedCell> {
  const traffic = new Traffic();
  // The table reports its bus traffic to this cell alone.
  const apart = { ...context, shared: new Shared(context.gpu) };
  const prepared = await inCore.prepareAs(typeOf(cell.table, traffic), cell, apart);
  let counted: Metric[] = [];
  return {
    ...prepared,
    // Host rounds are many passes: none of them can repeat the operation.
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

/** Metrics of one sample's traffic. An operation that the ticket-board resolved alone needs no bus, and so has no rate on it. */
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
