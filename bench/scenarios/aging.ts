/**
 * Times rounds in the life of a table that always holds n pairs: searches for present and for absent keys, erasures of the
 * oldest keys, insertions of new ones, `batch` of each; in a dispatch a kind, or (`mixed`) all kinds in one dispatch and one
 * warp. A sample is a round of a table that began empty, was filled, and has gone through `round` rounds; it is put back as it was
 * then for the next one, or, if it has grown in a sample, ages anew. For tables that cannot be put back one sample's round follows the other's, up to a tenth more than
 * `round`, and then they are filled anew. A table in which an insertion finds no slot
 * before that, whose slots have all but a thousandth been used, or of which a round has come to take a hundred times as long as
 * the fastest, has not survived: the cell is skipped, and says in which round.
 */
import { UsageError } from "../../kernels/device/errors.js";
import { Owner } from "../../kernels/device/owned.js";
import type { Lookups, RunSteps, TableType } from "../../kernels/table.js";
import type { CellSpec } from "../base/experiment.js";
import { exact, type Metric } from "../results/metrics.js";
import type { BenchContext, PreparedCell } from "./benchmark.js";
import type { CellTable } from "./cell-table.js";
import { ofTables } from "./gpu-tables.js";
import { whole } from "./parameters.js";
import { PreparedTable } from "./prepared-table.js";
import { wayBack } from "./snapshot.js";
import { type AgingOptions, DeviceAging } from "./workload/aging.js";
import { deletedWords } from "./workload/deleted.js";

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
 * but never become EMPTY (warpcore), a search for an absent key looks at more and more of the table, and at all of it in the end: on an
 * H200 15 times as long after 100 rounds, a thousand times after 227, which are some 13 s to there. No row of a table that survived is beyond 20.
 */
const WORN_OUT = 100;
/** Rounds beyond `round` that samples go, as a part of it, where the table cannot be put back. */
const BEYOND = 0.1;

function optionsOf({ n, params, seed }: CellSpec): AgingOptions {
  const batch = Number(params.batch ?? Math.max(1, Math.min(BATCH, Math.floor(n / PART))));
  return { live: n, batch, seed, mixed: params.mixed === true };
}

const roundOf = ({ params }: CellSpec) => Number(params.round ?? 0);
/** The last round that a sample may be. */
const lastRound = (cell: CellSpec) => Math.floor(roundOf(cell) * (1 + BEYOND));

export const agingBenchmark = ofTables({
  operations: [{ id: "aging" }],
  parameters: [
    whole(
      "batch",
      1,
      2 ** 28,
      `operations of a kind in a round (default: ${BATCH}, or an ${PART}th of the pairs if that is less)`,
    ),
    whole("round", 0, 1e6, "rounds before the first sample (default: 0)"),
    { name: "mixed", values: [true, false], meaning: "all kinds of operations in one dispatch (default: false)" },
  ],
  unfit: (type) => (takesAging(type) ? "" : "cannot be added to and erased from"),
  byBuckets: true,
  presets: ({ params }, type) => (params.mixed === true && type.mixedParams) || {},
  // The table, and as it was after `round` rounds.
  bytes: (of) => 2 * of.bytes() + DeviceAging.bytes(optionsOf(of.cell)),
  prepare,
});

function takesAging({ ops, answers, incremental }: TableType): boolean {
  return ops.includes("erase") && answers === undefined && incremental;
}

async function prepare(of: CellTable, { gpu }: BenchContext): Promise<PreparedCell> {
  const { cell, type } = of;
  if (cell.params.mixed === true && !type.ops.includes("mixed")) throw new UsageError(`${type.id} has no mixed`);
  if (cell.dataset !== "random") throw new UsageError("aging makes its own keys, those of the data set random");
  const options = optionsOf(cell);
  const insertions = cell.n + (lastRound(cell) + 1) * options.batch;
  const own = new Owner(gpu);
  const table = await of.create(own, { n: cell.n, insertions });
  const memory = own.storage();
  const workload = await DeviceAging.make(gpu, options);
  return new Life(gpu, new PreparedTable(of, gpu, table), memory, workload, options).cell();
}

class Life {
  /** The round that is next; null before the table was filled. */
  private round: number | null = null;
  /** Puts the table back as it was where samples begin; null where it cannot, or has not come to that yet. */
  private back: (() => Promise<boolean>) | null = null;
  /** Nanoseconds of the fastest round. */
  private fastest = Number.POSITIVE_INFINITY;
  private readonly spec: CellSpec;

  constructor(
    private readonly gpu: Owner,
    private readonly prepared: PreparedTable,
    /** What the table keeps between operations. */
    private readonly memory: readonly GPUBuffer[],
    private readonly workload: DeviceAging,
    private readonly options: AgingOptions,
  ) {
    this.spec = prepared.of.cell;
  }

