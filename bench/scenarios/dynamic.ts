/**
 * Times dynamic workloads (DyCuckoo, 6.4): batches of insertions, each with as many searches and r times as many deletions;
 * then all batches again with insertions and deletions exchanged. Each kind is a dispatch of its own. A sample goes through
 * all batches up to the one that `phase` and `batch` name (default: the last) from an empty table. Tables that change their
 * size do so within the time; the others have the size that `start` pairs want, or grow by lists. Cells that differ in `phase`
 * and `batch` alone are stages of one run, the whole workload.
 */
import { UsageError } from "../../kernels/device/errors.js";
import type { Filling, Resizing, RunSteps, TableType } from "../../kernels/table.js";
import type { CellSpec } from "../base/experiment.js";
import type { Between } from "../measure/sampled.js";
import { exact, type Metric } from "../results/metrics.js";
import type { BenchContext, PreparedCell, Stage } from "./benchmark.js";
import type { CellTable } from "./cell-table.js";
import { ofTables } from "./gpu-tables.js";
import { real, whole } from "./parameters.js";
import { PreparedTable } from "./prepared-table.js";
import {
  DeviceDynamic,
  type DynamicBatch,
  type DynamicOptions,
  dynamicBatches,
  dynamicBytes,
  keyNumbers,
  numbersBytes,
} from "./workload/dynamic.js";

/** The paper's defaults. */
const BATCH = 1_000_000;
/** Of the pairs, where that is less: the paper's smallest data set has ten batches. */
const PART = 10;
const R = 0.2;

/** The fastest tables do so many operations in 25 ms on an H200, most in 50: all of the paper's data sets but COM have twice as many. */
const LONG_OPERATIONS = 1e8;
/** Batches of a rehearsal: after the second one a table that grows has grown. */
const REHEARSED = 2;

function optionsOf({ n, params, seed }: CellSpec): DynamicOptions {
  const batch = Number(params.batchSize ?? Math.max(1, Math.min(BATCH, Math.ceil(n / PART))));
  return { batch, r: Number(params.r ?? R), seed };
}

/** Batches of each phase. */
const eachPhase = (cell: CellSpec) => Math.ceil(cell.n / optionsOf(cell).batch);

/** Batches that the cell goes through. */
function lengthOf(cell: CellSpec): number {
  const { phase = 2, batch = eachPhase(cell) } = cell.params;
  return (Number(phase) - 1) * eachPhase(cell) + Number(batch);
}

const exists = (cell: CellSpec) => Number(cell.params.batch ?? 1) <= eachPhase(cell);

/** The batches of a cell. Throws a UsageError if there is no such batch. */
function batchesOf(cell: CellSpec): DynamicBatch[] {
  if (!exists(cell))
    throw new UsageError(`${cell.experiment}: batch is ${cell.params.batch}; there are ${eachPhase(cell)}`);
  return dynamicBatches(cell.n, optionsOf(cell)).slice(0, lengthOf(cell));
}

/** Pairs that the cell's table is made for. */
export const startOf = (cell: CellSpec) => Number(cell.params.start ?? Math.min(cell.n, optionsOf(cell).batch));

/** What a cell begins with and does, in whatever experiment: a default that is left out is the same as one that is said. */
function historyOf({ cell, loadFactor, type }: CellTable): string {
  const { bench, table, op, dataset, n } = cell;
  const sorted = Object.entries(type.params).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([bench, table, op, dataset, n, loadFactor, optionsOf(cell), startOf(cell), sorted]);
}

export const dynamicBenchmark = ofTables({
  operations: [{ id: "dynamic" }],
  parameters: [
    whole(
      "batchSize",
      1,
      2 ** 31,
      `insertions of a batch, and searches (default: ${BATCH}, or a tenth of the pairs if that is less)`,
    ),
    real("r", 0, 1, `deletions for each insertion (default: ${R})`),
    { name: "phase", values: [1, 2], meaning: "1: up to a batch of the first pass, 2: of the second (default)" },
    whole("batch", 1, 2 ** 31, "the last batch (default: of all)"),
    whole("start", 1, 2 ** 31, "pairs that the table is made for (default: a batch)"),
  ],
  unfit: (type) => (takesDynamic(type) ? "" : "cannot be added to and erased from in batches"),
  byBuckets: true,
  exists,
  history: (of) => (exists(of.cell) ? { name: historyOf(of), length: lengthOf(of.cell) } : null),
  bytes: (of) => of.bytes() + dynamicBytes(of.cell.n, optionsOf(of.cell)) + numbersBytes(of.cell.n),
  sharedBytes: ({ cell }) => ({ [numbersName(cell)]: numbersBytes(cell.n) }),
  prepare,
});

