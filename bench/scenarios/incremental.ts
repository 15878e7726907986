/**
 * Times how a table comes to n pairs in equal batches (slab hash, IPDPS 2018, VI.B): one that can be added to takes them one
 * after another, any other is built from scratch after every batch, of all pairs so far and at the same load factor. A
 * sample is the sum of all these insertions; emptying a table is not timed. Parameters: `batch`, and `total`, the pairs for
 * which a table that is added to is made. Cells that differ in n alone are stages of one run, that of the most pairs, if n is of whole
 * batches.
 */
import { UsageError } from "../../kernels/device/errors.js";
import type { Owner } from "../../kernels/device/owned.js";
import type { GpuTable, Lookups, RunSteps } from "../../kernels/table.js";
import type { CellSpec } from "../base/experiment.js";
import type { Between } from "../measure/sampled.js";
import { exact, type Metric } from "../results/metrics.js";
import type { BenchContext, History, KeyCache, PreparedCell, Stage } from "./benchmark.js";
import type { CellTable } from "./cell-table.js";
import { ofTables, withoutLoadFactor } from "./gpu-tables.js";
import { INSERT } from "./operations.js";
import { MOST_KEYS, whole } from "./parameters.js";
import { PreparedTable } from "./prepared-table.js";
import type { DeviceKeys } from "./workload/keys.js";
import { checkDifferent, DevicePairs } from "./workload/pairs.js";
import { checkEvery } from "./workload/workload.js";

/** Beside the table, a pair: its value, and a query with its answer. */
const BESIDE_BYTES = 12;

/** Batches that come before the table of n pairs, and it. Throws a UsageError for parameters that do not go together. */
function plan({ n, params, experiment }: CellSpec): { readonly ends: readonly number[]; readonly total: number } {
  const [batch, total] = [Number(params.batch), Number(params.total ?? n)];
  if (!(batch >= 1)) throw new UsageError(`${experiment}: a batch has a size; parameter batch is missing`);
  if (total < n) throw new UsageError(`${experiment}: total is ${total}, less than n, ${n}`);
  const ends = Array.from({ length: Math.ceil(n / batch) }, (_, i) => Math.min(n, (i + 1) * batch));
  return { ends, total };
}

/** Pairs of each of the cell's tables, the last of which holds all pairs in the end. */
function sizesOf({ cell, type }: CellTable): readonly number[] {
  const { ends, total } = plan(cell);
  return type.incremental ? [total] : ends;
}

/** Fewer whole batches of random keys are the beginning of more of them. */
function historyOf({ cell, loadFactor, type }: CellTable): History | null {
  const { bench, table, op, dataset, n, seed, params } = cell;
  const batch = Number(params.batch);
  if (dataset !== "random" || n % batch !== 0) return null;
  const sorted = Object.entries(type.params).sort(([a], [b]) => (a < b ? -1 : 1));
  const name = JSON.stringify([bench, table, op, dataset, seed, loadFactor, batch, params.total ?? n, sorted]);
  return { name, length: n / batch };
}

export const incrementalBenchmark = ofTables({
  operations: [INSERT],
  parameters: [
    whole("batch", 1, MOST_KEYS, "pairs of a batch"),
    whole("total", 1, MOST_KEYS, "pairs that the table is made for, if it can be added to (default: n)"),
  ],
  unfit: withoutLoadFactor,
  history: (of) => historyOf(of),
  bytes: (of) => sizesOf(of).reduce((sum, n) => sum + of.bytes(n), of.cell.n * BESIDE_BYTES),
  prepare,
});

async function prepare(of: CellTable, { gpu, keys }: BenchContext): Promise<PreparedCell> {
  const { cell } = of;
  const data = await keys.get(cell.dataset, cell.n, cell.seed);
  checkDifferent(data, "batches are of different keys");
  const tables: GpuTable[] = [];
  for (const n of sizesOf(of)) tables.push(await of.create(gpu, { n }));
  const pairs = await DevicePairs.make(gpu, data);
  return new Incremental(of, gpu, keys, data, pairs, tables).cell();
}

