/** Stadium's mixed batches on the device: slices of insertions and of retrievals of what the slice before inserted. */
import { fillStep } from "../../../kernels/common/steps.js";
import { UsageError } from "../../../kernels/device/errors.js";
import type { Gpu } from "../../../kernels/device/gpu.js";
import type { Owner } from "../../../kernels/device/owned.js";
import { MIXED_KINDS, type MixedBatch, type MixedSlice } from "../../../kernels/table.js";
import { firstWrong, poison, runOnce } from "./check.js";
import { type DeviceKeys, digestOf } from "./keys.js";
import { type MixedBuffers, mixedBuffers } from "./mixed.js";
import { writeValues } from "./workload.js";

/** Operations of one kind side by side: GROUP of bench/scenarios/workload/batch.wgsl. */
const GROUP = 32;
const FILE = "bench/scenarios/workload/batch.wgsl";

export interface BatchOptions {
  /** Operations of a slice; half of them, rounded to a multiple of 32, are insertions. */
  readonly slice: number;
  /** Share of every slice's retrievals that ask for present keys, exact but for rounding. */
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

/** A batch, and the check of its answers. Deterministic in a seed. */
export class DeviceBatch implements MixedBatch {
  readonly kinds: GPUBuffer;
  readonly keys: GPUBuffer;
  readonly values: GPUBuffer;
  readonly results: GPUBuffer;

  private constructor(
    private readonly gpu: Gpu,
    { kinds, keys, values, results }: MixedBuffers,
    readonly slices: readonly MixedSlice[],
    readonly operations: number,
    private readonly content: Content,
    /** The plan of batch.wgsl, by the salt. */
    private readonly plan: (salt: number) => ReturnType<typeof planOf>,
  ) {
    this.kinds = kinds;
    this.keys = keys;
    this.values = values;
    this.results = results;
  }

  /** Throws as SlicePlan does, or DoesNotFit. */
  static async make(gpu: Owner, data: DeviceKeys, options: BatchOptions, content: Content): Promise<DeviceBatch> {
    const sliced = new SlicePlan(data.n, options.slice);
    const operations = content === "mixed" ? 2 * data.n : data.n;
    const slices = content === "mixed" ? sliced.mixed() : sliced.of(content);
    const plan = (salt: number) => planOf(sliced, data, options, salt);
    const buffers = await mixedBuffers(gpu, operations);
    const { keys, kinds } = buffers;
    if (content !== "mixed") await gpu.run([await fillStep(gpu, kinds, MIXED_KINDS[content])]);
    const bound = { keys: data.keys, absent: data.absent, batch: keys, kinds, plan: plan(0) };
    await runOnce(gpu, operations, { file: FILE, entry: ENTRIES[content].fill, bound });
    return new DeviceBatch(gpu, buffers, slices, operations, content, plan);
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
    const { gpu, kinds, keys, results, operations, content } = this;
    const bound = { plan: this.plan(salt), asked: keys, answers: results };
    const found = await firstWrong(gpu, operations, { file: FILE, entry: ENTRIES[content].check, bound });
    if (!found) return "";
    const kind = (await found.wordOf(kinds)) === MIXED_KINDS.insert ? "insertion" : "retrieval";
    const answer = await found.answerIn(keys, results);
    return `${found.count} of ${operations} results are wrong, the first for operation ${found.first} (${kind} of ${answer})`;
  }
}

/** Kernels of batch.wgsl. */
const ENTRIES: Readonly<Record<Content, { readonly fill: string; readonly check: string }>> = {
  mixed: { fill: "fill", check: "check" },
  insert: { fill: "insertions", check: "check_insertions" },
  find: { fill: "retrievals", check: "check_retrievals" },
};

/** The plan of batch.wgsl. */
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