/** Of the keys' numbers, which cells of one data set share. */
const numbersName = ({ dataset, n, seed }: CellSpec) => `numbers of ${n} keys of ${dataset}, seed ${seed}`;

function takesDynamic({ ops, answers, incremental, duplicates }: TableType): boolean {
  return ops.includes("erase") && answers === undefined && incremental && duplicates;
}

async function prepare(of: CellTable, { gpu, keys, shared }: BenchContext): Promise<PreparedCell> {
  const { cell } = of;
  const batches = batchesOf(cell);
  const data = await keys.get(cell.dataset, cell.n, cell.seed);
  const insertions = insertionsOf(dynamicBatches(cell.n, optionsOf(cell)));
  const table = await of.create(gpu, { n: startOf(cell), insertions });
  const numbers = await shared.get(gpu, numbersName(cell), (own) => keyNumbers(own, data));
  const workload = await DeviceDynamic.make(gpu, data, numbers, optionsOf(cell));
  return new Dynamic(new PreparedTable(of, gpu, table), workload, batches).cell(data.digest);
}

const insertedBy = ({ phase, count, others }: DynamicBatch) => (phase === 1 ? count : others);

function insertionsOf(batches: readonly DynamicBatch[]): number {
  return batches.reduce((sum, batch) => sum + insertedBy(batch), 0);
}

/** What the table is like after a batch. */
interface State {
  /** Pairs / slots. */
  readonly filled: number;
  readonly bytes: number;
  /** Slots of the largest sub-table over those of the smallest; null where there are none. */
  readonly apart: number | null;
}

/** What was seen in the run that was checked. */
interface Seen {
  /** The first wrong answer or count; "" if all were right. */
  readonly wrong: string;
  /** After each batch. */
  readonly states: readonly State[];
}

/** Who is told how far a run is, and waited for. */
interface Watch {
  readonly between?: Between | undefined;
  /** All of a batch is submitted, or will be with what is submitted next, and nothing of the next one is. */
  submitted?(batch: DynamicBatch | undefined): Promise<void>;
  ended?(batch: number, erased: number): Promise<void>;
}

/** What was measured of a run, by batch. */
interface Run {
  /** Nanoseconds up to its end. */
  readonly ends: number[];
  readonly resized: readonly (readonly Resizing[])[];
}

/** What the table is like after a batch. */
type Room = Pick<State, "bytes" | "apart"> & {
  readonly slots: number;
  /** That were counted on the device; left out of tables that do not count. */
  readonly pairs?: number;
};

class Dynamic {
  /** Of every run nanoseconds up to the end of each batch. */
  private readonly samples: number[][] = [];
  /** Of the last run, by batch. */
  private resizes: Run["resized"] = [];
  /** Of the first run. */
  private seen: Seen | null = null;

  constructor(
    private readonly prepared: PreparedTable,
    private readonly workload: DeviceDynamic,
    private readonly batches: readonly DynamicBatch[],
  ) {}

  cell(dataHash: string): PreparedCell {
    return {
      mutates: true,
      ofMany: true,
      long: this.operations(this.batches.length) >= LONG_OPERATIONS,
      // Single runs of tables that resize were up to 19 % off; no long ones of them have been looked at.
      steady: this.prepared.of.type.params.resize !== true,
      rehearse: () => this.rehearse(),
      reset: () => this.prepared.renew(),
      sample: (_repetitions, between) => this.sample(between),
      operations: this.operations(this.batches.length),
      dataHash,
      // Of three kinds of operations none is the one that cannot be avoided.
      access: null,
      verify: async () => (await this.checked()).wrong,
      metrics: () => this.metrics(this.batches.length),
      stage: (cell) => this.stage(lengthOf(cell)),
    };
  }

