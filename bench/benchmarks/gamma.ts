/**
 * Times concurrent batches of the mixes Γ (slab hash, IPDPS 2018, VI.C): insertions, erasures and searches in one dispatch, one
 * operation a lane in random order, batch after batch in one pass. As many keys are inserted as erased, so that the table holds
 * n pairs before and after every batch. Γ0, Γ1 and Γ2 have `updates` 1, 0.4 and 0.2. Every sample begins with the table of the
 * first n pairs, built anew: a table that does not reuse slots, or not at once, fills up during the batches of one sample only.
 */

import { createTable } from "../../kernels/create.js";
import { UsageError } from "../../kernels/device/errors.js";
import { allTables, tableType } from "../../kernels/index.js";
import { reusesSlots } from "../../kernels/parameters.js";
import type { GpuTable, OpResult, Parameter, Params, RunSteps, TableType } from "../../kernels/table.js";
import { countingRunner, countMetrics } from "../counting/counters.js";
import type { CellSpec } from "../experiment.js";
import type { BenchContext, Benchmark, Operation, PreparedCell } from "../measure/benchmark.js";
import type { Metric } from "../results/metrics.js";
import { DeviceGamma, GammaPlan } from "../workload/gamma.js";
import type { DeviceKeys } from "../workload/workload.js";
import { occupancyMetrics } from "./occupancy.js";
import { checkSized, loadFactorOf, tableParams } from "./parameters.js";
import { tablesWith } from "./series.js";

/** Its searches are part of the mix: there is no positive ratio to choose. */
const GAMMA: Operation = { id: "mixed" };
/** Operations of a batch, at most: the paper's million. Smaller ones do not fill a large GPU, where a lane has one operation. */
const BATCH = 2 ** 20;
const BATCHES = 1;

const PARAMETERS: readonly Parameter[] = [
  { ...{ name: "updates", from: 0, to: 1, integer: false }, meaning: "share of insertions and erasures (default: 1)" },
  {
    ...{ name: "batch", from: 2, to: 2 ** 32 - 2, integer: true },
    meaning: `operations of a batch (default: as many as pairs, ${BATCH} at most)`,
  },
  {
    ...{ name: "batches", from: 1, to: 65_536, integer: true },
    meaning: `batches of a sample (default: ${BATCHES})`,
  },
];

/** Bytes of an operation: kind, key, value, answer. */
const OPERATION_BYTES = 16;

export const gammaBenchmark: Benchmark = {
  measures: "GPU table",
  operations: [GAMMA],
  series: () => tablesWith([GAMMA], allTables().filter(takesGamma)),
  parameters: PARAMETERS,
  typeOf: tableType,
  clock: "gpu",
  bytes(cell) {
    const type = tableType(cell.table);
    const plan = planOf(cell, type);
    const params = paramsOf(cell, type);
    const pairs = reusesSlots(type, params) ? cell.n : plan.keys;
    return type.bytes(pairs, loadFactorOf(cell, type, params), params) + plan.operations * OPERATION_BYTES + cell.n * 8;
  },
  prepare: (cell, context) => prepareGamma(cell, tableType(cell.table), context),
};

function takesGamma({ ops, answers }: TableType): boolean {
  return ops.includes("mixed") && ops.includes("erase") && (answers === undefined || answers === "member");
}

/** The batches of a cell. Throws a UsageError for sizes that do not go together. */
function planOf({ n, seed, params }: CellSpec, { answers }: TableType): GammaPlan {
  return new GammaPlan({
    pairs: n,
    batch: Number(params.batch ?? Math.max(2, Math.min(BATCH, n))),
    batches: Number(params.batches ?? BATCHES),
    updates: Number(params.updates ?? 1),
    seed,
    member: answers === "member",
  });
}

/** The cell's own, and those that a table needs for a slice of all kinds of operations. */
function paramsOf(cell: CellSpec, type: TableType): Params {
  return { ...type.mixedParams, ...tableParams(cell, PARAMETERS) };
}

