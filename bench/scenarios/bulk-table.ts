/** A table that takes all pairs of a data set, or parts of them, in bulk: what the operations of the benchmark `table` work on. */
import { UsageError } from "../../kernels/device/errors.js";
import { Owner, scoped } from "../../kernels/device/owned.js";
import { type LookupOp, shapeOf } from "../../kernels/operations.js";
import type { GpuTable, RunSteps } from "../../kernels/table.js";
import type { CellSpec } from "../base/experiment.js";
import { exact, type Metric } from "../results/metrics.js";
import type { BenchContext } from "./benchmark.js";
import type { CellTable } from "./cell-table.js";
import { lookupsOf } from "./parameters.js";
import { PreparedTable } from "./prepared-table.js";
import { wayBack } from "./snapshot.js";
import { type DeviceKeys, uniqueAhead } from "./workload/keys.js";
import { checkDifferent, type DevicePairs, devicePairs } from "./workload/pairs.js";
import { findStored, type Stored } from "./workload/stored.js";
import { type DeviceLookups, deviceLookups } from "./workload/workload.js";

/** The data set, with its skew. */
export function datasetOf({ dataset, params }: CellSpec): string {
  return params.skew === undefined ? dataset : `${dataset}:${params.skew}`;
}

export class BulkTable {
  private constructor(
    readonly prepared: PreparedTable,
    readonly data: DeviceKeys,
    private readonly gpu: Owner,
    private readonly pairs: DevicePairs,
    /** Buffers that the table keeps between operations. */
    private readonly memory: readonly GPUBuffer[],
  ) {}

  /**
   * @param inParts whether the input may be inserted in parts, one after another
   * Throws DoesNotFit, or a UsageError for data that the table does not take.
   */
  static async make(of: CellTable, { gpu, keys }: BenchContext, inParts: boolean): Promise<BulkTable> {
    const { cell, type } = of;
    const { refuses, keysOnly } = type;
    const dataset = datasetOf(cell);
    const own = new Owner(gpu);
    const create = async (n: number): Promise<GpuTable> => {
      const table = await of.create(own, { n });
      of.checkFilled(n, table);
      return table;
    };
    // Before any data are made, where it can be: a table that does not fit needs none.
    const unique = uniqueAhead(dataset, cell.n);
    const ahead = unique === null ? null : await create(unique);
    const data = await keys.get(dataset, cell.n, cell.seed, inParts && type.incremental && !refuses && !keysOnly);
    if (!type.duplicates) checkDifferent(data, `${type.id} takes every key once`);
    if (refuses && keysOnly) throw new UsageError(`${type.id}: without values nothing tells what it refused`);
    if (refuses && data.unique < data.n)
      throw new UsageError(`${type.id}: of pairs that it may refuse every key is inserted once`);
    const table = ahead ?? (await create(data.unique));
    const memory = own.storage();
    const pairs = await devicePairs(gpu, data);
    return new BulkTable(new PreparedTable(of, gpu, table, pairs), data, gpu, pairs, memory);
  }

  /**
   * Inserts all pairs; nanoseconds. Throws an Error if a table that may
   * refuse pairs has refused all of them: a build that gave up has no rate, nor have searches in what it left.
   */
  async build(run: RunSteps = this.prepared.time): Promise<number> {
    const { prepared } = this;
    let sum = 0;
    for (const pairs of this.pairs.parts) {
      const { ns, count } = await prepared.insert(run, pairs, { mayRefuse: prepared.of.type.refuses });
      if (count > 0 && count === pairs.n) throw new Error(`all of ${count} pairs found no slot`);
      sum += ns;
    }
    return sum;
  }

  /** Empties the table, and inserts all pairs. */
  async fill(): Promise<void> {
    await this.prepared.renew();
    await this.build();
  }

  /** A reset to the table that holds all pairs: built once and put back from then on, where the table can be. */
  resetToFull(): () => Promise<void> {
    const { prepared } = this;
    let back: (() => Promise<boolean>) | null = null;
    return async () => {
      if (await back?.()) return;
      await this.fill();
      back = await wayBack(this.gpu, prepared.table, this.memory);
    };
  }

  /** Queries for every key of the input once, in random order. */
  everyKey(): Promise<DeviceLookups> {
    const { data, prepared } = this;
    const { seed } = prepared.of.cell;
    return deviceLookups(this.gpu, data, { lookups: data.n, positiveRatio: 1, seed, eachOnce: true });
  }

  /** The queries of a cell, which other cells may ask too. */
  lookupsOf(cell: CellSpec, gpu: Owner): Promise<DeviceLookups> {
    const { params, positiveRatio, seed } = cell;
    const eachOnce = params.lookups === undefined && positiveRatio === 1;
    const order = params.disorder === undefined ? {} : { disorder: Number(params.disorder) };
    const options = { lookups: lookupsOf(cell), positiveRatio: positiveRatio ?? 1, seed, eachOnce, ...order };
    return deviceLookups(gpu, this.data, options);
  }

  /** Asks the table and checks every answer. */
  check(lookups: DeviceLookups, op: LookupOp): Promise<string> {
    const { prepared } = this;
    return this.checked(async (known) => {
      await lookups.poison();
      await prepared.does(op)(prepared.time, lookups);
      return lookups.check(prepared.salt, known, shapeOf(op).answers);
    });
  }

  /** Every key of the input must be found with its newest value, unless the table refused it, and no other key. */
  checkAll(): Promise<string> {
    return this.checked((known) => this.prepared.checkEvery(this.data, known));
  }

  /** @param check is told what a table answers that refuses pairs, or that has no values. */
  private checked(check: (known?: GPUBuffer) => Promise<string>): Promise<string> {
    const { data, prepared, gpu } = this;
    const { refuses, keysOnly } = prepared.of.type;
    if (!refuses) return check(keysOnly ? data.keys : undefined);
    return scoped(gpu, async (own) => {
      const { wrong, answers } = await this.stored(own, prepared.refused);
      return wrong || check(answers);
    });
  }

  /** Asks for every key of the input, of which so many are to be absent. @param own owns the answers */
  stored(own: Owner, absent: number): Promise<Stored> {
    const { salt, find } = this.prepared;
    return findStored(own, this.data, { inserted: this.data.n, refused: absent, salt }, find);
  }

  /** What every cell of an operation has. @param cell asks it, where the table serves several */
  common(op: string, cell?: CellSpec) {
    const { prepared, data } = this;
    return {
      access: prepared.access(op, cell),
      heldPerPair: () => prepared.heldPerPair(data.unique),
    };
  }

  /** Metrics of the builds so far. */
  async built(): Promise<Metric[]> {
    const { prepared, data } = this;
    const { refused, overflowed, restarts } = prepared;
    return [
      ...(await prepared.occupancy(data.unique - refused)),
      ...(prepared.of.type.refuses ? [exact("refused_share", refused / data.n)] : []),
      ...(overflowed === null ? [] : [exact("overflow_share", overflowed / data.n)]),
      exact("restarts", restarts),
    ];
  }
}
