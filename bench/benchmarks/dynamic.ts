/**
 * Times dynamic workloads (DyCuckoo, 6.4): batches of insertions, each with as many searches and r times as many deletions;
 * then all batches again with insertions and deletions exchanged. Each kind is a dispatch of its own. A sample goes through
 * all batches up to the one that `phase` and `batch` name (default: the last) from an empty table. Tables that change their
 * size do so within the time; the others have the size that `start` pairs want, or grow by lists.
 */
import { createTable } from "../../kernels/create.js";
import { UsageError } from "../../kernels/device/errors.js";
import { allTables, tableType } from "../../kernels/index.js";
import type { GpuTable, OpResult, Parameter, Resizing, RunSteps, TableType } from "../../kernels/table.js";
import type { CellSpec } from "../experiment.js";
import type { BenchContext, Benchmark, Operation, PreparedCell } from "../measure/benchmark.js";
import { exact, type Metric } from "../results/metrics.js";
import {
  DeviceDynamic,
  type DynamicBatch,
  type DynamicOptions,
  dynamicBatches,
  dynamicBytes,
} from "../workload/dynamic.js";
import type { DeviceKeys } from "../workload/workload.js";
import { checkSized, loadFactorOf, tableParams } from "./parameters.js";
import { tablesWith } from "./series.js";

const DYNAMIC: Operation = { id: "dynamic" };
/** The paper's defaults. */
const BATCH = 1_000_000;
const R = 0.2;

const PARAMETERS: readonly Parameter[] = [
  {
    ...{ name: "batchSize", from: 1, to: 2 ** 31, integer: true },
    meaning: `insertions of a batch, and searches (default: ${BATCH}, or a sixteenth of the pairs if that is less)`,
  },
  { ...{ name: "r", from: 0, to: 1, integer: false }, meaning: `deletions for each insertion (default: ${R})` },
  { name: "phase", values: [1, 2], meaning: "1: up to a batch of the first pass, 2: of the second (default)" },
  { ...{ name: "batch", from: 1, to: 2 ** 31, integer: true }, meaning: "the last batch (default: of all)" },
  {
    ...{ name: "start", from: 1, to: 2 ** 31, integer: true },
    meaning: "pairs that the table is made for (default: a batch)",
  },
];

function optionsOf({ n, params, seed }: CellSpec): DynamicOptions {
  const batch = Number(params.batchSize ?? Math.max(1, Math.min(BATCH, Math.ceil(n / 16))));
  return { batch, r: Number(params.r ?? R), seed };
}

/** The batches of a cell. Throws a UsageError if there is no such batch. */
function batchesOf(cell: CellSpec): DynamicBatch[] {
  const all = dynamicBatches(cell.n, optionsOf(cell));
  const phase = Number(cell.params.phase ?? 2);
  const number = Number(cell.params.batch ?? all.length / 2);
  const last = all.findIndex((batch) => batch.phase === phase && batch.number === number);
  if (last < 0) throw new UsageError(`${cell.experiment}: batch is ${number}; there are ${all.length / 2}`);
  return all.slice(0, last + 1);
}

const startOf = (cell: CellSpec) => Number(cell.params.start ?? Math.min(cell.n, optionsOf(cell).batch));

export const dynamicBenchmark: Benchmark = {
  measures: "GPU table",
  operations: [DYNAMIC],
  series: () =>
    tablesWith([{ id: "erase" }], allTables().filter(takesDynamic)).map((one) => ({ ...one, ops: [DYNAMIC.id] })),
  parameters: PARAMETERS,
  typeOf: tableType,
  clock: "gpu",
  bytes(cell) {
    const type = tableType(cell.table);
    const params = tableParams(cell, PARAMETERS);
    return type.bytes(cell.n, loadFactorOf(cell, type, params), params) + dynamicBytes(cell.n, optionsOf(cell));
  },
  prepare: (cell, context) => prepare(cell, tableType(cell.table), context),
};

function takesDynamic({ ops, answers, incremental, duplicates }: TableType): boolean {
  return ops.includes("erase") && answers === undefined && incremental && duplicates;
}

async function prepare(cell: CellSpec, type: TableType, context: BenchContext): Promise<PreparedCell> {
  if (cell.op !== DYNAMIC.id) throw new UsageError(`${cell.experiment}: ${cell.op} is no dynamic workload`);
  if (!takesDynamic(type)) throw new UsageError(`${type.id} cannot be added to and erased from in batches`);
  checkSized(cell);
  const batches = batchesOf(cell);
  const data = await context.keys.get(cell.dataset, cell.n, cell.seed);
  const params = tableParams(cell, PARAMETERS);
  const table = await createTable(type, context.gpu, {
    ...{ n: startOf(cell), loadFactor: loadFactorOf(cell, type, params), seed: cell.seed, params, counting: false },
    insertions: batches.reduce((sum, { phase, count, others }) => sum + (phase === 1 ? count : others), 0),
  });
  const workload = await DeviceDynamic.make(context.gpu, data, optionsOf(cell));
  return new Dynamic(cell, context, data, table, workload, batches).prepared();
}

