/**
 * Times how a table comes to n pairs in equal batches (slab hash, IPDPS 2018, VI.B): one that can be added to takes them one
 * after another, any other is built from scratch after every batch, of all pairs so far and at the same load factor. A
 * sample is the sum of all these insertions; emptying a table is not timed. Parameters: `batch`, and `total`, the pairs for
 * which a table that is added to is made.
 */
import { UsageError } from "../../kernels/device/errors.js";
import type { GpuTable, RunSteps } from "../../kernels/table.js";
import type { CellSpec } from "../experiment.js";
import type { BenchContext, PreparedCell } from "../measure/benchmark.js";
import type { Between } from "../measure/sampled.js";
import { exact } from "../results/metrics.js";
import { checkDifferent, DevicePairs } from "../workload/pairs.js";
import type { CellTable } from "./cell-table.js";
import { ofTables, withoutLoadFactor } from "./gpu-tables.js";
import { INSERT } from "./operations.js";
import { MOST_KEYS, whole } from "./parameters.js";
import { PreparedTable } from "./prepared-table.js";

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

export const incrementalBenchmark = ofTables({
  operations: [INSERT],
  parameters: [
    whole("batch", 1, MOST_KEYS, "pairs of a batch"),
    whole("total", 1, MOST_KEYS, "pairs that the table is made for, if it can be added to (default: n)"),
  ],
  unfit: withoutLoadFactor,
  bytes: (of) => sizesOf(of).reduce((sum, n) => sum + of.bytes(n), of.cell.n * BESIDE_BYTES),
  prepare,
});

async function prepare(of: CellTable, { gpu, keys }: BenchContext): Promise<PreparedCell> {
  const { cell } = of;
  const sizes = sizesOf(of);
  const data = await keys.get(cell.dataset, cell.n, cell.seed);
  checkDifferent(data, "batches are of different keys");
  const tables: GpuTable[] = [];
  for (const n of sizes) tables.push(await of.create(gpu, { n }));
  const last = tables.at(-1);
  if (!last) throw new Error("there is no table");
  const pairs = await DevicePairs.make(gpu, data);
  const prepared = new PreparedTable(of, gpu, last, pairs);

  const reset = async () => {
    await Promise.all([prepared.renew(), ...tables.slice(0, -1).map((table) => table.clear())]);
  };
  /** All batches; nanoseconds. */
  const insertAll = async (run: RunSteps, between: Between = async () => {}): Promise<number> => {
    let sum = 0;
    let inserted = 0;
    let before = 0;
    for (const [i, end] of plan(cell).ends.entries()) {
      const first = of.type.incremental ? inserted : 0;
      await between(before);
      const batch = { ...pairs.all, first, n: end - first };
      const { ns } = await prepared.insert(run, batch, { into: of.type.incremental ? last : (tables[i] ?? last) });
      sum += ns;
      before = ns;
      inserted = end;
    }
    return sum;
  };
  return {
    mutates: true,
    reset,
    sample: (_repetitions, between) => insertAll(prepared.time, between),
    operations: data.n,
    dataHash: data.digest,
    // Of tables that are built again and again, most accesses are not of an operation of their own.
    access: null,
    verify: () => prepared.checkEvery(data),
    metrics: async () => {
      await reset();
      const counted = await prepared.count(data.n, (run) => insertAll(run));
      return [...(await prepared.occupancy(data.n)), exact("restarts", prepared.restarts), ...counted];
    },
  };
}
