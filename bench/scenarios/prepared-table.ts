/** A cell's table on the device, and what the benchmarks of GPU tables do with it. */
import type { Owner } from "../../kernels/device/owned.js";
import type { LookupOp } from "../../kernels/operations.js";
import type { GpuTable, Lookups, OpResult, Pairs, RunSteps, TableOp } from "../../kernels/table.js";
import type { CellSpec } from "../base/experiment.js";
import {
  type Counts,
  countedOf,
  countingRunner,
  countMetrics,
  type RequestedTable,
} from "../measure/counting/counters.js";
import { repeating } from "../measure/repeating.js";
import type { Sampled } from "../measure/sampled.js";
import { exact, type Metric } from "../results/metrics.js";
import type { Access, BenchContext } from "./benchmark.js";
import { type CellTable, PARTS } from "./cell-table.js";
import type { DeviceKeys } from "./workload/keys.js";
import { checkDifferent, devicePairs } from "./workload/pairs.js";
import { checkEvery } from "./workload/workload.js";

/** Keys that a table is filled with or asked for. Their values are functions of a salt. */
interface Contents {
  renew(salt: number): Promise<unknown>;
}

/** How an insertion is made, where it is not of pairs that all have to get into the table. */
interface Inserting {
  /** Names the items. Default: the number of pairs. */
  readonly what?: string;
  /** Pairs without a slot are counted, and no error. */
  readonly mayRefuse?: boolean;
}

/** An operation that is under way. */
interface Begun {
  readonly done: Promise<OpResult>;
}

export class PreparedTable {
  /** Tells the values of this build from those of the builds before it. */
  salt: number;
  /** Builds that were begun again. */
  restarts = 0;
  /** Pairs that the table refused since it was empty. */
  refused = 0;
  /** Pairs whose bucket was full since it was empty; null of tables that do not say. */
  overflowed: number | null = null;

  constructor(
    readonly of: CellTable,
    private readonly gpu: Owner,
    readonly table: GpuTable,
    /** Left out where whoever fills the table writes the values. */
    private readonly contents?: Contents,
  ) {
    this.salt = of.cell.seed;
  }

  readonly time: RunSteps = (...pass) => this.gpu.time(...pass);
  /** Times passes in runs of many passes. */
  readonly timeNext: RunSteps = (...pass) => this.gpu.timeNext(...pass);
  /** Times passes that are submitted with the next ones, which have to follow. */
  readonly timeDeferred: RunSteps = (...pass) => this.gpu.timeDeferred(...pass);
  readonly find = (lookups: Lookups): Promise<OpResult> => this.table.find(this.time, lookups);

  /**
   * Empties the table, and gives every pair another value than it had; of a table outside the value before that, so that its program
   * has all of them after two builds.
   */
  async renew(): Promise<void> {
    const { seed } = this.of.cell;
    this.salt = this.table.outside && this.salt !== seed ? seed : (this.salt + 0x9e3779b9) >>> 0;
    this.refused = 0;
    this.overflowed = null;
    // At the same time: the two are independent.
    await Promise.all([this.contents?.renew(this.salt), this.table.clear()]);
  }

  /** Throws an Error if not all pairs got in, unless some may be refused. */
  async insert(run: RunSteps, pairs: Pairs, { what, mayRefuse }: Inserting = {}): Promise<OpResult> {
    const result = await this.table.insert(run, pairs);
    if (result.count > 0 && !mayRefuse)
      throw new Error(`${result.count} of ${what ?? `${pairs.n} pairs`} found no slot`);
    this.refused += result.count;
    if (result.overflowed !== undefined) this.overflowed = (this.overflowed ?? 0) + result.overflowed;
    this.restarts += result.restarts;
    return result;
  }