/** Prepares a cell of a table of this type. Throws as `Benchmark.prepare` does. */
export async function prepareGamma(cell: CellSpec, type: TableType, context: BenchContext): Promise<PreparedCell> {
  if (cell.op !== GAMMA.id) throw new UsageError(`${cell.experiment}: ${cell.op} is no mixed operation`);
  if (!takesGamma(type)) throw new UsageError(`${type.id} cannot insert, find and erase in one dispatch`);
  checkSized(cell);
  const plan = planOf(cell, type);
  const data = await context.keys.get(cell.dataset, plan.keys, cell.seed);
  if (data.unique < data.n) {
    throw new UsageError(`new keys are keys of their own; ${cell.dataset} has ${data.n - data.unique} duplicates`);
  }
  return Concurrent.prepare(cell, type, data, plan, context);
}

class Concurrent {
  /** Tells this run's values from those of the runs before it. */
  private salt: number;

  private constructor(
    private readonly cell: CellSpec,
    private readonly context: BenchContext,
    private readonly table: GpuTable,
    private readonly batches: DeviceGamma,
  ) {
    this.salt = cell.seed;
  }

  static async prepare(
    cell: CellSpec,
    type: TableType,
    data: DeviceKeys,
    plan: GammaPlan,
    context: BenchContext,
  ): Promise<PreparedCell> {
    const params = paramsOf(cell, type);
    const table = await createTable(type, context.gpu, {
      ...{ n: cell.n, insertions: plan.keys, loadFactor: loadFactorOf(cell, type, params) },
      ...{ seed: cell.seed, params, counting: false },
    });
    const batches = await DeviceGamma.make(context.gpu, data, plan);
    return new Concurrent(cell, context, table, batches).prepared(data.digest + (await batches.digest()));
  }

  private prepared(dataHash: string): PreparedCell {
    return {
      mutates: true,
      reset: () => this.reset(),
      sample: async () => (await this.run(this.time)).ns,
      operations: this.batches.plan.operations,
      dataHash,
      // A batch has no one access that it cannot avoid.
      access: null,
      verify: () => this.verify(),
      metrics: () => this.metrics(),
    };
  }

  private readonly time: RunSteps = (steps, status) => this.context.gpu.time(steps, status);

  /** The table of the first n pairs, with values of their own. */
  private async reset(): Promise<void> {
    this.salt = (this.salt + 0x9e3779b9) >>> 0;
    await Promise.all([this.batches.renew(this.salt), this.table.clear()]);
    const { first } = this.batches;
    const { count } = await this.table.insert(this.time, first);
    if (count > 0) throw new Error(`${count} of the first ${first.n} pairs found no slot`);
  }

  /** All batches. Throws an Error if not all pairs got in. */
  private async run(run: RunSteps): Promise<OpResult> {
    const { table, batches, cell } = this;
    if (!table.mixed) throw new Error(`${cell.table} lists mixed among its operations and has none`);
    const result = await table.mixed(run, batches);
    if (result.count > 0) {
      const { updates } = batches.plan;
      throw new Error(
        `${result.count} insertions found no slot: ${cell.n} pairs, and ${updates} that a batch may insert before it erases as many`,
      );
    }
    return result;
  }

  private async verify(): Promise<string> {
    const wrong = await this.batches.check(this.salt);
    if (wrong) return wrong;
    const left = await this.batches.checkLeft((lookups) => this.table.find(this.time, lookups), this.salt);
    return left && `after the last batch ${left}`;
  }

  private async metrics(): Promise<Metric[]> {
    await this.reset();
    const { table, cell } = this;
    const built = await occupancyMetrics(table, cell.n);
    return [...built, ...(await this.count())];
  }

  /** Counts all batches once more: each finds what the ones before left. */
  private async count(): Promise<Metric[]> {
    const { run, counts } = countingRunner(this.context.gpu);
    await this.run(run);
    return countMetrics(counts, this.batches.plan.operations);
  }
}
