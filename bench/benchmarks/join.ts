/**
 * Times a hash join without partitions (Crystal: Shanbhag et al., SIGMOD 2020, 4.3; GPH, SIGMOD 2025, 7.3): a table is built of
 * the n rows of R, and probed by the rows of S, whose partners are aggregated. Parameter `probeRatio`: |S| / |R|. A sample is the
 * build and all probes; S is made part by part, of n rows each, which is not timed, and neither is emptying the table.
 */
import { createTable } from "../../kernels/create.js";
import { UsageError } from "../../kernels/device/errors.js";
import { allTables, tableType } from "../../kernels/index.js";
import type { GpuTable, Parameter, RunSteps } from "../../kernels/table.js";
import type { CellSpec } from "../experiment.js";
import type { BenchContext, Benchmark, Operation, PreparedCell } from "../measure/benchmark.js";
import { summarise } from "../measure/statistics.js";
import { exact, type Metric, type MetricName, within } from "../results/metrics.js";
import { ProbeRelation } from "../workload/join.js";
import { type DeviceKeys, writeValues } from "../workload/workload.js";
import { givenLoadFactor, tableParams } from "./parameters.js";

const JOIN: Operation = { id: "join" };

const PARAMETERS: readonly Parameter[] = [
  { ...{ name: "probeRatio", from: 1, to: 2 ** 12, integer: true }, meaning: "rows of S, for each of R" },
];

export const joinBenchmark: Benchmark = {
  measures: "GPU table",
  operations: [JOIN],
  series: () =>
    allTables()
      .filter(({ answers, dense }) => !answers && !dense)
      .map(({ id, title }) => ({ id, title, ops: [JOIN.id], loadFactors: true })),
  parameters: PARAMETERS,
  typeOf: tableType,
  clock: "gpu",
  bytes: (cell) =>
    tableType(cell.table).bytes(cell.n, givenLoadFactor(cell), tableParams(cell, PARAMETERS)) + cell.n * 4 * 4,
  prepare,
};

async function prepare(cell: CellSpec, context: BenchContext): Promise<PreparedCell> {
  const { n, seed, dataset, params: given } = cell;
  const { gpu } = context;
  const parts = Number(given.probeRatio);
  if (!(parts >= 1)) throw new UsageError(`${cell.experiment}: parameter probeRatio is missing`);
  const data = await context.keys.get(dataset, n, seed);
  if (data.unique < n) throw new UsageError(`R has every key once; ${dataset} has ${n - data.unique} duplicates`);
  const params = tableParams(cell, PARAMETERS);
  const options = { n, loadFactor: givenLoadFactor(cell), seed, params, counting: false };
  const table = await createTable(tableType(cell.table), gpu, options);
  const values = await gpu.alloc(`${n} values of R`, n * 4);
  const relation = await ProbeRelation.make(gpu, data, parts, seed);
  return new Join(cell, context, data, table, values, relation).prepared();
}

class Join {
  /** Tells this run's values from those of the runs before it. */
  private salt: number;
  /** Nanoseconds of each sample's build and probes. */
  private readonly builds: number[] = [];
  private readonly probes: number[] = [];

  constructor(
    cell: CellSpec,
    private readonly context: BenchContext,
    private readonly data: DeviceKeys,
    private readonly table: GpuTable,
    private readonly values: GPUBuffer,
    private readonly relation: ProbeRelation,
  ) {
    this.salt = cell.seed;
  }

  prepared(): PreparedCell {
    const { data, relation } = this;
    return {
      mutates: true,
      reset: () => this.reset(),
      sample: () => this.run(),
      operations: data.n + relation.rows,
      dataHash: data.digest,
      // Of insertions and of searches: no pattern of device/limits is both.
      access: null,
      verify: () => this.verify(),
      metrics: async () => this.metrics(),
    };
  }

  private async reset(): Promise<void> {
    this.salt = (this.salt + 0x9e3779b9) >>> 0;
    await writeValues(this.context.gpu, this.data.keys, this.values, this.data.n, this.salt);
    await this.table.clear();
    await this.relation.clear();
  }

  private async run(): Promise<number> {
    const { gpu } = this.context;
    const time: RunSteps = (steps, status) => gpu.time(steps, status);
    const { n, keys } = this.data;
    const { ns: build, count } = await this.table.insert(time, { keys, values: this.values, n });
    if (count > 0) throw new Error(`${count} of ${n} pairs found no slot`);
    let probe = 0;
    for (let number = 0; number < this.relation.parts; number++) {
      const { lookups, aggregate } = await this.relation.part(number);
      const { ns: search } = await this.table.find(time, lookups);
      // In a pass of its own: what a table answers is in its place when `find` has returned, not after each of its passes.
      const { ns: added } = await time([aggregate]);
      probe += search + added;
    }
    this.builds.push(build);
    this.probes.push(probe);
    return build + probe;
  }

  private async verify(): Promise<string> {
    const [is, expected] = [await this.relation.aggregated(), await this.relation.expected(this.values)];
    if (is.rows === expected.rows && is.sum === expected.sum) return "";
    return `the join has ${is.rows} rows and the sum ${is.sum}; right are ${expected.rows} and ${expected.sum}`;
  }

  private metrics(): Metric[] {
    const { builds, probes, data, table } = this;
    const timed = (metric: MetricName, values: readonly number[]): Metric => {
      const { median, lo, hi } = summarise(values);
      return within(metric, { value: median, lo, hi });
    };
    return [
      timed("build_time", builds),
      timed("probe_time", probes),
      timed(
        "build_share",
        builds.map((build, i) => build / (build + (probes[i] ?? 0))),
      ),
      exact("load_factor_reached", data.n / table.slots),
    ];
  }
}
