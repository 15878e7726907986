/**
 * How full a table gets before it refuses a pair (GPH, SIGMOD 2025, Fig. 15a). The n pairs of a table that is made for them
 * arrive in equal batches, until one of these has pairs that find no room: `load_factor_reached` is of those before it. A
 * sample inserts these at once into the empty table. Parameter `batches`: what the n pairs are divided into.
 */
import { createTable } from "../../kernels/create.js";
import { UsageError } from "../../kernels/device/errors.js";
import { scoped } from "../../kernels/device/owned.js";
import { allTables, tableType } from "../../kernels/index.js";
import type { GpuTable, Parameter, RunSteps } from "../../kernels/table.js";
import type { CellSpec } from "../experiment.js";
import type { BenchContext, Benchmark, PreparedCell } from "../measure/benchmark.js";
import { exact } from "../results/metrics.js";
import { findStored } from "../workload/stored.js";
import { type DeviceKeys, writeValues } from "../workload/workload.js";
import { givenLoadFactor, tableParams } from "./parameters.js";
import { INSERT, tablesWith } from "./series.js";

const BATCHES = 256;

const PARAMETERS: readonly Parameter[] = [
  {
    ...{ name: "batches", from: 2, to: 2 ** 16, integer: true },
    meaning: `equal parts in which the input arrives (default: ${BATCHES})`,
  },
];

export const reachBenchmark: Benchmark = {
  measures: "GPU table",
  operations: [INSERT],
  series: () =>
    tablesWith(
      [INSERT],
      allTables().filter(({ answers, dense, incremental }) => incremental && !answers && !dense),
    ),
  parameters: PARAMETERS,
  typeOf: tableType,
  clock: "gpu",
  limitPattern: ({ table }) => tableType(table).access("insert").pattern,
  // Values, and the answers of the verification.
  bytes: (cell) =>
    tableType(cell.table).bytes(cell.n, givenLoadFactor(cell), tableParams(cell, PARAMETERS)) + cell.n * 8,
  prepare,
};

async function prepare(cell: CellSpec, context: BenchContext): Promise<PreparedCell> {
  const { gpu } = context;
  const { n, seed, dataset } = cell;
  const type = tableType(cell.table);
  if (!type.incremental) throw new UsageError(`${type.id} is built in one insertion`);
  const data = await context.keys.get(dataset, n, seed);
  if (data.unique < n)
    throw new UsageError(`a table is filled with different keys; ${dataset} has ${n - data.unique} duplicates`);
  const params = tableParams(cell, PARAMETERS);
  const options = { n, loadFactor: givenLoadFactor(cell), seed, params, counting: false };
  const table = await createTable(type, gpu, options);
  const values = await gpu.alloc(`${n} values`, n * 4);
  const filling = new Filling(cell, context, data, table, values);
  return filling.prepared(await filling.fill(Number(cell.params.batches ?? BATCHES)));
}

class Filling {
  /** Tells this run's values from those of the runs before it. */
  private salt: number;
  private refused = 0;

  constructor(
    private readonly cell: CellSpec,
    private readonly context: BenchContext,
    private readonly data: DeviceKeys,
    private readonly table: GpuTable,
    private readonly values: GPUBuffer,
  ) {
    this.salt = cell.seed;
  }

  private readonly time: RunSteps = (steps, status) => this.context.gpu.time(steps, status);

  /** Pairs of the batches before the first one that has refused pairs. */
  async fill(batches: number): Promise<number> {
    await this.reset();
    const end = (batch: number) => Math.floor((batch * this.data.n) / batches);
    for (let batch = 0; batch < batches; batch++) {
      await this.insert(end(batch), end(batch + 1));
      if (this.refused > 0) return end(batch);
    }
    return this.data.n;
  }

  /** @param pairs The first so many of the input. Of other groupings into dispatches a few of them may be refused. */
  prepared(pairs: number): PreparedCell {
    const { data, table } = this;
    if (pairs === 0) throw new Error("pairs of the first batch were refused");
    const { pattern, times = 1 } = tableType(this.cell.table).access("insert");
    return {
      mutates: true,
      reset: () => this.reset(),
      sample: () => this.insert(0, pairs),
      operations: pairs,
      dataHash: data.digest,
      access: { pattern, times, tableBytes: table.bytes },
      verify: () => this.verify(pairs),
      metrics: async () => [
        exact("load_factor_reached", pairs / table.slots),
        exact("refused_share", this.refused / pairs),
      ],
    };
  }

  private async reset(): Promise<void> {
    this.salt = (this.salt + 0x9e3779b9) >>> 0;
    this.refused = 0;
    await writeValues(this.context.gpu, this.data.keys, this.values, this.data.n, this.salt);
    await this.table.clear();
  }

  /** Pairs first … end - 1; nanoseconds. */
  private async insert(first: number, end: number): Promise<number> {
    const pairs = { keys: this.data.keys, values: this.values, first, n: end - first };
    const { ns, count } = await this.table.insert(this.time, pairs);
    this.refused += count;
    return ns;
  }

  private verify(inserted: number): Promise<string> {
    const { data, refused, salt } = this;
    return scoped(this.context.gpu, async (own) => {
      const find = (lookups: Parameters<GpuTable["find"]>[1]) => this.table.find(this.time, lookups);
      return (await findStored(own, data, { inserted, refused, salt }, find)).wrong;
    });
  }
}