  /** The first batches of the workload. */
  private stage(batches: number): Stage {
    return {
      operations: this.operations(batches),
      ns: (run) => this.samples[run]?.[batches - 1] ?? Number.NaN,
      metrics: () => this.metrics(batches),
    };
  }

  private operations(batches: number): number {
    return this.batches.slice(0, batches).reduce((sum, { count, others }) => sum + 2 * count + others, 0);
  }

  /** The first batches, of which nothing is kept. */
  private async rehearse(): Promise<void> {
    await this.prepared.renew();
    await this.through(this.batches.slice(0, REHEARSED), {});
  }

  /** The first run, which warms the others up where it is no sample, is the one that is checked. */
  private async sample(between?: Between): Promise<number> {
    if (this.seen) await this.run({ between });
    else this.seen = await this.check(between);
    return this.samples.at(-1)?.at(-1) ?? Number.NaN;
  }

  /** All batches. */
  private async run(watch: Watch): Promise<void> {
    const { ends, resized } = await this.through(this.batches, watch);
    this.samples.push(ends);
    this.resizes = resized;
  }

  /**
   * Goes through these batches. What each one asks for is written before it, untimed, while the one before it runs. The host waits for
   * insertions and for erasures, after which a table may have to change its size, and for nothing else: waits were four fifths of the time
   * of these runs. Where the table is sure to keep its size, searches and erasures are submitted with the next batch's insertions, and
   * heard of with these: then the host waits once a batch. What a table decides by its pairs before an insertion, it decides by those
   * before these erasures.
   */
  private async through(batches: readonly DynamicBatch[], watch: Watch): Promise<Run> {
    const { prepared, workload } = this;
    const { timeNext, timeDeferred, timesAlone: alone } = prepared;
    const erase = prepared.does("erase");
    const ends: number[] = [];
    const resized: (readonly Resizing[])[] = [];
    let sum = 0;
    let before = 0;
    /** The end of a batch that goes with the next one's insertions; null if it has ended. */
    let open: (() => Promise<void>) | null = null;
    const heat = async () => {
      await watch.between?.(before);
      workload.flush();
    };
    const insertion: RunSteps = async (...pass) => {
      const timed = timeNext(...pass);
      if (!open) return timed;
      timed.catch(() => undefined);
      const end = open;
      open = null;
      // Behind the insertions, while the host hears of them. What the table knows of the erasures, it knows before what it knows of these.
      await heat();
      await end();
      return timed;
    };
    const pick = (batch: DynamicBatch | undefined) => batch && workload.pick(batch);
    workload.start(prepared.salt);
    let next = await pick(batches[0]);
    await watch.between?.(before);
    for (let number = 0; next; number++) {
      const { inserted, asked, erased } = next;
      const following = batches[number + 1];
      // An empty dispatch takes time too, and is none of the workload's.
      const put = inserted.n > 0 ? await prepared.insert(insertion, inserted) : null;
      const searching = await prepared.ask(asked);
      if (alone) await searching.done;
      const stays = following !== undefined && insertedBy(following) > 0 && prepared.stays(erased.n);
      const erasing =
        erased.n > 0 ? await prepared.begin((run) => erase(run, erased), stays ? timeDeferred : timeNext) : null;
      if (alone) await erasing?.done;
      await watch.submitted?.(batches[number]);
      next = await pick(following);
      const end = async () => {
        const found = await searching.done;
        const gone = await erasing?.done;
        before = (put?.ns ?? 0) + found.ns + (gone?.ns ?? 0);
        sum += before;
        ends.push(sum);
        resized.push([put?.resizing, gone?.resizing].flatMap((one) => one ?? []));
        await watch.ended?.(number, gone?.count ?? 0);
      };
      if (stays) {
        open = end;
      } else {
        // Behind this batch, while the host hears of it.
        await heat();
        await end();
      }
    }
    return { ends, resized };
  }

  private async checked(): Promise<Seen> {
    if (!this.seen) {
      await this.prepared.renew();
      this.seen = await this.check();
    }
    return this.seen;
  }

