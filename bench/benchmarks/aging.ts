/**
 * Times rounds in the life of a table that always holds n pairs: searches for present and for absent keys, erasures of the
 * oldest keys, insertions of new ones, `batch` of each; in a dispatch a kind, or (`mixed`) all kinds in one dispatch and one
 * warp. A sample is a round of a table that began empty, was filled, and has gone through `round` rounds, or up to a tenth more:
 * one sample's round follows the other's, and then the table is filled anew. A table in which an insertion finds no slot
 * before that, whose slots have all but a thousandth been used, or of which a round has come to take a thousand times as long as
 * the fastest, has not survived: the cell is skipped, and says in which round.
 */
import { createTable } from "../../kernels/create.js";
import { UsageError } from "../../kernels/device/errors.js";
import { allTables, tableType } from "../../kernels/index.js";
import { reusesSlots } from "../../kernels/parameters.js";
import type { GpuTable, Parameter, Params, RunSteps, TableType } from "../../kernels/table.js";
import { countingRunner, countMetrics } from "../counting/counters.js";
import type { CellSpec } from "../experiment.js";
import type { BenchContext, Benchmark, Operation, PreparedCell } from "../measure/benchmark.js";
import { exact, type Metric } from "../results/metrics.js";
import { type AgingOptions, DeviceAging } from "../workload/aging.js";
import { deletedWords } from "../workload/deleted.js";
import { occupancyMetrics } from "./occupancy.js";
import { checkSized, loadFactorOf, tableParams } from "./parameters.js";
import { tablesWith } from "./series.js";

const AGING: Operation = { id: "aging" };
const BATCH = 1_000_000;
/** The default batch is this part of the pairs: a million of 85 million. */
const PART = 85;
/**
 * Part of its slots that a table has to have never used, if it uses none again: with fewer an operation would look at thousands,
 * and with none a search for an absent key at all.
 */
const NEVER_USED = 1 / 1000;
/**
 * A round that takes so many times as long as the fastest before it is a table's last. Where slots of erased keys are used again
 * but never become EMPTY (warpcore), a search for an absent key looks at more and more of the table, and at all of it in the end.
 */
const WORN_OUT = 1000;
/** Rounds beyond `round` that samples go, as a part of it. */
const BEYOND = 0.1;

const PARAMETERS: readonly Parameter[] = [
  {
    ...{ name: "batch", from: 1, to: 2 ** 28, integer: true },
    meaning: `operations of a kind in a round (default: ${BATCH}, or an ${PART}th of the pairs if that is less)`,
  },
  { ...{ name: "round", from: 0, to: 1e6, integer: true }, meaning: "rounds before the first sample (default: 0)" },
  { name: "mixed", values: [true, false], meaning: "all kinds of operations in one dispatch (default: false)" },
];

function optionsOf({ n, params, seed }: CellSpec): AgingOptions {
  const batch = Number(params.batch ?? Math.max(1, Math.min(BATCH, Math.floor(n / PART))));
  return { live: n, batch, seed, mixed: params.mixed === true };
}

const roundOf = ({ params }: CellSpec) => Number(params.round ?? 0);
/** The last round that a sample may be. */
const lastRound = (cell: CellSpec) => Math.floor(roundOf(cell) * (1 + BEYOND));

/** The cell's own, and those that a table needs for all kinds of operations in one dispatch. */
function paramsOf(cell: CellSpec, type: TableType): Params {
  return { ...(cell.params.mixed === true ? type.mixedParams : {}), ...tableParams(cell, PARAMETERS) };
}

export const agingBenchmark: Benchmark = {
  measures: "GPU table",
  operations: [AGING],
  series: () =>
    tablesWith([{ id: "erase" }], allTables().filter(takesAging)).map((one) => ({ ...one, ops: [AGING.id] })),
  parameters: PARAMETERS,
  typeOf: tableType,
  clock: "gpu",
  bytes(cell) {
    const type = tableType(cell.table);
    const params = paramsOf(cell, type);
    return type.bytes(cell.n, loadFactorOf(cell, type, params), params) + DeviceAging.bytes(optionsOf(cell));
  },
  prepare: (cell, context) => prepare(cell, tableType(cell.table), context),
};

function takesAging({ ops, answers, incremental }: TableType): boolean {
  return ops.includes("erase") && answers === undefined && incremental;
}

async function prepare(cell: CellSpec, type: TableType, context: BenchContext): Promise<PreparedCell> {
  if (cell.op !== AGING.id) throw new UsageError(`${cell.experiment}: ${cell.op} is no aging`);
  if (!takesAging(type)) throw new UsageError(`${type.id} cannot be added to and erased from`);
  if (cell.params.mixed === true && !type.ops.includes("mixed")) throw new UsageError(`${type.id} has no mixed`);
  if (cell.dataset !== "random") throw new UsageError("aging makes its own keys, those of the data set random");
  checkSized(cell);
  const params = paramsOf(cell, type);
  const options = optionsOf(cell);
  const table = await createTable(type, context.gpu, {
    ...{ n: cell.n, loadFactor: loadFactorOf(cell, type, params), seed: cell.seed, params, counting: false },
    insertions: cell.n + (lastRound(cell) + 1) * options.batch,
  });
  const usedUp = !table.grows && !reusesSlots(type, params);
  const workload = await DeviceAging.make(context.gpu, options);
  return new Life(cell, context, table, workload, options, usedUp).prepared();
}

