/**
 * Times building and asking tables whose keys repeat: sets, compacting and multivalue tables (Alcantara et al., GPU Computing
 * Gems 2011, 4.5.2). `n` is the number of items. Parameter `multiplicity`: how often a key occurs in the input on average,
 * and in the queries, which are as many.
 */

import { createTable } from "../../kernels/create.js";
import { UsageError } from "../../kernels/device/errors.js";
import { allTables, tableType } from "../../kernels/index.js";
import type { Answer, GpuTable, OpResult, Parameter, RunSteps, TableOptions, TableType } from "../../kernels/table.js";
import { countedOf, countingRunner, countMetrics } from "../counting/counters.js";
import type { CellSpec } from "../experiment.js";
import type { BenchContext, Benchmark, PreparedCell } from "../measure/benchmark.js";
import { samplerDevice } from "../measure/device.js";
import { repeating } from "../measure/repeating.js";
import { checkDuration, measureGroup } from "../measure/sampler.js";
import { summarise } from "../measure/statistics.js";
import { exact, type Metric } from "../results/metrics.js";
import { ANSWER_WORDS, type Queries, RepeatedKeys } from "../workload/repeated.js";
import { tableParams } from "./parameters.js";
import { ERASE, FIND, INSERT, tablesWith } from "./series.js";

/** For the builds that a retrieval's time is added to; on a software adapter they do not mean much. */
const STOPPING = { minSamples: 7, maxSamples: 50, maxNoise: 0.01, minTimeMs: 0, maxTimeMs: 500 };
const STOPPING_SOFTWARE = { ...STOPPING, minSamples: 3, maxSamples: 3 };

const OPERATIONS = [INSERT, FIND, ERASE];

const PARAMETERS: readonly Parameter[] = [
  {
    ...{ name: "multiplicity", from: 1, to: 2 ** 32, integer: false },
    meaning: "how often a key occurs in the input on average",
  },
];

export const repeatedBenchmark: Benchmark = {
  measures: "GPU table",
  operations: OPERATIONS,
  series: () =>
    tablesWith(
      OPERATIONS,
      allTables().filter(({ answers }) => answers),
    ),
  parameters: PARAMETERS,
  typeOf: tableType,
  clock: "gpu",
  bytes(cell) {
    const { op, n, loadFactor } = cell;
    const type = tableType(cell.table);
    const queries = op !== "insert" && type.answers ? n * 4 * (1 + ANSWER_WORDS[type.answers]) : 0;
    return type.bytes(n, loadFactor ?? 1, tableParams(cell, PARAMETERS)) + n * 8 + queries;
  },
  prepare: (cell, context) => prepareRepeated(cell, tableType(cell.table), context),
};

/** Prepares a cell of a table of this type. Throws as `Benchmark.prepare` does. */
export async function prepareRepeated(cell: CellSpec, type: TableType, context: BenchContext): Promise<PreparedCell> {
  const { answers } = type;
  if (!answers) throw new UsageError(`${type.id} answers with values; repeated keys are for sets and their like`);
  if (cell.op === "mixed" || !type.ops.some((op) => op === cell.op))
    throw new UsageError(`${type.id} has no ${cell.op} of repeated keys`);
  if (cell.loadFactor === null && !type.dense)
    throw new UsageError(`${cell.experiment}: ${cell.table} needs a load factor`);
  if ((cell.positiveRatio ?? 1) !== 1)
    throw new UsageError(`${cell.experiment}: repeated keys are queried as often as they occur`);
  const distinct = distinctKeys(cell);
  const data = await context.keys.get(cell.dataset, distinct, cell.seed);
  if (data.unique < data.n)
    throw new UsageError(`repeated keys are made of different ones; ${cell.dataset} has duplicates`);
  const { gpu } = context;
  const items = await RepeatedKeys.make(gpu, data, { n: cell.n, seed: cell.seed });
  return new Bench(cell, type, answers, context, items).prepare();
}

/** Different keys of a cell. Throws UsageError if there is no such number. */
function distinctKeys({ n, params }: CellSpec): number {
  const multiplicity = Number(params.multiplicity);
  if (!(multiplicity >= 1 && multiplicity <= n))
    throw new UsageError(`multiplicity is ${params.multiplicity}; it goes from 1 to the number of items, ${n}`);
  return Math.max(1, Math.round(n / multiplicity));
}

class Bench {
  private readonly options: TableOptions;
  private table: GpuTable | null = null;
  private queries: Queries | null = null;
  /** Tells this build's values from those of the builds before it. */
  private salt: number;
  private restarts = 0;
  /** Different keys that the last build counted. */
  private counted: number | undefined;

  constructor(
    private readonly cell: CellSpec,
    private readonly type: TableType,
    private readonly answers: Answer,
    private readonly context: BenchContext,
    private readonly items: RepeatedKeys,
  ) {
    const { n, loadFactor, seed } = cell;
    const params = tableParams(cell, PARAMETERS);
    this.options = { n, loadFactor: loadFactor ?? 1, seed, params, counting: false };
    this.salt = seed;
  }

