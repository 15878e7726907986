/** Batches of the mixes Γ of the slab hash paper (VI.C) on the device, and the check of every answer and of what they leave. */
import { step } from "../../kernels/common/bulk.js";
import { UsageError } from "../../kernels/device/errors.js";
import type { Gpu } from "../../kernels/device/gpu.js";
import { type Owner, scoped } from "../../kernels/device/owned.js";
import { type Lookups, MIXED_KINDS, type MixedBatch, type MixedSlice, type Pairs } from "../../kernels/table.js";
import { type DeviceKeys, DeviceLookups, digestOf, firstWrong, hex, poison, writeValues } from "./workload.js";

const FILE = "bench/workload/gamma.wgsl";

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

/** What the first batch finds in the table, and all batches: one a slice. Deterministic in the seed. */
export class DeviceGamma implements MixedBatch {
  readonly slices: readonly MixedSlice[];

  private constructor(
    private readonly gpu: Gpu,
    private readonly data: DeviceKeys,
    readonly plan: GammaPlan,
    readonly kinds: GPUBuffer,
    readonly keys: GPUBuffer,
    readonly values: GPUBuffer,
    readonly results: GPUBuffer,
    /** Of the keys that are in the table at first. */
    private readonly firstValues: GPUBuffer,
    /** By cell, the key that is in the table after the last batch. */
    private readonly live: GPUBuffer,
  ) {
    this.slices = plan.slices;
  }

  /** @param data `plan.keys` different keys. Throws DoesNotFit. */
  static async make(gpu: Owner, data: DeviceKeys, plan: GammaPlan): Promise<DeviceGamma> {
    const words = (name: string, count = plan.operations) => gpu.alloc(`${count} ${name}`, count * 4);
    const { pairs } = plan.options;
    const [kinds, keys, values, results] = [
      await words("kinds"),
      await words("keys"),
      await words("values"),
      await words("results"),
    ];
    const [firstValues, live] = [await words("first values", pairs), await words("live keys", pairs)];
    const gamma = new DeviceGamma(gpu, data, plan, kinds, keys, values, results, firstValues, live);
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

  /** 64-bit digests of kinds and keys, hexadecimal. */
  async digest(): Promise<string> {
    const { gpu, kinds, keys, plan } = this;
    return (await digestOf(gpu, kinds, plan.operations)) + (await digestOf(gpu, keys, plan.operations));
  }

  /** Gives every key the value of this salt, and overwrites all results, so that an answer which is not written is seen. */
  async renew(salt: number): Promise<void> {
    const { gpu, keys, values, results, plan, first } = this;
    await Promise.all([
      writeValues(gpu, first.keys, first.values, first.n, salt),
      writeValues(gpu, keys, values, plan.operations, salt),
      poison(gpu, results),
    ]);
  }

  /** Compares every answer of every batch. "" if all are right, else one line. */
  async check(salt: number): Promise<string> {
    const { gpu, keys, results, plan } = this;
    const bound = { asked: keys, answers: results };
    const found = await firstWrong(gpu, async (verdict, own) => {
      const kernel = await own.kernel({ file: FILE, entry: "check", bound, takes: ["plan", "verdict"] });
      return step(kernel, plan.operations, { plan: this.planOf({ salt }), verdict });
    });
    if (!found) return "";
    const kind = await found.wordOf(this.kinds);
    const name = Object.entries(MIXED_KINDS).find(([, number]) => number === kind)?.[0] ?? "operation";
    const answer = await found.answerIn(keys, results);
    return `${found.count} of ${plan.operations} results are wrong, the first for operation ${found.first} (${name} of ${answer})`;
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
    const mark = await own.kernel({ file: FILE, entry: "mark", bound, takes: [] });
    await own.run([step(mark, plan.options.pairs, {})]);
    const kernel = await own.kernel({ file: FILE, entry: "check_left", bound, takes: ["verdict"] });
    const found = await firstWrong(own, async (verdict) => step(kernel, n, { verdict }));
    if (!found) return "";
    const [key, answer] = [await found.wordOf(data.keys), await found.wordOf(results)];
    const expected = (await found.wordOf(left)) ? "is there" : "was erased";
    return `${found.count} of ${n} keys are answered wrongly, the first is key ${hex(key)}, which ${expected}: ${hex(answer)}`;
  }
}
