/** Stadium's mixed batches on the device: slices of insertions and of retrievals of what the slice before inserted. */
import { fillStep } from "../../../kernels/common/steps.js";
import { UsageError } from "../../../kernels/device/errors.js";
import type { Owner } from "../../../kernels/device/owned.js";
import { MIXED_KINDS, type MixedSlice } from "../../../kernels/table.js";
import { firstWrong, poison, runOnce } from "./check.js";
import { type DeviceKeys, digestOf } from "./keys.js";
import { mixedBuffers } from "./mixed.js";
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
export function slicesOf(n: number, slice: number) {
  if (!(Number.isSafeInteger(slice) && slice >= 2)) throw new UsageError(`slice is ${slice}; it takes 2 or more`);
  const half = Math.max(1, Math.round(slice / 2 / GROUP)) * GROUP;
  const inserting = Math.ceil(n / half);
  /** Insertions before slice s. */
  const before = (s: number) => Math.min(Math.max(0, s) * half, n);
  return {
    /** Insertions of a slice, but for the last ones. */
    half,
    /** Slices that have insertions. */
    inserting,
    /** The slices of the batch: the first one has insertions only, the last one retrievals only. */
    mixed: (): MixedSlice[] =>
      Array.from({ length: inserting + 1 }, (_, s) => {
        const first = before(s) + before(s - 1);
        const count = before(s + 1) + before(s) - first;
        return { first, count, ...(s === 0 ? { only: "insert" } : s === inserting ? { only: "find" } : {}) };
      }),
    /** The same slices, with operations of one kind only. */
    of: (only: "insert" | "find"): MixedSlice[] =>
      Array.from({ length: inserting }, (_, s) => ({ first: before(s), count: before(s + 1) - before(s), only })),
  };
}

/** `mixed`: n insertions and n retrievals. `insert`, `find`: those of one kind alone, in the same slices. */
type Content = "mixed" | "insert" | "find";

/** Kernels of batch.wgsl. */
const ENTRIES: Readonly<Record<Content, { readonly fill: string; readonly check: string }>> = {
  mixed: { fill: "fill", check: "check" },
  insert: { fill: "insertions", check: "check_insertions" },
  find: { fill: "retrievals", check: "check_retrievals" },
};

export type DeviceBatch = Awaited<ReturnType<typeof deviceBatch>>;

/** A batch, and the check of its answers. Deterministic in a seed. Throws as slicesOf does, or DoesNotFit. */
export async function deviceBatch(gpu: Owner, data: DeviceKeys, options: BatchOptions, content: Content) {
  const { n, pool } = data;
  const { half, inserting, mixed, of } = slicesOf(n, options.slice);
  const operations = content === "mixed" ? 2 * n : n;
  const positives = (retrievals: number) => Math.round(retrievals * options.positiveRatio);
  /** The plan of batch.wgsl. */
  const planOf = (salt: number) => ({
    n,
    half,
    slices: inserting,
    positives: positives(half),
    last_positives: positives(n - (inserting - 1) * half),
    seed: options.seed,
    pool,
    salt,
  });
  const buffers = await mixedBuffers(gpu, operations);
  const { keys, kinds, values, results } = buffers;
  if (content !== "mixed") await gpu.run([await fillStep(gpu, kinds, MIXED_KINDS[content])]);
  const filled = { keys: data.keys, absent: data.absent, batch: keys, kinds, plan: planOf(0) };
  await runOnce(gpu, operations, { file: FILE, entry: ENTRIES[content].fill, bound: filled });
  return {
    ...buffers,
    slices: content === "mixed" ? mixed() : of(content),
    operations,
    /** 64-bit digests of kinds and keys, hexadecimal. */
    digest: async () => (await digestOf(gpu, kinds, operations)) + (await digestOf(gpu, keys, operations)),
    /** Gives every key the value of this salt, and overwrites all results, so that an answer which is not written is seen. */
    renew: (salt: number) => Promise.all([writeValues(gpu, keys, values, operations, salt), poison(gpu, results)]),
    /** Compares every answer. "" if all are right, else one line. */
    async check(salt: number): Promise<string> {
      const bound = { plan: planOf(salt), asked: keys, answers: results };
      const found = await firstWrong(gpu, operations, { file: FILE, entry: ENTRIES[content].check, bound });
      if (!found) return "";
      const kind = (await found.wordOf(kinds)) === MIXED_KINDS.insert ? "insertion" : "retrieval";
      const answer = await found.answerIn(keys, results);
      return `${found.count} of ${operations} results are wrong, the first for operation ${found.first} (${kind} of ${answer})`;
    },
  };
}