class Life {
  /** The round that is next; null before the table was filled. */
  private round: number | null = null;
  /** Nanoseconds of the fastest round. */
  private fastest = Number.POSITIVE_INFINITY;

  constructor(
    private readonly cell: CellSpec,
    private readonly context: BenchContext,
    private readonly table: GpuTable,
    private readonly workload: DeviceAging,
    private readonly options: AgingOptions,
    /** The table has so many slots and no more, and uses none again. */
    private readonly usedUp: boolean,
  ) {}

  prepared(): PreparedCell {
    return {
      mutates: true,
      reset: () => this.grow(),
      sample: () => this.next(this.time),
      operations: 4 * this.options.batch,
      dataHash: "",
      // Of four kinds of operations none is the one that cannot be avoided.
      access: null,
      verify: () => this.verify(),
      metrics: () => this.metrics(),
    };
  }

  private readonly time: RunSteps = (steps, status) => this.context.gpu.time(steps, status);

  /** Brings the table to the round where samples begin, if it has not gone through it or is too old; writes the next one. */
  private async grow(): Promise<void> {
    const { table, workload, cell } = this;
    if (this.round === null || this.round > lastRound(cell)) {
      await table.clear();
      await workload.begin(async (pairs) => {
        const { count } = await table.insert(this.time, pairs);
        if (count > 0) throw new UsageError(`${count} of ${cell.n} pairs found no slot in the empty table`);
      }, cell.seed);
      this.round = 0;
      while (this.round < roundOf(cell)) {
        await workload.fill(this.round, cell.seed);
        await this.next(this.time);
      }
    }
    await workload.fill(this.round, cell.seed);
  }

  /** The round that was filled; nanoseconds. Throws a UsageError if the table is full or worn out. */
  private async next(run: RunSteps): Promise<number> {
    const round = this.round ?? 0;
    if (this.usedUp) this.checkRoom(round);
    this.round = round + 1;
    const ns = await this.live(run, round);
    // Of counting kernels the time is not the table's.
    if (run !== this.time) return ns;
    if (ns > WORN_OUT * this.fastest)
      throw new UsageError(
        `worn out in round ${round}: it took ${Math.round(ns / this.fastest)} times as long as the fastest`,
      );
    this.fastest = Math.min(this.fastest, ns);
    return ns;
  }

  private async live(run: RunSteps, round: number): Promise<number> {
    const { table, workload, options } = this;
    const full = (count: number) => {
      if (count > 0) throw new UsageError(`full in round ${round}: ${count} of ${options.batch} pairs found no slot`);
    };
    if (options.mixed) {
      if (!table.mixed) throw new Error(`${this.cell.table} lists mixed among its operations and has none`);
      const { ns, count } = await table.mixed(run, workload.mixed);
      full(count);
      return ns;
    }
    const { present, absent, oldest, newest } = workload.byKind;
    const found = await table.find(run, present);
    const missed = await table.find(run, absent);
    const erased = await table.erase?.(run, oldest);
    if (!erased) throw new Error(`${this.cell.table} lists erase among its operations and has none`);
    if (erased.count !== options.batch) throw new Error(`${erased.count} of ${options.batch} keys were erased`);
    const put = await table.insert(run, newest);
    full(put.count);
    return found.ns + missed.ns + erased.ns + put.ns;
  }

  /** Throws a UsageError if the round's insertions would use up the slots. */
  private checkRoom(round: number): void {
    const { slots } = this.table;
    const { live, batch } = this.options;
    const left = slots - live - round * batch;
    if (left - batch < NEVER_USED * slots)
      throw new UsageError(
        `full in round ${round}: of ${slots} slots ${left} were never used; ${batch} pairs are to be inserted`,
      );
  }

  /** The answers of the last round, and then every key. */
  private async verify(): Promise<string> {
    const { workload, table, cell } = this;
    const round = this.round ?? 0;
    const wrong = await workload.check(round - 1, cell.seed);
    if (wrong) return `round ${round - 1}: ${wrong}`;
    const left = await workload.checkAll(round, (lookups) => table.find(this.time, lookups), cell.seed);
    return left && `after round ${round - 1} ${left}`;
  }

  /** Counts one more round. */
  private async metrics(): Promise<Metric[]> {
    const { run, counts } = countingRunner(this.context.gpu);
    await this.grow();
    await this.next(run);
    const { table, cell, context } = this;
    const built = [
      exact("table_bytes", table.bytes),
      ...(table.marked ? [exact("deleted_share", (await deletedWords(context.gpu, table.marked)) / table.slots)] : []),
      ...(await occupancyMetrics(table, cell.n)),
    ];
    return [...built, ...countMetrics(counts, 4 * this.options.batch)];
  }
}
