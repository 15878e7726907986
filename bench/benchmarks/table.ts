/** Times one operation of one GPU table: insert, find or erase in bulk. */

import { createTable } from "../../kernels/create.js";
import { UsageError } from "../../kernels/device/errors.js";
import { Owner, scoped } from "../../kernels/device/owned.js";
import { allTables, tableType } from "../../kernels/index.js";
import type { GpuTable, Lookups, Pairs, Parameter, RunSteps, TableType } from "../../kernels/table.js";
import { countedOf, countingRunner, countMetrics } from "../counting/counters.js";
import type { CellSpec } from "../experiment.js";
import type { BenchContext, Benchmark, PreparedCell } from "../measure/benchmark.js";
import { repeating } from "../measure/repeating.js";
import { exact, type Metric } from "../results/metrics.js";
import { findStored } from "../workload/stored.js";
import { type DeviceKeys, DeviceLookups, partsOf, uniqueAhead, writeValues } from "../workload/workload.js";
import { heldPerPair } from "./held.js";
import { occupancyMetrics } from "./occupancy.js";
import { checkFilled, checkSized, LOOKUPS, loadFactorOf, tableParams } from "./parameters.js";
import { ERASE, FIND, INSERT, tablesWith } from "./series.js";
import { Snapshot } from "./snapshot.js";

/** Lookups of the cell: its `lookups` parameter, else as many as pairs. */
export function lookupsOf(cell: CellSpec): number {
  return Number(cell.params.lookups ?? cell.n);
}

const OPERATIONS = [INSERT, FIND, ERASE];

/** Of benchmarks of one operation in bulk. */
export const BULK_PARAMETERS: readonly Parameter[] = [
  LOOKUPS,
  { ...{ name: "chunk", from: 1, to: 2 ** 32, integer: true }, meaning: "part of the input whose insertion is timed" },
  { ...{ name: "chunks", from: 1, to: 2 ** 32, integer: true }, meaning: "equal parts that the input has" },
  { ...{ name: "skew", from: 0, to: 16, integer: false }, meaning: "exponent of the data set zipf" },
];

export const tableBenchmark: Benchmark = {
  measures: "GPU table",
  operations: OPERATIONS,
  series: () =>
    tablesWith(
      OPERATIONS,
      allTables().filter(({ answers }) => !answers),
    ),
  parameters: BULK_PARAMETERS,
  typeOf: tableType,
  clock: "gpu",
  limitPattern({ table, op, params }) {
    const type = tableType(table);
    const known = type.ops.find((one) => one === op);
    return known && type.access(known, params).pattern;
  },
  bytes(cell) {
    const lookups = cell.op === "insert" ? cell.n : lookupsOf(cell);
    // Where something has to be built before every sample, a copy of it is kept.
    const copies = cell.op === "erase" || cell.params.chunk !== undefined ? 2 : 1;
    return copies * bytesFor(tableType(cell.table), cell) + cell.n * 4 + lookups * 8;
  },
  sharedBytes(cell) {
    if (cell.op !== "find") return {};
    const type = tableType(cell.table);
    const built = bytesFor(type, cell) + cell.n * 4;
    return { [builtName(cell, type)]: built, [lookupsName(cell)]: lookupsOf(cell) * 8 };
  },
  prepare: (cell, context) => prepareTable(cell, tableType(cell.table), context),
};

/** Bytes of a cell's table. */
export function bytesFor(type: TableType, cell: CellSpec): number {
  const params = tableParams(cell, BULK_PARAMETERS);
  return type.bytes(cell.n, type.dense ? 1 : loadFactorOf(cell, type, params), params);
}

/** The data set, with its skew. */
function datasetOf({ dataset, params }: CellSpec): string {
  return params.skew === undefined ? dataset : `${dataset}:${params.skew}`;
}

/** What the built table hangs on. */
function builtName(cell: CellSpec, type: TableType): string {
  const params = tableParams(cell, BULK_PARAMETERS);
  const loadFactor = type.dense ? 1 : loadFactorOf(cell, type, params);
  return JSON.stringify(["table", type.id, datasetOf(cell), cell.n, loadFactor, cell.seed, params]);
}

/** What the lookups hang on. */
function lookupsName(cell: CellSpec): string {
  const { n, positiveRatio, seed, params } = cell;
  return JSON.stringify(["lookups", datasetOf(cell), n, positiveRatio, seed, params.lookups]);
}

