/**
 * Times how a table comes to n pairs in equal batches (slab hash, IPDPS 2018, VI.B): one that can be added to takes them one
 * after another, any other is built from scratch after every batch, of all pairs so far and at the same load factor. A
 * sample is the sum of all these insertions; emptying a table is not timed. Parameters: `batch`, and `total`, the pairs for
 * which a table that is added to is made.
 */
import { createTable } from "../../kernels/create.js";
import { UsageError } from "../../kernels/device/errors.js";
import { Owner } from "../../kernels/device/owned.js";
import { allTables, tableType } from "../../kernels/index.js";
import type { GpuTable, Parameter, RunSteps, TableType } from "../../kernels/table.js";
import { countingRunner, countMetrics } from "../counting/counters.js";
import type { CellSpec } from "../experiment.js";
import type { BenchContext, Benchmark, PreparedCell } from "../measure/benchmark.js";
import { exact, type Metric } from "../results/metrics.js";
import { checkEvery, type DeviceKeys, writeValues } from "../workload/workload.js";
import { occupancyMetrics } from "./occupancy.js";
import { givenLoadFactor, tableParams } from "./parameters.js";
import { INSERT, tablesWith } from "./series.js";

const PARAMETERS: readonly Parameter[] = [
  { ...{ name: "batch", from: 1, to: 2 ** 32 - 2, integer: true }, meaning: "pairs of a batch" },
  {
    ...{ name: "total", from: 1, to: 2 ** 32 - 2, integer: true },
    meaning: "pairs that the table is made for, if it can be added to (default: n)",
  },
];

/** Batches that come before the table of n pairs, and it. Throws a UsageError for parameters that do not go together. */
function plan({ n, params, experiment }: CellSpec): { readonly ends: readonly number[]; readonly total: number } {
  const [batch, total] = [Number(params.batch), Number(params.total ?? n)];
  if (!(batch >= 1)) throw new UsageError(`${experiment}: a batch has a size; parameter batch is missing`);
  if (total < n) throw new UsageError(`${experiment}: total is ${total}, less than n, ${n}`);
  const ends = Array.from({ length: Math.ceil(n / batch) }, (_, i) => Math.min(n, (i + 1) * batch));
  return { ends, total };
}

export const incrementalBenchmark: Benchmark = {
  measures: "GPU table",
  operations: [INSERT],
  series: () =>
    tablesWith(
      [INSERT],
      allTables().filter(({ answers, dense }) => !answers && !dense),
    ),
  parameters: PARAMETERS,
  typeOf: tableType,
  clock: "gpu",
  bytes(cell) {
    const type = tableType(cell.table);
    const { ends, total } = plan(cell);
    const params = tableParams(cell, PARAMETERS);
    const bytes = (n: number) => type.bytes(n, cell.loadFactor ?? 1, params);
    return (type.incremental ? bytes(total) : ends.reduce((sum, n) => sum + bytes(n), 0)) + cell.n * 12;
  },
  prepare: (cell, context) => prepare(cell, tableType(cell.table), context),
};

async function prepare(cell: CellSpec, type: TableType, context: BenchContext): Promise<PreparedCell> {
  const { seed } = cell;
  const loadFactor = givenLoadFactor(cell);
  const { ends, total } = plan(cell);
  const data = await context.keys.get(cell.dataset, cell.n, seed);
  if (data.unique < data.n)
    throw new UsageError(`batches are of different keys; ${cell.dataset} has ${data.n - data.unique} duplicates`);
  const params = tableParams(cell, PARAMETERS);
  const own = new Owner(context.gpu);
  const tables: GpuTable[] = [];
  for (const n of type.incremental ? [total] : ends)
    tables.push(await createTable(type, own, { n, loadFactor, seed, params, counting: false }));
  const values = await own.alloc(`${data.n} values`, data.n * 4);
  return new Batches(cell, context, data, ends, tables, values).prepared();
}

class Batches {
  /** Tells this run's values from those of the runs before it. */
  private salt: number;
  private restarts = 0;

  constructor(
    private readonly cell: CellSpec,
    private readonly context: BenchContext,
    private readonly data: DeviceKeys,
    /** Pairs after each batch. */
    private readonly ends: readonly number[],
    /** One that takes all batches, or one for every batch. */
    private readonly tables: readonly GpuTable[],
    private readonly values: GPUBuffer,
  ) {
    this.salt = cell.seed;
  }

  prepared(): PreparedCell {
    return {
      mutates: true,
      reset: () => this.reset(),
      sample: (_repetitions, between) => this.run(this.time, between),
      operations: this.data.n,
      dataHash: this.data.digest,
      // Of tables that are built again and again, most accesses are not of an operation of their own.
      access: null,
      verify: () => this.verify(),
      metrics: () => this.metrics(),
    };
  }

  private readonly time: RunSteps = (steps, status) => this.context.gpu.time(steps, status);

  /** The table that holds all pairs in the end. */
  private get last(): GpuTable {
    const table = this.tables.at(-1);
    if (!table) throw new Error("there is no table");
    return table;
  }

  private async reset(): Promise<void> {
    this.salt = (this.salt + 0x9e3779b9) >>> 0;
    const { context, data, values, salt } = this;
    const writing = writeValues(context.gpu, data.keys, values, data.n, salt);
    await Promise.all([writing, ...this.tables.map((table) => table.clear())]);
  }

  /** All batches; nanoseconds. Throws an Error if not all pairs got in. */
  private async run(run: RunSteps, between = async () => {}): Promise<number> {
    const { tables, values, ends } = this;
    const { keys } = this.data;
    const added = tables.length < ends.length;
    let sum = 0;
    let first = 0;
    for (const [i, end] of ends.entries()) {
      const table = added ? this.last : tables[i];
      if (!table) throw new Error(`there is no table for ${end} pairs`);
      const from = added ? first : 0;
      await between();
      const { ns, count, restarts } = await table.insert(run, { keys, values, n: end - from, first: from });
      if (count > 0) throw new Error(`${count} of ${end - from} pairs found no slot`);
      this.restarts += restarts;
      sum += ns;
      first = end;
    }
    return sum;
  }

  /** Every key has to be found with its newest value, and no other key. */
  private verify(): Promise<string> {
    const { context, data, last, cell, salt } = this;
    return checkEvery(context.gpu, data, (lookups) => last.find(this.time, lookups), { seed: cell.seed, salt });
  }

  /** Counted over all batches, a pair. */
  private async metrics(): Promise<Metric[]> {
    const { run, counts } = countingRunner(this.context.gpu);
    await this.reset();
    await this.run(run);
    const built = await occupancyMetrics(this.last, this.data.n);
    return [...built, exact("restarts", this.restarts), ...countMetrics(counts, this.data.n)];
  }
}
