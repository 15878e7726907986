/** Times mixed batches: slices of interleaved insertions and retrievals, all in one pass (Stadium hashing, IV.A). */

import { createTable } from "../../kernels/create.js";
import { UsageError } from "../../kernels/device/errors.js";
import { scoped } from "../../kernels/device/owned.js";
import { allTables, tableType } from "../../kernels/index.js";
import type { GpuTable, Lookups, OpResult, Parameter, RunSteps, TableType } from "../../kernels/table.js";
import { countingRunner, countMetrics } from "../counting/counters.js";
import type { CellSpec } from "../experiment.js";
import type { BenchContext, Benchmark, PreparedCell } from "../measure/benchmark.js";
import { samplerDevice } from "../measure/device.js";
import { checkDuration, measureGroup } from "../measure/sampler.js";
import { summarise } from "../measure/statistics.js";
import { exact, type Metric, within } from "../results/metrics.js";
import { type BatchOptions, DeviceBatch } from "../workload/batch.js";
import { checkEvery, type DeviceKeys } from "../workload/workload.js";
import { tableParams } from "./parameters.js";
import { MIXED, tablesWith } from "./series.js";

/** Operations of a slice in the paper, about. */
const SLICE = 100_000;
/** A batch has two operations a pair, of four words each. */
const BATCH_BYTES = 2 * 4 * 4;
/** For the times that the mixed one is compared with; on a software adapter none of them means much. */
const STOPPING = { minSamples: 7, maxSamples: 50, maxNoise: 0.01, minTimeMs: 0, maxTimeMs: 500 };
const STOPPING_SOFTWARE = { ...STOPPING, minSamples: 3, maxSamples: 3 };

export const MIXED_PARAMETERS: readonly Parameter[] = [
  {
    ...{ name: "slice", from: 2, to: 2 ** 32 - 2, integer: true },
    meaning: `operations of a slice (default: ${SLICE})`,
  },
  {
    name: "apart",
    values: [true, false],
    meaning: "also time insertions and retrievals apart, for the efficiency of mixing",
  },
];

export const mixedBenchmark: Benchmark = {
  measures: "GPU table",
  operations: [MIXED],
  series: () =>
    tablesWith(
      [MIXED],
      allTables().filter(({ answers }) => !answers),
    ),
  parameters: MIXED_PARAMETERS,
  typeOf: tableType,
  clock: "gpu",
  bytes: (cell) => mixedBytes(tableType(cell.table), cell),
  prepare: (cell, context) => prepareMixed(cell, tableType(cell.table), context),
};

/** Bytes of a cell's table and batch. */
export function mixedBytes(type: TableType, cell: CellSpec): number {
  return type.bytes(cell.n, cell.loadFactor ?? 1, tableParams(cell, MIXED_PARAMETERS)) + cell.n * BATCH_BYTES;
}

/** Prepares a cell of mixed batches of a table of this type. Throws as `Benchmark.prepare` does. */
export async function prepareMixed(cell: CellSpec, type: TableType, context: BenchContext): Promise<PreparedCell> {
  if (cell.loadFactor === null) throw new UsageError(`${cell.experiment}: ${cell.table} needs a load factor`);
  if (cell.op !== "mixed") throw new UsageError(`${cell.experiment}: ${cell.op} is no mixed operation`);
  if (type.answers) throw new UsageError(`${type.id} answers with ${type.answers}s, not values`);
  if (!type.ops.includes("mixed")) throw new UsageError(`${type.id} has no mixed`);
  const data = await context.keys.get(cell.dataset, cell.n, cell.seed);
  if (!type.duplicates && data.unique < data.n) {
    throw new UsageError(`${type.id} takes every key once; ${cell.dataset} has ${data.n - data.unique} duplicates`);
  }
  return Mixed.prepare(cell, type, data, context);
}

class Mixed {
  /** Tells this run's values from those of the runs before it. */
  private salt: number;
  private restarts = 0;

  private constructor(
    private readonly type: TableType,
    private readonly data: DeviceKeys,
    private readonly context: BenchContext,
    private readonly workload: BatchOptions & { readonly apart: boolean },
    private readonly table: GpuTable,
    private readonly batch: DeviceBatch,
  ) {
    this.salt = workload.seed;
  }

  static async prepare(
    cell: CellSpec,
    type: TableType,
    data: DeviceKeys,
    context: BenchContext,
  ): Promise<PreparedCell> {
    const { seed } = cell;
    const params = tableParams(cell, MIXED_PARAMETERS);
    const { slice = SLICE, apart = false } = cell.params;
    const workload = { slice: Number(slice), positiveRatio: cell.positiveRatio ?? 1, seed, apart: apart === true };
    const options = { n: data.unique, loadFactor: cell.loadFactor ?? 1, seed, params, counting: false };
    const table = await createTable(type, context.gpu, options);
    const batch = await DeviceBatch.make(context.gpu, data, workload, "mixed");
    const mixed = new Mixed(type, data, context, workload, table, batch);
    return mixed.cell(data.digest + (await batch.digest()));
  }