  /**
   * Resolves once an operation's first pass is submitted, or is to be, before it ends; of an operation that runs no pass, such as one of a
   * table outside, once it has ended.
   * @param first Of its first pass. Those after it may be waited for.
   */
  async begin(operation: (run: RunSteps) => Promise<OpResult>, first = this.timeNext): Promise<Begun> {
    let time = first;
    let submitted: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      submitted = resolve;
    });
    const done = operation((...pass) => {
      const timed = time(...pass);
      time = this.timeNext;
      submitted();
      return timed;
    });
    await Promise.race([begun, done]);
    return { done };
  }

  /** Whether the table is sure to keep its size when up to `erased` of its keys are erased, so that nobody has to wait for the erasure. */
  stays(erased: number): boolean {
    return !this.timesAlone && this.table.resizable?.stays(erased) === true;
  }

  /** Whether passes are timed one by one on an idle device, so that nothing may be submitted behind one before it has ended. */
  get timesAlone(): boolean {
    return this.gpu.info.clock?.kind === "wall";
  }

  /** An operation of the table. Throws an Error if there is none, though the cell's table lists it. */
  does<Op extends TableOp>(op: Op): NonNullable<GpuTable[Op]> {
    const does = this.table[op];
    if (!does) throw new Error(`${this.of.type.id} lists ${op} among its operations and has none`);
    return does.bind(this.table) as NonNullable<GpuTable[Op]>;
  }

  /** Samples of a retrieval, several of which may share a pass. */
  searches(lookups: Lookups, op: LookupOp = "find"): Sampled {
    const { outside } = this.table;
    if (outside && op === "find")
      return { mutates: false, repeats: false, sample: async () => (await outside.find(lookups)).ns };
    return {
      mutates: false,
      repeats: true,
      sample: async (repetitions = 1) => (await this.does(op)(repeating(this.gpu, repetitions), lookups)).ns,
    };
  }

  /** Asks for every key, and for all of the absent pool: each has to be found with its newest value, or not at all. */
  checkEvery(data: DeviceKeys, known?: GPUBuffer): Promise<string> {
    const { gpu, find, salt, of } = this;
    return checkEvery(gpu, data, find, { seed: of.cell.seed, salt, known });
  }

  /** Does `work` by counting kernels. */
  async counted(work: (run: RunSteps) => Promise<unknown>): Promise<Counts> {
    const { run, counts } = countingRunner(this.gpu);
    await work(run);
    return counts;
  }

  /** The counters of `work`, which has so many operations. Empty for a table without kernels. */
  async count(operations: number, work: (run: RunSteps) => Promise<unknown>): Promise<Metric[]> {
    return this.table.outside ? [] : countMetrics(await this.counted(work), operations);
  }

  /** Those of the first n of `all` operations, as many as are counted. @param from As in `countMetrics`. */
  async countSome(
    all: number,
    work: (run: RunSteps, n: number) => Promise<unknown>,
    from?: RequestedTable,
  ): Promise<Metric[]> {
    if (this.table.outside) return [];
    const n = countedOf(all);
    return countMetrics(await this.counted((run) => work(run, n)), n, from, all);
  }

  /** Bytes that it holds for each of n different keys that were inserted. A table outside says what it has; others are declared. */
  heldPerPair(n: number): number {
    const { table, refused, of } = this;
    return table.outside ? table.bytes / (n - refused) : of.heldPerPair(n, refused);
  }

  /** The access that the operation cannot avoid, and where it goes. @param cell asks it, where the table serves several */
  access(op: string, cell?: CellSpec): Access | null {
    const access = this.of.access(op, cell);
    if (!access) return null;
    const { pattern, times = 1, ofIndex } = access;
    const { bytes, storage: { reads } = {} } = this.table;
    const parts = Number(this.of.cell.params[PARTS.name] ?? 1);
    const tableBytes = (ofIndex ? reads?.indexBytes : reads?.partBytes) ?? bytes / parts;
    return { pattern, times, tableBytes, ...(ofIndex && { ofIndex }) };
  }

  /**
   * How full the table is, by its slots or, of tables of linked nodes, by its memory.
   * @param distinct Pairs, or keys of a set, that it holds.
   */
  async occupancy(distinct: number): Promise<Metric[]> {
    const occupancy = await this.table.nodes?.occupancy();
    if (!occupancy) return [exact("load_factor_reached", distinct / this.table.slots)];
    const { pairs, lists, perNode, utilisation } = occupancy;
    return [exact("memory_utilisation", utilisation), exact("average_slab_count", pairs / (lists * perNode))];
  }
}

/**
 * An empty table for the pairs of the cell's data set, whose values are written by `renew`. Throws DoesNotFit.
 * @param different why all keys have to be; a UsageError begins with it. Left out: keys may repeat.
 */
export async function preparePairs(of: CellTable, { gpu, keys }: BenchContext, different?: string) {
  const { dataset, n, seed } = of.cell;
  const data = await keys.get(dataset, n, seed);
  if (different) checkDifferent(data, different);
  const table = await of.create(gpu, { n: data.unique });
  const pairs = await devicePairs(gpu, data);
  return { data, table, pairs: pairs.all, prepared: new PreparedTable(of, gpu, table, pairs) };
}