  private readonly time: RunSteps = (steps, status) => this.context.gpu.time(steps, status);

  private get live(): GpuTable {
    if (!this.table) throw new Error("there is no table yet");
    return this.table;
  }

  async prepare(): Promise<PreparedCell> {
    this.table = await createTable(this.type, this.context.gpu, this.options);
    await this.renew();
    const dataHash = await this.items.digest();
    const { op } = this.cell;
    return op === "insert" ? this.insert(dataHash) : op === "find" ? this.find(dataHash) : this.erase(dataHash);
  }

  private insert(dataHash: string): PreparedCell {
    return {
      mutates: true,
      reset: () => this.renew(),
      sample: async () => (await this.build(this.time)).ns,
      dataHash,
      ...this.common(),
      metrics: async () => [...this.built(), ...(await this.count(null))],
    };
  }

  private async find(dataHash: string): Promise<PreparedCell> {
    await this.build(this.time);
    const queries = await this.items.queries(this.answers);
    this.queries = queries;
    return {
      mutates: false,
      repeats: true,
      sample: async (repetitions = 1) => (await this.live.find(repeating(this.context.gpu, repetitions), queries)).ns,
      dataHash: dataHash + queries.digest,
      ...this.common(),
      metrics: async (ns) => {
        const both = exact("build_find_time", (await this.buildTime()) + ns);
        return [both, ...this.built(), ...(await this.count(queries))];
      },
    };
  }

  /** Erases the key of every item: of its copies one finds it. */
  private async erase(dataHash: string): Promise<PreparedCell> {
    const { items, live, answers } = this;
    const queries = await items.queries(answers);
    const erase = async (run: RunSteps) => (await live.erase?.(run, queries)) ?? { ns: Number.NaN, count: 0 };
    return {
      mutates: true,
      reset: async () => {
        await this.renew();
        await this.build(this.time);
      },
      sample: async () => {
        const { ns, count } = await erase(this.time);
        if (count !== items.distinct) throw new Error(`${count} of ${items.distinct} keys were erased`);
        return ns;
      },
      dataHash: dataHash + queries.digest,
      ...this.common(),
      verify: () => items.checkErased({ answers, find: (lookups) => live.find(this.time, lookups) }),
      metrics: async () => {
        await this.renew();
        await this.build(this.time);
        const { run, counts } = countingRunner(this.context.gpu);
        await erase(run);
        return [...this.built(), ...countMetrics(counts, items.n)];
      },
    };
  }

  private common() {
    return {
      operations: this.items.n,
      // Accesses of repeated keys are not random ones: device/limits has no pattern like them.
      access: null,
      verify: () => this.verify(),
    };
  }

  /** Empties the table and gives every item a new value. */
  private async renew(): Promise<void> {
    this.salt = (this.salt + 0x9e3779b9) >>> 0;
    await Promise.all([this.items.renew(this.salt), this.live.clear()]);
  }

  private async build(run: RunSteps): Promise<OpResult> {
    const result = await this.live.insert(run, this.items);
    const { count, restarts, distinct } = result;
    if (count > 0) throw new Error(`${count} of ${this.items.n} items found no slot`);
    this.restarts += restarts;
    this.counted = distinct;
    return result;
  }

  private async verify(): Promise<string> {
    const { live, answers, items, counted } = this;
    if (counted !== items.distinct) return `the table counts ${counted} different keys of ${items.distinct}`;
    const { list } = live;
    const find = (lookups: Parameters<GpuTable["find"]>[1]) => live.find(this.time, lookups);
    return items.check({ answers, find, ...(list && { list }) }, this.queries);
  }

  /** Median time of a build, ns. */
  private async buildTime(): Promise<number> {
    const { gpu } = this.context;
    const [outcome] = await measureGroup(
      [
        {
          mutates: true,
          reset: () => this.renew(),
          sample: async () => checkDuration((await this.build(this.time)).ns),
        },
      ],
      gpu.info.software ? STOPPING_SOFTWARE : STOPPING,
      await samplerDevice(gpu),
    );
    if (!outcome?.ok) throw outcome?.error ?? new Error("no build was timed");
    return summarise(outcome.samples).median;
  }

  /** Of the builds so far. */
  private built(): Metric[] {
    const restarts = exact("restarts", this.restarts);
    if (this.cell.loadFactor === null) return [restarts];
    return [exact("load_factor_reached", this.items.distinct / this.live.slots), restarts];
  }

  /** Counts the build once more, or a sample of the queries if there are some. */
  private async count(queries: Queries | null): Promise<Metric[]> {
    const { run, counts } = countingRunner(this.context.gpu);
    if (!queries) {
      await this.renew();
      await this.build(run);
      return countMetrics(counts, this.items.n);
    }
    const n = countedOf(queries.n);
    await this.live.find(run, { ...queries, n });
    return countMetrics(counts, n, undefined, queries.n);
  }
}