  private cell(dataHash: string): PreparedCell {
    return {
      mutates: true,
      reset: async () => {
        this.salt = (this.salt + 0x9e3779b9) >>> 0;
        await Promise.all([this.batch.renew(this.salt), this.table.clear()]);
      },
      sample: async () => {
        const { ns, restarts } = await this.run(this.time);
        this.restarts += restarts;
        return ns;
      },
      operations: this.batch.operations,
      dataHash,
      // A batch has no one access that it cannot avoid.
      access: null,
      verify: () => this.verify(),
      metrics: (ns) => this.metrics(ns),
    };
  }

  private readonly time: RunSteps = (steps, status) => this.context.gpu.time(steps, status);

  private async run(run: RunSteps, batch = this.batch): Promise<OpResult> {
    if (!this.table.mixed) throw new Error(`${this.type.id} lists mixed among its operations and has none`);
    return inserted(await this.table.mixed(run, batch), batch.operations);
  }

  /** Every answer of the batch; then every key has to be found with its newest value, and no other key. */
  private async verify(): Promise<string> {
    const wrong = await this.batch.check(this.salt);
    if (wrong) return wrong;
    const { context, data, table, salt, workload } = this;
    const find = (lookups: Lookups) => table.find(this.time, lookups);
    const lost = await checkEvery(context.gpu, data, find, { seed: workload.seed, salt });
    return lost && `after the batch ${lost}`;
  }

  private async metrics(ns: number): Promise<Metric[]> {
    const built = [exact("load_factor_reached", this.data.unique / this.table.slots), exact("restarts", this.restarts)];
    const efficiencies = this.workload.apart ? await this.efficiencies(ns) : [];
    return [...efficiencies, ...built, ...(await this.count())];
  }

  /** (T_insert + T_retrieve) / T_mixed, all by the kernels of the mix: both in one slice each, and in the slices of the batch. */
  private async efficiencies(ns: number): Promise<Metric[]> {
    const over = ([value, lo, hi]: Times) => ({ value: value / ns, lo: lo / ns, hi: hi / ns });
    const bulk = await this.apart(2 * this.data.n);
    const sliced = await this.apart(this.workload.slice);
    return [within("mixing_efficiency", over(bulk)), within("mixing_efficiency_sliced", over(sliced))];
  }

  /** The time of all insertions plus that of all retrievals after them, in slices as long as these mixed ones, its answers checked. */
  private apart(slice: number): Promise<Times> {
    return scoped(this.context.gpu, async (own) => {
      const workload = { ...this.workload, slice };
      const make = (content: "insert" | "find") => DeviceBatch.make(own, this.data, workload, content);
      const [insertions, retrievals] = [await make("insert"), await make("find")];
      const { table, salt, time } = this;
      const { gpu } = this.context;
      const stopping = gpu.info.software ? STOPPING_SOFTWARE : STOPPING;
      await insertions.renew(salt);
      await retrievals.renew(salt);
      const insert = async () => checkDuration((await this.run(time, insertions)).ns);
      const find = async () => checkDuration((await this.run(time, retrievals)).ns);
      // Every turn of the insertions leaves the table full, which the retrievals' turn after it finds.
      const outcomes = await measureGroup(
        [
          { mutates: true, reset: () => table.clear(), sample: insert },
          { mutates: false, repeats: false, sample: find },
        ],
        stopping,
        await samplerDevice(gpu),
      );
      const times = outcomes.map((outcome) => {
        if (!outcome.ok) throw outcome.error;
        return summarise(outcome.samples);
      });
      const wrong = await retrievals.check(salt);
      if (wrong) throw new Error(`insertions and retrievals apart: ${wrong}`);
      const sum = (of: "median" | "lo" | "hi") => times.reduce((total, summary) => total + summary[of], 0);
      return [sum("median"), sum("lo"), sum("hi")];
    });
  }

  /** Counts the batch once more, all of it: its insertions find what the others left. */
  private async count(): Promise<Metric[]> {
    await this.table.clear();
    const { run, counts } = countingRunner(this.context.gpu);
    await this.run(run);
    return countMetrics(counts, this.batch.operations);
  }
}

/** Nanoseconds: median, and the ends of its interval. */
type Times = readonly [median: number, lo: number, hi: number];

/** Throws an Error if not all pairs got in. */
function inserted(result: OpResult, operations: number): OpResult {
  if (result.count > 0) throw new Error(`${result.count} insertions of ${operations} operations found no slot`);
  return result;
}
