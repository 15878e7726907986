/** Stadium's mixed batches on the device: slices of insertions and of retrievals of what the slice before inserted. */
import { step } from "../../kernels/common/bulk.js";
import { fillStep } from "../../kernels/common/steps.js";
import { UsageError } from "../../kernels/device/errors.js";
import type { Gpu } from "../../kernels/device/gpu.js";
import type { Owner } from "../../kernels/device/owned.js";
import { MIXED_KINDS, type MixedBatch, type MixedSlice } from "../../kernels/table.js";
import { type DeviceKeys, digestOf, firstWrong, poison, writeValues } from "./workload.js";

/** Operations of one kind side by side: GROUP of bench/workload/batch.wgsl. */
const GROUP = 32;
const FILE = "bench/workload/batch.wgsl";

export interface BatchOptions {
  /** Operations of a slice; half of them, rounded to a multiple of 32, are insertions. */
  readonly slice: number;
  /** Of the retrievals of every slice exactly this share, rounded, asks for present keys. */
  readonly positiveRatio: number;
  readonly seed: number;
}

/** How n insertions and n retrievals are spread over slices. Throws a UsageError for a slice of fewer than 2 operations. */
export class SlicePlan {
  /** Insertions of a slice, but for the last ones. */
  readonly half: number;
  /** Slices that have insertions. */
  readonly inserting: number;

  constructor(
    readonly n: number,
    slice: number,
  ) {
    if (!(Number.isSafeInteger(slice) && slice >= 2)) throw new UsageError(`slice is ${slice}; it takes 2 or more`);
    this.half = Math.max(1, Math.round(slice / 2 / GROUP)) * GROUP;
    this.inserting = Math.ceil(n / this.half);
  }

  /** Insertions before slice s. */
  private before(s: number): number {
    return Math.min(Math.max(0, s) * this.half, this.n);
  }

  /** The slices of the batch: the first one has insertions only, the last one retrievals only. */
  mixed(): MixedSlice[] {
    return Array.from({ length: this.inserting + 1 }, (_, s) => {
      const first = this.before(s) + this.before(s - 1);
      const count = this.before(s + 1) + this.before(s) - first;
      return { first, count, ...(s === 0 ? { only: "insert" } : s === this.inserting ? { only: "find" } : {}) };
    });
  }

  /** The same slices, with operations of one kind only. */
  of(only: "insert" | "find"): MixedSlice[] {
    return Array.from({ length: this.inserting }, (_, s) => {
      return { first: this.before(s), count: this.before(s + 1) - this.before(s), only };
    });
  }
}

/** `mixed`: n insertions and n retrievals. `insert`, `find`: those of one kind alone, in the same slices. */
type Content = "mixed" | "insert" | "find";

/** A batch on the device, deterministic in the seed, and the check of its answers. */
export class DeviceBatch implements MixedBatch {
  private constructor(
    private readonly gpu: Gpu,
    private readonly data: DeviceKeys,
    private readonly content: Content,
    /** Of batch.wgsl, by the salt. */
    private readonly plan: (salt: number) => BatchPlan,
    readonly slices: readonly MixedSlice[],
    readonly operations: number,
    readonly kinds: GPUBuffer,
    readonly keys: GPUBuffer,
    readonly values: GPUBuffer,
    readonly results: GPUBuffer,
  ) {}

  /** Throws as SlicePlan does, or DoesNotFit. */
  static async make(gpu: Owner, data: DeviceKeys, options: BatchOptions, content: Content): Promise<DeviceBatch> {
    const plan = new SlicePlan(data.n, options.slice);
    const operations = content === "mixed" ? 2 * data.n : data.n;
    const slices = content === "mixed" ? plan.mixed() : plan.of(content);
    const words = (name: string) => gpu.alloc(`${operations} ${name}`, operations * 4);
    const [kinds, keys] = [await words("kinds"), await words("keys")];
    const [values, results] = [await words("values"), await words("results")];
    const planned = (salt: number) => planOf(plan, data, options, salt);
    const batch = new DeviceBatch(gpu, data, content, planned, slices, operations, kinds, keys, values, results);
    await batch.fill(gpu);
    return batch;
  }

  private async fill(gpu: Owner): Promise<void> {
    const { data, content, kinds, keys, operations } = this;
    if (content !== "mixed") await gpu.run([await fillStep(gpu, kinds, MIXED_KINDS[content])]);
    const bound = { keys: data.keys, absent: data.absent, batch: keys, kinds };
    const kernel = await gpu.kernel({ file: FILE, entry: ENTRIES[content].fill, bound, takes: ["plan"] });
    await gpu.run([step(kernel, operations, { plan: this.plan(0) })]);
  }

  /** 64-bit digests of kinds and keys, hexadecimal. */
  async digest(): Promise<string> {
    const { gpu, kinds, keys, operations } = this;
    return (await digestOf(gpu, kinds, operations)) + (await digestOf(gpu, keys, operations));
  }

  /** Gives every key the value of this salt, and overwrites all results, so that an answer which is not written is seen. */
  async renew(salt: number): Promise<void> {
    const { gpu, keys, values, results, operations } = this;
    await Promise.all([writeValues(gpu, keys, values, operations, salt), poison(gpu, results)]);
  }

  /** Compares every answer. "" if all are right, else one line. */
  async check(salt: number): Promise<string> {
    const { gpu, keys, results, operations } = this;
    const bound = { asked: keys, answers: results };
    const found = await firstWrong(gpu, async (verdict, own) => {
      const entry = ENTRIES[this.content].check;
      const kernel = await own.kernel({ file: FILE, entry, bound, takes: ["plan", "verdict"] });
      return step(kernel, operations, { plan: this.plan(salt), verdict });
    });
    if (!found) return "";
    const name = (await found.wordOf(this.kinds)) === MIXED_KINDS.insert ? "insertion" : "retrieval";
    const answer = await found.answerIn(keys, results);
    return `${found.count} of ${operations} results are wrong, the first for operation ${found.first} (${name} of ${answer})`;
  }
}

/** Kernels of batch.wgsl. */
const ENTRIES: Readonly<Record<Content, { readonly fill: string; readonly check: string }>> = {
  mixed: { fill: "fill", check: "check" },
  insert: { fill: "insertions", check: "check_insertions" },
  find: { fill: "retrievals", check: "check_retrievals" },
};

type BatchPlan = ReturnType<typeof planOf>;

/** Of batch.wgsl. */
function planOf({ n, half, inserting }: SlicePlan, { pool }: DeviceKeys, options: BatchOptions, salt: number) {
  const positives = (retrievals: number) => Math.round(retrievals * options.positiveRatio);
  return {
    n,
    half,
    slices: inserting,
    positives: positives(half),
    last_positives: positives(n - (inserting - 1) * half),
    seed: options.seed,
    pool,
    salt,
  };
}