/** Prepares a cell of an operation of a table of this type. Throws as `Benchmark.prepare` does. */
export async function prepareTable(cell: CellSpec, type: TableType, context: BenchContext): Promise<PreparedCell> {
  if (type.answers)
    throw new UsageError(
      `${type.id} answers with ${type.answers}s, not values: the benchmark of such tables is "repeated"`,
    );
  if (!type.dense) checkSized(cell);
  if (cell.op === "mixed" || !type.ops.some((op) => op === cell.op))
    throw new UsageError(`${type.id} has no ${cell.op} in bulk`);
  if (cell.params.chunk !== undefined && !type.incremental)
    throw new UsageError(`${type.id} is built in one insertion`);
  if (cell.op !== "find") {
    const bench = await benchOf(cell, type, context);
    return cell.op === "insert" ? bench.insert() : bench.erase();
  }
  // Cells that differ in what they ask ask one table, and all tables are asked the same.
  const bench = await context.shared.get(context.gpu, builtName(cell, type), async (own) => {
    const made = await benchOf(cell, type, { ...context, gpu: own });
    await made.fill();
    return made;
  });
  const lookups = await context.shared.get(context.gpu, lookupsName(cell), (own) => bench.lookupsFor(cell, own));
  return bench.find(lookups);
}

async function benchOf(cell: CellSpec, type: TableType, context: BenchContext): Promise<Bench> {
  const dataset = datasetOf(cell);
  // Before any data are made, where it can be: a table that does not fit needs none.
  const unique = uniqueAhead(dataset, cell.n);
  const ahead = unique === null ? null : await makeTable(cell, type, unique, context);
  const data = await context.keys.get(dataset, cell.n, cell.seed, takesParts(type, cell));
  if (!type.duplicates && data.unique < data.n) {
    throw new UsageError(`${type.id} takes every key once; ${dataset} has ${data.n - data.unique} duplicates`);
  }
  const keysOnly = type.keysOnly?.(tableParams(cell, BULK_PARAMETERS));
  if (refuses(type, cell) && keysOnly) throw new UsageError(`${type.id}: without values nothing tells what it refused`);
  if (refuses(type, cell) && (data.unique < data.n || cell.params.chunk !== undefined)) {
    throw new UsageError(`${type.id}: pairs that it may refuse are inserted all at once, and every key once`);
  }
  return Bench.make(cell, type, data, context, ahead ?? (await makeTable(cell, type, data.unique, context)));
}

/** Whether the input may be inserted in parts, one after another. */
function takesParts(type: TableType, cell: CellSpec): boolean {
  const whole = cell.op === "erase" || cell.params.chunk !== undefined;
  return type.incremental && !whole && !refuses(type, cell) && !type.keysOnly?.(tableParams(cell, BULK_PARAMETERS));
}

function refuses(type: TableType, cell: CellSpec): boolean {
  return type.refuses?.(tableParams(cell, BULK_PARAMETERS)) ?? false;
}

/** Pairs first … first + n - 1 of the input. */
interface Part {
  readonly first: number;
  readonly n: number;
}

/** The part of the input that parameters `chunk` (from 1) and `chunks` name. */
function chunkOf({ params }: CellSpec, n: number): Part {
  const [chunk, chunks] = [Number(params.chunk), Number(params.chunks)];
  if (!(chunk >= 1 && chunk <= chunks)) throw new UsageError(`chunk is ${chunk} of ${chunks}`);
  const from = (i: number) => Math.floor((i * n) / chunks);
  return { first: from(chunk - 1), n: from(chunk) - from(chunk - 1) };
}

/** Adds time × balance, the y axis of gph/fig3. */
function withTimeBalance(metrics: readonly Metric[], ns: number): Metric[] {
  const balance = metrics.find(({ metric }) => metric === "balance");
  return [...metrics, ...(balance ? [exact("time_balance", ns * balance.value)] : [])];
}

/** A cell's table, and what it keeps between operations. */
interface Made {
  readonly table: GpuTable;
  readonly memory: readonly GPUBuffer[];
}

/** The cell's table, for so many different keys. */
async function makeTable(cell: CellSpec, type: TableType, n: number, { gpu }: BenchContext): Promise<Made> {
  const params = tableParams(cell, BULK_PARAMETERS);
  const loadFactor = type.dense ? 1 : loadFactorOf(cell, type, params);
  const own = new Owner(gpu);
  const table = await createTable(type, own, { n, loadFactor, seed: cell.seed, params, counting: false });
  if (!type.dense) checkFilled(cell, n, table);
  return { table, memory: own.storage() };
}