class Incremental {
  private readonly prepared: PreparedTable;
  private readonly ends: readonly number[];
  /** Of every sample nanoseconds up to the end of each batch. */
  private readonly samples: number[][] = [];
  /** By batch, in all runs. */
  private readonly restarts: number[] = [];

  constructor(
    private readonly of: CellTable,
    private readonly gpu: Owner,
    private readonly keys: KeyCache,
    private readonly data: DeviceKeys,
    private readonly pairs: DevicePairs,
    /** The one that all batches are added to, or one for each build. */
    private readonly tables: readonly GpuTable[],
  ) {
    this.ends = plan(of.cell).ends;
    this.prepared = new PreparedTable(of, gpu, this.tableOf(this.ends.length), pairs);
  }

  cell(): PreparedCell {
    const { data } = this;
    return {
      mutates: true,
      ofMany: true,
      reset: () => this.reset(),
      sample: (_repetitions, between) => this.sample(between),
      operations: data.n,
      dataHash: data.digest,
      // Of tables that are built again and again, most accesses are not of an operation of their own.
      access: null,
      verify: () => this.verify(),
      metrics: () => this.metrics(this.ends.length),
      stage: (cell) => this.stage(cell),
    };
  }

  /** The first batches. */
  private stage({ dataset, n, seed }: CellSpec): Stage {
    const batches = this.ends.indexOf(n) + 1;
    return {
      operations: n,
      dataHash: async () => (await this.keys.get(dataset, n, seed)).digest,
      ns: (run) => this.samples[run]?.[batches - 1] ?? Number.NaN,
      metrics: () => this.metrics(batches),
    };
  }

  /** That holds the pairs of so many batches after them. */
  private tableOf(batches: number): GpuTable {
    const table = this.of.type.incremental ? this.tables[0] : this.tables[batches - 1];
    if (!table) throw new Error("there is no table");
    return table;
  }

  private async reset(): Promise<void> {
    const others = this.tables.filter((table) => table !== this.prepared.table);
    await Promise.all([this.prepared.renew(), ...others.map((table) => table.clear())]);
  }

  private async sample(between?: Between): Promise<number> {
    const ends = await this.insert(this.prepared.timeNext, this.ends.length, between);
    this.samples.push(ends);
    return ends.at(-1) ?? Number.NaN;
  }

  /** So many batches; nanoseconds up to the end of each. */
  private async insert(run: RunSteps, batches: number, between: Between = async () => {}): Promise<number[]> {
    const { of, prepared, pairs, restarts } = this;
    const sums: number[] = [];
    let sum = 0;
    let before = 0;
    for (const [i, end] of this.ends.slice(0, batches).entries()) {
      const first = of.type.incremental ? (this.ends[i - 1] ?? 0) : 0;
      await between(before);
      const batch = { ...pairs.all, first, n: end - first };
      const inserted = await prepared.insert(run, batch, { into: this.tableOf(i + 1) });
      before = inserted.ns;
      sum += inserted.ns;
      sums.push(sum);
      restarts[i] = (restarts[i] ?? 0) + inserted.restarts;
    }
    return sums;
  }

  /** What was added to one table, in that; else every table that was built. */
  private async verify(): Promise<string> {
    const { of, prepared, data, gpu } = this;
    if (of.type.incremental) return prepared.checkEvery(data);
    for (const [i, end] of this.ends.entries()) {
      const find = (lookups: Lookups) => this.tableOf(i + 1).find(prepared.time, lookups);
      const asked = { seed: of.cell.seed, salt: prepared.salt };
      const wrong = await checkEvery(gpu, { ...data, n: end, unique: end }, find, asked);
      if (wrong) return `${end} pairs: ${wrong}`;
    }
    return "";
  }

  /** After so many batches. */
  private async metrics(batches: number): Promise<Metric[]> {
    const { of, gpu, prepared } = this;
    const n = this.ends[batches - 1] ?? 0;
    await this.reset();
    const counted = await prepared.count(n, (run) => this.insert(run, batches));
    const occupancy = await new PreparedTable(of, gpu, this.tableOf(batches)).occupancy(n);
    const restarts = this.restarts.slice(0, batches).reduce((sum, some) => sum + some, 0);
    return [...occupancy, exact("restarts", restarts), ...counted];
  }
}
