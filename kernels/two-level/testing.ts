/** The bucket function of two-level tables on the host, and keys for its tests. */
import { keyConstants, keyRange } from "../../datasets/random.js";
import { type BucketConstants, drawBuckets } from "./buckets.js";

export const keysFrom = (first: number, count: number) => keyRange(first, count, keyConstants(3));

const BUCKET_PRIME = 334214459;

/** bucket_of of buckets.wgsl. */
export function bucketOf(key: number, { a, b }: BucketConstants, buckets: number): number {
  return (((((a ^ key) >>> 0) + b) % 2 ** 32) % BUCKET_PRIME) % buckets;
}

/** Of keys 0 … those that the first bucket function of the seed puts into one bucket. */
export function colliding(seed: number, count: number, buckets: number): Uint32Array {
  const found: number[] = [];
  const first = drawBuckets(seed, 0);
  for (let i = 0; found.length < count; i++) {
    const [key = 0] = keysFrom(i, 1);
    if (bucketOf(key, first, buckets) === 2) found.push(key);
  }
  return Uint32Array.from(found);
}