  cell(): PreparedCell {
    return {
      mutates: true,
      reset: () => this.grow(),
      sample: () => this.next(this.prepared.time),
      operations: 4 * this.options.batch,
      dataHash: "",
      // Of four kinds of operations none is the one that cannot be avoided.
      access: null,
      verify: () => this.verify(),
      metrics: () => this.metrics(),
    };
  }

  /** Brings the table to the round where samples begin, if it has not gone through it or is too old; writes the next one. */
  private async grow(): Promise<void> {
    const { workload, spec } = this;
    if (await this.back?.()) this.round = roundOf(spec);
    else if (this.back || this.round === null || this.round > lastRound(spec)) await this.age();
    await workload.fill(this.round ?? 0, spec.seed);
  }

  /** From the empty table to that of the samples. */
  private async age(): Promise<void> {
    const { prepared, workload, spec, gpu, memory } = this;
    const { table, timeNext } = prepared;
    await table.clear();
    await workload.begin(async (pairs) => {
      const { count } = await table.insert(timeNext, pairs);
      if (count > 0) throw new UsageError(`${count} of ${spec.n} pairs found no slot in the empty table`);
    }, spec.seed);
    for (this.round = 0; this.round < roundOf(spec); ) {
      await workload.fill(this.round, spec.seed);
      await this.next(timeNext);
    }
    this.back = await wayBack(gpu, table, memory);
  }

  /** The round that was filled; nanoseconds. Throws a UsageError if the table is full or worn out. */
  private async next(run: RunSteps): Promise<number> {
    const round = this.round ?? 0;
    // A table of so many slots and no more, which uses none again.
    if (!this.prepared.table.nodes?.grow && !this.prepared.of.type.reusesSlots) this.checkRoom(round);
    this.round = round + 1;
    const ns = await this.live(run, round);
    // Of counting kernels the time is not the table's.
    if (run !== this.prepared.time && run !== this.prepared.timeNext) return ns;
    if (ns > WORN_OUT * this.fastest)
      throw new UsageError(
        `worn out in round ${round}: it took ${Math.round(ns / this.fastest)} times as long as the fastest`,
      );
    if (ns < this.fastest) this.fastest = ns;
    return ns;
  }

  private async live(run: RunSteps, round: number): Promise<number> {
    const { prepared, workload, options } = this;
    const { table } = prepared;
    const full = (count: number) => {
      if (count > 0) throw new UsageError(`full in round ${round}: ${count} of ${options.batch} pairs found no slot`);
    };
    if (options.mixed) {
      const { ns, count } = await prepared.does("mixed")(run, workload.mixed);
      full(count);
      return ns;
    }
    const { present, absent, oldest, newest } = workload.byKind;
    const search = async (lookups: Lookups) =>
      run === prepared.timeNext ? prepared.ask(lookups) : { done: Promise.resolve(await table.find(run, lookups)) };
    const searches = [await search(present), await search(absent)];
    const erased = await prepared.does("erase")(run, oldest);
    if (erased.count !== options.batch) throw new Error(`${erased.count} of ${options.batch} keys were erased`);
    const put = await table.insert(run, newest);
    full(put.count);
    const asked = await Promise.all(searches.map((search) => search.done));
    return asked.reduce((sum, { ns }) => sum + ns, erased.ns + put.ns);
  }

  /** Throws a UsageError if the round's insertions would use up the slots. */
  private checkRoom(round: number): void {
    const { slots } = this.prepared.table;
    const { live, batch } = this.options;
    const left = slots - live - round * batch;
    if (left - batch < NEVER_USED * slots)
      throw new UsageError(
        `full in round ${round}: of ${slots} slots ${left} were never used; ${batch} pairs are to be inserted`,
      );
  }

  /** The answers of the last round, and then every key. */
  private async verify(): Promise<string> {
    const { workload, prepared, spec } = this;
    const round = this.round ?? 0;
    const wrong = await workload.check(round - 1, spec.seed);
    if (wrong) return `round ${round - 1}: ${wrong}`;
    const left = await workload.checkAll(round, prepared.find, spec.seed);
    return left && `after round ${round - 1} ${left}`;
  }

  /** Counts one more round. */
  private async metrics(): Promise<Metric[]> {
    const { prepared, spec, gpu, options } = this;
    await this.grow();
    const counted = await prepared.count(4 * options.batch, (run) => this.next(run));
    const { bytes, storage: { marked } = {}, slots } = prepared.table;
    return [
      exact("table_bytes", bytes),
      ...(marked ? [exact("deleted_share", (await deletedWords(gpu, marked)) / slots)] : []),
      ...(await prepared.occupancy(spec.n)),
      ...counted,
    ];
  }
}