class Bench {
  /** Tells this build's values from those of the builds before it. */
  private salt: number;
  private restarts = 0;
  /** Pairs that the table refused since it was empty. */
  private refused = 0;
  private readonly refuses: boolean;
  private readonly keysOnly: boolean;

  private constructor(
    private readonly cell: CellSpec,
    private readonly type: TableType,
    private readonly data: DeviceKeys,
    private readonly context: BenchContext,
    private readonly table: GpuTable,
    private readonly memory: readonly GPUBuffer[],
    /** One, or those of the parts of the data. */
    private readonly pairs: readonly Pairs[],
  ) {
    this.salt = cell.seed;
    this.refuses = refuses(type, cell);
    this.keysOnly = type.keysOnly?.(tableParams(cell, BULK_PARAMETERS)) ?? false;
  }

  static async make(
    cell: CellSpec,
    type: TableType,
    data: DeviceKeys,
    context: BenchContext,
    { table, memory }: Made,
  ): Promise<Bench> {
    const pairs: Pairs[] = [];
    for (const { keys, n } of partsOf(data)) {
      pairs.push({ keys, values: await context.gpu.alloc(`${n} values`, n * 4), n });
    }
    return new Bench(cell, type, data, context, table, memory, pairs);
  }

  private readonly time: RunSteps = (steps, status) => this.context.gpu.time(steps, status);

  /** Empties the table and gives every pair a new value. */
  private async renew(): Promise<void> {
    this.salt = (this.salt + 0x9e3779b9) >>> 0;
    this.refused = 0;
    const { gpu } = this.context;
    const written = this.pairs.map(({ keys, values, n }) => writeValues(gpu, keys, values, n, this.salt));
    // None waits for another.
    await Promise.all([...written, this.table.clear()]);
  }

  /** Inserts all pairs, or those of `part`, where there is one part of the data only; nanoseconds. */
  private async build(run: RunSteps, part?: Part): Promise<number> {
    let sum = 0;
    for (const all of this.pairs) {
      const pairs = { ...all, ...part };
      const { ns, count, restarts } = await this.table.insert(run, pairs);
      if (count > 0 && !this.refuses) throw new Error(`${count} of ${pairs.n} pairs found no slot`);
      this.refused += count;
      this.restarts += restarts;
      sum += ns;
    }
    return sum;
  }

  /** A reset to the table that holds this part: built once and put back from then on, where the table can be. */
  private resetTo(part: Part): () => Promise<void> {
    let back: (() => Promise<void>) | null = null;
    return async () => {
      if (back) return back();
      await this.renew();
      if (part.n > 0) await this.build(this.time, part);
      const remembered = this.table.remember?.();
      if (!remembered) return;
      const held = await Snapshot.take(this.context.gpu, this.memory);
      back = async () => {
        await held.restore();
        remembered();
      };
    };
  }

  private lookups(
    lookups: number,
    positiveRatio: number,
    eachOnce: boolean,
    gpu: Owner = this.context.gpu,
    data: DeviceKeys = this.data,
  ) {
    const { seed } = this.cell;
    return DeviceLookups.make(gpu, data, { lookups, positiveRatio, seed, eachOnce });
  }

  /** Asks the table and checks every answer. */
  private ask(lookups: DeviceLookups): Promise<string> {
    const { data, salt, refused } = this;
    const find = (asked: Lookups) => this.table.find(this.time, asked);
    return scoped(this.context.gpu, async (own) => {
      const stored = this.refuses ? await findStored(own, data, { inserted: data.n, refused, salt }, find) : null;
      if (stored?.wrong) return stored.wrong;
      await lookups.poison();
      await find(lookups);
      return lookups.check(salt, stored?.answers ?? (this.keysOnly ? data.keys : undefined));
    });
  }

  /** Every key of the input must be found with its newest value, unless the table refused it, and no other key. */
  private async askAll(): Promise<string> {
    for (const part of partsOf(this.data)) {
      for (const positiveRatio of [1, 0]) {
        const wrong = await scoped(this.context.gpu, async (own) =>
          this.ask(await this.lookups(part.n, positiveRatio, positiveRatio === 1, own, part)),
        );
        if (wrong) return wrong;
      }
    }
    return "";
  }

  insert(): PreparedCell {
    return this.cell.params.chunk === undefined ? this.insertAll() : this.insertChunk(chunkOf(this.cell, this.data.n));
  }

