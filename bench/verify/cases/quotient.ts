/** Conformance of quotient's layouts, which follow from the number of buckets: tables of every one, few buckets of which are crowded. */
import { DELETED } from "../../../kernels/common/steps.js";
import { DoesNotFit } from "../../../kernels/device/errors.js";
import type { Gpu } from "../../../kernels/device/gpu.js";
import { keyOfHash } from "../../../kernels/quotient/hash.js";
import { LAYOUTS, leastBuckets, pairsFor } from "../../../kernels/quotient/quotient.js";
import type { TableType } from "../../../kernels/table.js";
import { SEED } from "../bulk.js";
import { type Case, Inconclusive } from "../case.js";
import { valuesFor } from "../draw.js";
import { Harness } from "../harness.js";

const LOAD_FACTOR = 0.8;
/** Buckets that get keys, and how many each gets on average: more than some have room for, in every layout. */
const CROWDED = 3000;
const KEYS_A_BUCKET = 6;

export const cases: readonly Case[] = LAYOUTS.map((layout) => ({
  name: `crowded buckets of ${layout.pairs} pairs`,
  core: true,
  applies: ({ id }) => (id === "quotient" ? "" : "has one layout of its buckets"),
  async check(gpu, type) {
    const buckets = Math.ceil(1.01 * leastBuckets(layout));
    try {
      await crowded(gpu, type, Math.ceil(pairsFor(buckets, LOAD_FACTOR)), Math.min(CROWDED, buckets / 2));
    } catch (error) {
      // Of 6 pairs a table has 512 MiB.
      if (!(error instanceof DoesNotFit)) throw error;
      throw new Inconclusive(error.message);
    }
  },
}));

/** Keys whose first hashes are the smallest, so many a bucket of `buckets`; half of them are inserted and erased in turn. */
async function crowded(gpu: Gpu, type: TableType, n: number, buckets: number): Promise<void> {
  await Harness.on(gpu, type, n, LOAD_FACTOR, async (table) => {
    const all = Math.round((8 * n) / LOAD_FACTOR / 32);
    const hashes = Array.from({ length: buckets * KEYS_A_BUCKET }, (_, i) =>
      Math.floor(((i / KEYS_A_BUCKET) * 2 ** 32) / all),
    );
    const keys = hashes.map((hash) => keyOfHash(hash, SEED)).filter((key) => key < DELETED);
    // Not in the order of their buckets: lanes of a workgroup meet anyway, others then do too.
    const half = (which: number) => keys.filter((key) => ((Math.imul(key, 0x9e3779b1) >>> 31) & 1) === which);
    await table.insert(half(0), valuesFor(half(0), 1));
    await table.find(keys);
    // Each by two lanes side by side.
    const twice = keys.flatMap((key) => [key, key]);
    await table.insert(twice, valuesFor(twice, 2));
    await table.find(keys);
    await table.erase(half(1));
    await table.find(keys);
    await table.insert(half(1), valuesFor(half(1), 3));
    await table.find(keys);
  });
}