  /**
   * Goes through all batches with every answer and every count checked, looks at the table after each, and at the end asks for every
   * key, or, where the table counts its pairs, for those that are in it: what has as many pairs and all of these has no other, and
   * for absent keys whole lists would be read. The table is empty.
   */
  private async check(between?: Between): Promise<Seen> {
    const { workload, prepared, batches } = this;
    const { salt, find } = prepared;
    await workload.begin();
    const ends: (Room & { readonly erased: number })[] = [];
    let counting: Promise<Room> | null = null;
    await this.run({
      between,
      submitted: async (batch) => {
        if (batch) await workload.check(batch);
        // What is counted on the device goes behind the batch; what the host knows it knows once the batch has ended.
        counting = prepared.table.nodes ? this.room() : null;
        counting?.catch(() => undefined);
      },
      ended: async (_, erased) => {
        ends.push({ erased, ...(await (counting ?? this.room())) });
      },
    });
    const states: State[] = [];
    let live = 0;
    let wrong = "";
    const note = (text: string, batch: DynamicBatch | undefined) => {
      if (text && !wrong) wrong = `batch ${batch?.number} of phase ${batch?.phase}: ${text}`;
    };
    for (const [i, { came, went, wrong }] of (await workload.checked(batches)).entries()) {
      const { erased = 0, slots = 0, bytes = 0, apart = null, pairs } = ends[i] ?? {};
      note(wrong, batches[i]);
      if (erased !== went) note(`${erased} keys were erased, ${went} were there`, batches[i]);
      live += came - went;
      if (pairs !== undefined && pairs !== live) note(`the table has ${pairs} pairs, not ${live}`, batches[i]);
      states.push({ filled: live / slots, bytes, apart });
    }
    const presentOnly = prepared.table.nodes !== undefined;
    const left = wrong ? "" : await workload.checkAll(find, salt, { presentOnly });
    return { wrong: wrong || (left && `after the last batch ${left}`), states };
  }

  /** After so many batches. */
  private async metrics(batches: number): Promise<Metric[]> {
    const states = (await this.checked()).states.slice(0, batches);
    const last = states.at(-1);
    if (!last) throw new Error("there is no batch");
    const steps = states.map(({ filled }, i) => Math.abs(filled - (states[i - 1]?.filled ?? filled)));
    const resizes = this.resizes.slice(0, batches).flat();
    const apart = states.flatMap((state) => state.apart ?? []);
    const held = [...states.map(({ bytes }) => bytes), ...resizes.map(({ peakBytes }) => peakBytes)];
    return [
      exact("filled_factor", last.filled),
      exact("filled_factor_step", Math.max(...steps)),
      exact("table_bytes", last.bytes),
      exact("most_table_bytes", Math.max(...held)),
      ...(apart.length > 0 ? [exact("sub_table_ratio", Math.max(...apart))] : []),
      ...resizeMetrics(resizes),
    ];
  }

  /** Of tables of linked nodes, that of the nodes in use. */
  private async room(): Promise<Room> {
    const { table } = this.prepared;
    const occupancy = await table.nodes?.occupancy();
    if (!occupancy) return { slots: table.slots, bytes: table.bytes, apart: apartIn(table.resizable?.filling()) };
    const { nodes, perNode, bytes, pairs } = occupancy;
    return { slots: nodes * perNode, bytes, apart: null, pairs };
  }
}

function apartIn(filling: Filling | undefined): number | null {
  const slots = filling?.subTables.map((one) => one.slots);
  return slots ? Math.max(...slots) / Math.min(...slots) : null;
}

function resizeMetrics(resizes: readonly Resizing[]): Metric[] {
  if (resizes.length === 0) return [];
  const sum = (of: "ns" | "upsizes" | "downsizes" | "failed") => resizes.reduce((total, one) => total + one[of], 0);
  const most = (of: "upsizedShare" | "downsizedShare") => Math.max(...resizes.map((one) => one[of]));
  return [
    exact("resize_time", sum("ns")),
    exact("upsizes", sum("upsizes")),
    exact("downsizes", sum("downsizes")),
    exact("failed_resizes", sum("failed")),
    exact("upsized_share", most("upsizedShare")),
    exact("downsized_share", most("downsizedShare")),
  ];
}
