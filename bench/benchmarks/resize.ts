/**
 * Times one resize of a table of sub-tables (DyCuckoo, 6.2), which holds all pairs at the load factor: upsize or downsize, as the
 * table does it or by inserting the pairs anew. An operation is a pair of a sub-table that is resized.
 */
import { createTable } from "../../kernels/create.js";
import { DoesNotFit, UsageError } from "../../kernels/device/errors.js";
import { allTables, tableType } from "../../kernels/index.js";
import type { Filling, GpuTable, Parameter, RunSteps, TableType } from "../../kernels/table.js";
import { type Counts, countingRunner, countMetrics } from "../counting/counters.js";
import type { CellSpec } from "../experiment.js";
import type { BenchContext, Benchmark, PreparedCell } from "../measure/benchmark.js";
import { exact, type Metric } from "../results/metrics.js";
import { checkEvery, type DeviceKeys, writeValues } from "../workload/workload.js";
import { occupancyMetrics } from "./occupancy.js";
import { checkSized, loadFactorOf, tableParams } from "./parameters.js";

const DIRECTIONS = { upsize: "up", downsize: "down" } as const;
const OPERATIONS = Object.keys(DIRECTIONS).map((id) => ({ id }));

const PARAMETERS: readonly Parameter[] = [
  {
    ...{ name: "how", values: ["relocate", "rehash"] },
    meaning: "relocate: as the table resizes itself (default); rehash: the pairs are inserted anew",
  },
];

type Resize = (run: RunSteps) => ReturnType<NonNullable<GpuTable["resize"]>>;

export const resizeBenchmark: Benchmark = {
  measures: "GPU table",
  operations: OPERATIONS,
  series: () =>
    allTables()
      .filter(takesResizes)
      .map(({ id, title }) => ({ id, title, ops: OPERATIONS.map((op) => op.id), loadFactors: true })),
  parameters: PARAMETERS,
  typeOf: tableType,
  clock: "gpu",
  bytes(cell) {
    const type = tableType(cell.table);
    const params = tableParams(cell, PARAMETERS);
    // A whole table may be there twice, the new one with twice the slots; values, and queries with their answers.
    return 3 * type.bytes(cell.n, loadFactorOf(cell, type, params), params) + 12 * cell.n;
  },
  prepare: (cell, context) => prepare(cell, tableType(cell.table), context),
};

function takesResizes({ parameters }: TableType): boolean {
  return parameters.some(({ name }) => name === "resize");
}

async function prepare(cell: CellSpec, type: TableType, context: BenchContext): Promise<PreparedCell> {
  if (!(cell.op in DIRECTIONS)) throw new UsageError(`${cell.experiment}: ${cell.op} is no resize`);
  const direction = DIRECTIONS[cell.op as keyof typeof DIRECTIONS];
  checkSized(cell);
  const data = await context.keys.get(cell.dataset, cell.n, cell.seed);
  const params = tableParams(cell, PARAMETERS);
  const table = await createTable(type, context.gpu, {
    ...{ n: data.unique, loadFactor: loadFactorOf(cell, type, params), seed: cell.seed, params, counting: false },
  });
  if (!table.resize) throw new UsageError(`${type.id} is resized only with resize: true`);
  const how = cell.params.how === "rehash" ? "rehash" : "relocate";
  const values = await context.gpu.alloc(`${data.n} values`, data.n * 4);
  const resize: Resize = (run) => table.resize?.(run, direction, how) ?? Promise.reject(new Error("no resize"));
  const one = new One(cell, context, data, table, resize, values);
  return one.prepared(await one.moving());
}

class One {
  /** Tells this filling's values from those of the fillings before it. */
  private salt: number;

  constructor(
    private readonly cell: CellSpec,
    private readonly context: BenchContext,
    private readonly data: DeviceKeys,
    private readonly table: GpuTable,
    private readonly does: Resize,
    private readonly values: GPUBuffer,
  ) {
    this.salt = cell.seed;
  }

  /** @param operations Pairs that move: which lane got a slot first changes it by a few in a million. */
  prepared(operations: number): PreparedCell {
    return {
      mutates: true,
      reset: () => this.fill(),
      sample: () => this.resize(this.time),
      operations,
      dataHash: this.data.digest,
      // Buckets are moved as a whole: no random access is the one that cannot be avoided.
      access: null,
      verify: () => this.verify(),
      metrics: () => this.metrics(operations),
    };
  }

  private readonly time: RunSteps = (steps, status) => this.context.gpu.time(steps, status);

  private get filling(): Filling {
    const filling = this.table.filling?.();
    if (!filling) throw new Error(`${this.cell.table} is resized and does not say how full it is`);
    return filling;
  }

  /** Pairs of the sub-tables that change their size, by a resize that is not timed. */
  async moving(): Promise<number> {
    await this.fill();
    const before = this.filling.subTables;
    await this.resize(this.time);
    const after = this.filling.subTables;
    return before.reduce((sum, { pairs, slots }, i) => sum + (slots === after[i]?.slots ? 0 : pairs), 0);
  }

  /** All pairs with new values, in a table of the size that it began with. */
  private async fill(): Promise<void> {
    const { context, data, values, table } = this;
    this.salt = (this.salt + 0x9e3779b9) >>> 0;
    await writeValues(context.gpu, data.keys, values, data.n, this.salt);
    await table.clear();
    const { slots } = table;
    const { count } = await table.insert(this.time, { keys: data.keys, values, n: data.n });
    if (count > 0) throw new Error(`${count} of ${data.n} pairs found no slot`);
    if (table.slots !== slots)
      throw new UsageError("the table resized itself as it was filled: alpha or beta is too near");
  }

  /** Nanoseconds. Throws DoesNotFit if the table gave it up, an Error unless it was resized once. */
  private async resize(run: RunSteps): Promise<number> {
    const { op } = this.cell;
    const { ns, resizing } = await this.does(run);
    const { upsizes = 0, downsizes = 0, failed = 0 } = resizing ?? {};
    if (failed > 0) throw new DoesNotFit(`the ${op} was given up: no memory, or no room for a pair that has to move`);
    const [up, down] = op === "upsize" ? [1, 0] : [0, 1];
    if (upsizes === up && downsizes === down) return ns;
    throw new Error(`${upsizes} upsizes and ${downsizes} downsizes in place of one ${op}`);
  }

  /** No pair came or went, every key is found with its value, and no other key. */
  private async verify(): Promise<string> {
    const { context, data, table, cell, salt } = this;
    const { pairs } = this.filling;
    if (pairs !== data.unique) return `${pairs} pairs after the resize, ${data.unique} before`;
    return checkEvery(context.gpu, data, (lookups) => table.find(this.time, lookups), { seed: cell.seed, salt });
  }

  /** Counted once more, a pair that moves. */
  private async metrics(operations: number): Promise<Metric[]> {
    const { run, counts } = countingRunner(this.context.gpu);
    await this.fill();
    const { pairs, slots } = this.filling;
    await this.resize(run);
    return [
      exact("filled_factor", pairs / slots),
      exact("buckets_accessed", bucketsOf(counts)),
      ...(await occupancyMetrics(this.table, this.data.unique)),
      exact("table_bytes", this.table.bytes),
      ...countMetrics(counts, operations),
    ];
  }
}

function bucketsOf({ kernels }: Counts): number {
  return [...kernels.values()].reduce((sum, { buckets }) => sum + buckets, 0);
}