  /** Insertion of one of equal chunks of the input, the chunks before it being in the table. */
  private insertChunk({ first, n }: Part): PreparedCell {
    const { time } = this;
    return {
      mutates: true,
      reset: this.resetTo({ first: 0, n: first }),
      sample: () => this.build(time, { first, n }),
      operations: n,
      dataHash: this.data.digest,
      ...this.common(null),
      verify: async () => {
        const after = first + n;
        if (after < this.data.n) await this.build(time, { first: after, n: this.data.n - after });
        return this.askAll();
      },
      heldPerPair: undefined,
      // Counters are of the whole insertion, and so of no use for a part of it.
      metrics: async () => [exact("chunk_occupancy", (first + n / 2) / this.table.slots)],
    };
  }

  private insertAll(): PreparedCell {
    return {
      mutates: true,
      reset: () => this.renew(),
      sample: () => this.build(this.time),
      operations: this.data.n,
      dataHash: this.data.digest,
      ...this.common(null),
      verify: () => this.askAll(),
    };
  }

  /** Empties the table, and inserts all pairs. */
  async fill(): Promise<void> {
    await this.renew();
    await this.build(this.time);
  }

  lookupsFor(cell: CellSpec, gpu: Owner): Promise<DeviceLookups> {
    const eachOnce = cell.params.lookups === undefined && cell.positiveRatio === 1;
    return this.lookups(lookupsOf(cell), cell.positiveRatio ?? 1, eachOnce, gpu);
  }

  /** Searches in the table that was filled, which others may have too, as they may have the lookups: who verifies asks anew. */
  find(lookups: DeviceLookups): PreparedCell {
    return {
      mutates: false,
      repeats: true,
      sample: async (repetitions = 1) => (await this.table.find(repeating(this.context.gpu, repetitions), lookups)).ns,
      operations: lookups.n,
      dataHash: this.data.digest + lookups.digest,
      ...this.common(lookups),
      metrics: async (ns) => withTimeBalance(await this.count(lookups), ns),
      verify: () => this.ask(lookups),
    };
  }

  async erase(): Promise<PreparedCell> {
    const { data } = this;
    const lookups = await this.lookups(data.n, 1, true);
    const erasures = { keys: lookups.keys, n: data.n };
    return {
      mutates: true,
      reset: this.resetTo({ first: 0, n: data.n }),
      sample: async () => {
        const { ns, count } = (await this.table.erase?.(this.time, erasures)) ?? { ns: Number.NaN, count: 0 };
        if (count !== data.unique) throw new Error(`${count} of ${data.unique} keys were erased`);
        return ns;
      },
      operations: data.n,
      dataHash: data.digest + lookups.digest,
      ...this.common(lookups),
      verify: async () => {
        await lookups.poison();
        await this.table.find(this.time, lookups);
        return lookups.checkAllAbsent();
      },
    };
  }

  private common(lookups: DeviceLookups | null) {
    const op = this.type.ops.find((known) => known === this.cell.op) ?? "find";
    const { pattern, times = 1 } = this.type.access(op, this.cell.params);
    const { bytes, reachBytes = bytes } = this.table;
    return {
      access: { pattern, times, tableBytes: bytes, reachBytes },
      heldPerPair: () => this.held(),
      metrics: () => this.count(lookups),
    };
  }

  private held(): number {
    const { cell, type, data, refused } = this;
    const params = tableParams(cell, BULK_PARAMETERS);
    const loadFactor = type.dense ? 1 : loadFactorOf(cell, type, params);
    return heldPerPair(type, { n: data.unique, loadFactor, params }, refused);
  }

  /** Counts the operation once more; of lookups a sample. */
  private async count(lookups: DeviceLookups | null): Promise<Metric[]> {
    const { run, counts } = countingRunner(this.context.gpu);
    const built = async () => [
      ...(await occupancyMetrics(this.table, this.data.unique - this.refused)),
      ...(this.refuses ? [exact("refused_share", this.refused / this.data.n)] : []),
      exact("restarts", this.restarts),
    ];
    if (!lookups) {
      await this.renew();
      await this.build(run);
      return [...(await built()), ...countMetrics(counts, this.data.n)];
    }
    const n = countedOf(lookups.n);
    const erases = this.cell.op === "erase";
    if (erases) {
      await this.renew();
      await this.build(this.time);
    }
    const before = await built();
    if (erases) await this.table.erase?.(run, { keys: lookups.keys, n });
    else await this.table.find(run, { keys: lookups.keys, results: lookups.results, n });
    return [...before, ...countMetrics(counts, n, erases ? undefined : this.table, lookups.n)];
  }
}
