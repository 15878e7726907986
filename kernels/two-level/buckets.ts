/**
 * The phases of the two-level table's construction that bring pairs into the order of their buckets: count, prefix sum,
 * scatter. What is made of a bucket's pairs then is the caller's.
 */

import { Builds, step } from "../common/bulk.js";
import { keptFor } from "../common/kept.js";
import { randomWords } from "../common/random.js";
import { PrefixSum } from "../common/scan.js";
import { fillStep, inCache, lazily, PAIR_BYTES, variant } from "../common/steps.js";
import type { Kernel, Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import type { Pairs } from "../table.js";

/** Slots of a bucket: BUCKET_SLOTS of kernels/two-level/buckets.wgsl. */
export const BUCKET_SLOTS = 576;
/** Keys a bucket can have: BUCKET_KEYS of kernels/two-level/rounds.wgsl. */
export const BUCKET_KEYS = 512;
/** Keys a bucket has on average in the table of 2009, at its fullest. */
export const USUAL_KEYS = 409;

/**
 * Buckets for n keys at a load factor: fewer keys a bucket make a sparser table. An odd number: the bucket function preserves
 * common low bits, so that keys with such would miss some of an even number of buckets.
 */
export function bucketsFor(n: number, loadFactor: number): number {
  const keys = Math.min(USUAL_KEYS, Math.max(1, Math.round(loadFactor * BUCKET_SLOTS)));
  return Math.ceil(n / keys) | 1;
}

/** Bytes that the phases need for n pairs, beside the table: an offset and an item each, a start a bucket. */
export function phaseBytes(n: number, buckets: number, itemBytes = PAIR_BYTES): number {
  return n * (4 + itemBytes) + buckets * 4;
}

/** Parameters of buckets.wgsl but n: `a` and `b` make the bucket function; every bucket draws its own seeds from `draw`. */
export type BucketConstants = { readonly a: number; readonly b: number; readonly draw: number };

/** Constants for an attempt to build the table, by its number. */
export function drawBuckets(seed: number, attempt: number): BucketConstants {
  const next = randomWords(seed + attempt * 0x9e3779b9);
  return { a: next(), b: next() >>> 4, draw: next() };
}

/** Builds of a two-level table. Status: `failed` counts buckets with too many keys, or for which no seed was found. Throws DoesNotFit. */
export function bucketBuilds(gpu: Owner, seed: number): Promise<BucketBuilds> {
  return Builds.make(gpu, {
    draw: (attempt) => drawBuckets(seed, attempt),
    judge: ({ refused, failed, distinct }) => ({ failed: failed > 0, count: refused, distinct }),
  });
}

type BucketBuilds = Builds<BucketConstants>;
/** The kernels' uniform. */
export type BucketParameters = ReturnType<BucketBuilds["functions"]>;

export interface PhaseOptions {
  /** Pairs a bucket may have; if one has more, the scatter does nothing. Default: as many as there are. */
  readonly most?: number;
  /** The items brought into order are keys without their values. Default: pairs. */
  readonly keysOnly?: boolean;
  /** The items are keys, whose values lie apart: in a buffer each, that is no larger than that of the pairs' keys. Default: they are not. */
  readonly apart?: boolean;
  /** Pairs whose value is EMPTY have the key EMPTY among the items. Default: they are as others. */
  readonly refuses?: boolean;
  /** Pairs of a build; the memory for so many stays where it is. Default: it does not. */
  readonly usual?: number;
  readonly counting: boolean;
}

/** The phases for that many buckets. Throws DoesNotFit. */
export async function bucketPhases(gpu: Owner, buckets: number, builds: BucketBuilds, options: PhaseOptions) {
  const { most = 2 ** 32 - 1, keysOnly = false, apart = false, refuses = false, usual = 0, counting } = options;
  const starts = await gpu.alloc("two-level starts", (buckets + 1) * 4);
  const bound = { starts, status: builds.status.buffer };
  const source = (entry: string) => ({
    file: `kernels/two-level/${entry}.wgsl`,
    entry,
    conditions: { KEYS_ONLY: keysOnly, BANKED: apart, REFUSES: refuses },
    constants: { MOST: most },
    sizes: { buckets },
    fixed: inCache(buckets * BUCKET_SLOTS * PAIR_BYTES),
    bound: { ...bound, counts: starts },
  });
  /** Its values are bound where there are some. */
  const scattering = (): Promise<Kernel> => {
    const values = [...(keysOnly ? [] : ["values"]), ...(apart ? ["item_values"] : [])];
    const takes = ["keys", "offsets", "items", "parameters", ...values];
    return variant(gpu, { ...source("scatter"), takes }, counting);
  };
  const kernels = lazily(async () => {
    // It has memory, which is to be there before a kernel is refused: then all is freed.
    const prefixSum = await PrefixSum.make(gpu);
    const [zeroed, count, scatter] = await Promise.all([
      fillStep(gpu, starts, 0),
      variant(gpu, { ...source("count"), takes: ["keys", "offsets", "parameters"] }, counting),
      scattering(),
    ]);
    return { zeroed, count, scatter, prefixSum };
  });
  const scratch = keptFor(gpu, usual, async (own, n) => ({
    items: await own.alloc("two-level items", n * (keysOnly || apart ? 4 : PAIR_BYTES)),
    beside: apart ? { item_values: await own.alloc("two-level values of items", n * 4) } : {},
    offsets: await own.alloc("two-level offsets", n * 4),
  }));
  return {
    /** For kernels after the steps: the builds' status, and `starts`: the items of bucket b are those from starts[b] to starts[b + 1]. */
    bound,
    /**
     * What makes steps that bring up to n pairs into `items`, (key, value) side by side or, apart, with the values `beside`, in the order of
     * their buckets. They write `refused` and `failed` of the builds' status. Throws DoesNotFit.
     */
    async ready(n: number) {
      const { offsets, items, beside } = await scratch.get(n);
      const { zeroed, count, scatter, prefixSum } = await kernels();
      const steps = ({ keys, values, n }: Pairs, parameters: BucketParameters): Step[] => [
        zeroed,
        step(count, n, { keys, offsets, parameters }),
        ...prefixSum.steps(starts, buckets + 1),
        step(scatter, n, { keys, offsets, items, ...beside, parameters, ...(!keysOnly && { values }) }),
      ];
      return { steps, items, beside };
    },
  };
}