/** What the table is like after a batch. */
interface State {
  readonly filled: number;
  readonly bytes: number;
}

class Dynamic {
  /** Tells this run's values from those of the runs before it. */
  private salt: number;
  /** Of the last run. */
  private resizes: Resizing[] = [];

  constructor(
    private readonly cell: CellSpec,
    private readonly context: BenchContext,
    private readonly data: DeviceKeys,
    private readonly table: GpuTable,
    private readonly workload: DeviceDynamic,
    private readonly batches: readonly DynamicBatch[],
  ) {
    this.salt = cell.seed;
  }

  prepared(): PreparedCell {
    return {
      mutates: true,
      reset: () => this.reset(),
      sample: () => this.run(),
      operations: this.batches.reduce((sum, { count, others }) => sum + 2 * count + others, 0),
      dataHash: this.data.digest,
      // Of three kinds of operations none is the one that cannot be avoided.
      access: null,
      verify: () => this.verify(),
      metrics: () => this.metrics(),
    };
  }

  private readonly time: RunSteps = (steps, status) => this.context.gpu.time(steps, status);

  private async reset(): Promise<void> {
    this.salt = (this.salt + 0x9e3779b9) >>> 0;
    await this.table.clear();
  }

  /** All batches; nanoseconds. What each one asks for is written before it, untimed. */
  private async run(after?: (batch: DynamicBatch, erased: number) => Promise<void>, between?: () => Promise<void>) {
    const { table, workload, salt, time } = this;
    this.resizes = [];
    let sum = 0;
    for (const batch of this.batches) {
      const { inserted, asked, erased } = await workload.pick(batch, salt);
      // An empty dispatch takes time too, and is none of the workload's.
      const some = async (n: number, does: () => Promise<OpResult>) => (n > 0 ? await does() : null);
      const put = await some(inserted.n, () => table.insert(time, inserted));
      if (put && put.count > 0) throw new Error(`${put.count} of ${inserted.n} pairs found no slot`);
      const found = await some(asked.n, () => table.find(time, asked));
      if (between) await between();
      const gone = await some(erased.n, async () => (await table.erase?.(time, erased)) ?? noErase(this.cell));
      sum += (put?.ns ?? 0) + (found?.ns ?? 0) + (gone?.ns ?? 0);
      for (const resizing of [put?.resizing, gone?.resizing]) if (resizing) this.resizes.push(resizing);
      if (after) await after(batch, gone?.count ?? 0);
    }
    return sum;
  }

  /** Goes through all batches once more, with every answer and every count checked, and asks for every key at the end. */
  private async verify(): Promise<string> {
    const { workload, table, salt } = this;
    await table.clear();
    await workload.begin();
    let wrong = "";
    const note = (text: string, { phase, number }: DynamicBatch) => {
      if (text && !wrong) wrong = `batch ${number} of phase ${phase}: ${text}`;
    };
    let searches = "";
    await this.run(
      async (batch, erased) => {
        note(searches, batch);
        const expected = await workload.mark("erase");
        if (erased !== expected) note(`${erased} keys were erased, ${expected} were there`, batch);
      },
      async () => {
        await workload.mark("insert");
        searches = await workload.check(salt);
      },
    );
    if (wrong) return wrong;
    const left = await workload.checkAll((lookups) => table.find(this.time, lookups), salt);
    return left && `after the last batch ${left}`;
  }

  private async metrics(): Promise<Metric[]> {
    const { table, workload } = this;
    await table.clear();
    await workload.begin();
    let live = 0;
    let step = 0;
    let state: State | null = null;
    let most = 0;
    await this.run(
      async () => {
        live -= await workload.mark("erase");
        const before: State | null = state;
        state = await this.stateOf(live);
        if (before) step = Math.max(step, Math.abs(state.filled - before.filled));
        most = Math.max(most, state.bytes);
      },
      async () => {
        live += await workload.mark("insert");
      },
    );
    const { filled, bytes } = state ?? { filled: 0, bytes: 0 };
    return [
      exact("filled_factor", filled),
      exact("filled_factor_step", step),
      exact("table_bytes", bytes),
      exact("most_table_bytes", Math.max(most, ...this.resizes.map(({ peakBytes }) => peakBytes))),
      ...this.resizing(),
    ];
  }

  private resizing(): Metric[] {
    const { resizes } = this;
    if (resizes.length === 0) return [];
    const sum = (of: "ns" | "upsizes" | "downsizes") => resizes.reduce((total, one) => total + one[of], 0);
    return [exact("resize_time", sum("ns")), exact("upsizes", sum("upsizes")), exact("downsizes", sum("downsizes"))];
  }

  /** Pairs / slots; of tables of linked nodes, those of the nodes in use. */
  private async stateOf(live: number): Promise<State> {
    const { table } = this;
    const occupancy = await table.occupancy?.();
    const slots = occupancy ? occupancy.nodes * occupancy.perNode : table.slots;
    return { filled: live / slots, bytes: table.bytes };
  }
}

function noErase({ table }: CellSpec): never {
  throw new Error(`${table} lists erase among its operations and has none`);
}
