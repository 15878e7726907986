/** Batches of the mixes Γ of the slab hash paper (VI.C) on the device, and the check of every answer and of what they leave. */
import { step } from "../../../kernels/common/bulk.js";
import { UsageError } from "../../../kernels/device/errors.js";
import type { Gpu } from "../../../kernels/device/gpu.js";
import { type Owner, scoped } from "../../../kernels/device/owned.js";
import type { Lookups, MixedSlice, Pairs } from "../../../kernels/table.js";
import { firstWrong, hex, poison, runOnce } from "./check.js";
import type { DeviceKeys } from "./keys.js";
import { DeviceMixed, type MixedBuffers, mixedBuffers } from "./mixed.js";
import { DeviceLookups, writeValues } from "./workload.js";

const FILE = "bench/scenarios/workload/gamma.wgsl";

export interface GammaOptions {
  /** Pairs in the table before and after every batch. */
  readonly pairs: number;
  /** Operations of a batch. */
  readonly batch: number;
  readonly batches: number;
  /** Share of insertions and erasures, as many of each; half of the other operations ask for present keys. */
  readonly updates: number;
  readonly seed: number;
  /** The table is a set: a present key is answered by 1. */
  readonly member: boolean;
}

/** How many operations of each kind a batch has. Throws a UsageError for sizes that do not go together. */
export class GammaPlan {
  /** Insertions of a batch, and erasures. */
  readonly updates: number;
  /** Searches for present keys. */
  readonly present: number;

  constructor(readonly options: GammaOptions) {
    const { pairs, batch, updates } = options;
    this.updates = Math.round((batch * updates) / 2);
    this.present = Math.floor((batch - 2 * this.updates) / 2);
    if (2 * this.updates > batch) throw new UsageError(`batch is ${batch}: half of its updates are insertions`);
    // A batch erases keys that it does not search for.
    if (pairs < this.updates + Math.min(1, this.present)) {
      throw new UsageError(`a batch erases ${this.updates} keys of ${pairs}: make batch smaller`);
    }
  }

  get operations(): number {
    return this.options.batch * this.options.batches;
  }

  /** Keys of the stream: those in the table at first, then those that the batches insert, one after another. */
  get keys(): number {
    return this.options.pairs + this.updates * this.options.batches;
  }

  get slices(): MixedSlice[] {
    const { batch, batches } = this.options;
    return Array.from({ length: batches }, (_, b) => ({ first: b * batch, count: batch }));
  }
}

/** What the first batch finds in the table, and all batches: one a slice. */
export class DeviceGamma extends DeviceMixed {
  private constructor(
    gpu: Gpu,
    buffers: MixedBuffers,
    readonly plan: GammaPlan,
    private readonly data: DeviceKeys,
    /** Of the keys that are in the table at first. */
    private readonly firstValues: GPUBuffer,
    /** By cell, the key that is in the table after the last batch. */
    private readonly live: GPUBuffer,
  ) {
    super(gpu, buffers, plan.slices, plan.operations);
  }

  /** @param data `plan.keys` different keys. Throws DoesNotFit. */
  static async make(gpu: Owner, data: DeviceKeys, plan: GammaPlan): Promise<DeviceGamma> {
    const { pairs } = plan.options;
    const buffers = await mixedBuffers(gpu, plan.operations);
    const words = (name: string) => gpu.alloc(`${pairs} ${name}`, pairs * 4);
    const [firstValues, live] = [await words("first values"), await words("live keys")];
    const gamma = new DeviceGamma(gpu, buffers, plan, data, firstValues, live);
    await gamma.fill(gpu);
    return gamma;
  }

  private async fill(gpu: Owner): Promise<void> {
    const { data, plan, kinds, keys, live } = this;
    const { pairs, batch } = plan.options;
    const bound = { stream: data.keys, absent: data.absent, keys, kinds, live };
    const kernel = (entry: string) => gpu.kernel({ file: FILE, entry, bound, takes: ["plan"] });
    const [begin, fill] = [await kernel("begin"), await kernel("fill")];
    await gpu.run([
      step(begin, pairs, { plan: this.planOf() }),
      ...plan.slices.map((_, number) => step(fill, batch, { plan: this.planOf({ number }) })),
    ]);
  }

  /** Of gamma.wgsl. */
  private planOf({ number = 0, salt = 0 } = {}) {
    const { updates, present, options } = this.plan;
    const { pairs, batch, batches, seed, member } = options;
    const { pool } = this.data;
    return { pairs, batch, updates, present, batches, number, seed, pool, salt, member: member ? 1 : 0 };
  }

  /** What is in the table before the first batch. */
  get first(): Pairs {
    return { keys: this.data.keys, values: this.firstValues, n: this.plan.options.pairs };
  }

  override async renew(salt: number): Promise<void> {
    const { keys, values, n } = this.first;
    await Promise.all([super.renew(salt), writeValues(this.gpu, keys, values, n, salt)]);
  }

  /** Compares every answer of every batch. "" if all are right, else one line. */
  check(salt: number): Promise<string> {
    return this.compare({ file: FILE, entry: "check", bound: { plan: this.planOf({ salt }) } }, (kind) => kind);
  }

  /**
   * Asks for every key that ever was in the table, and for keys that never were: after the last batch exactly those are
   * there that were not erased. "" if so, else one line.
   */
  async checkLeft(find: (lookups: Lookups) => Promise<unknown>, salt: number): Promise<string> {
    const { gpu, data, plan } = this;
    const n = plan.keys;
    return scoped(gpu, async (own) => {
      const results = await own.alloc(`${n} results`, n * 4);
      await poison(own, results);
      await find({ keys: data.keys, results, n });
      const wrong = await this.checkStream(own, results, salt);
      if (wrong) return wrong;
      const never = { lookups: data.pool, positiveRatio: 0, seed: plan.options.seed, eachOnce: false };
      const lookups = await DeviceLookups.make(own, data, never);
      await lookups.poison();
      await find(lookups);
      return lookups.check(salt);
    });
  }

  private async checkStream(own: Owner, results: GPUBuffer, salt: number): Promise<string> {
    const { data, live, plan } = this;
    const n = plan.keys;
    const left = await own.alloc(`${n} marks`, n * 4);
    await own.zero(left);
    const bound = { plan: this.planOf({ salt }), live, left, asked: data.keys, answers: results };
    await runOnce(own, plan.options.pairs, { file: FILE, entry: "mark", bound });
    const found = await firstWrong(own, n, { file: FILE, entry: "check_left", bound });
    if (!found) return "";
    const [key, answer] = [await found.wordOf(data.keys), await found.wordOf(results)];
    const expected = (await found.wordOf(left)) ? "is there" : "was erased";
    return `${found.count} of ${n} keys are answered wrongly, the first is key ${hex(key)}, which ${expected}: ${hex(answer)}`;
  }
}
