/** Buckets of quotiented keys. See README.md. */

import { further } from "../common/further.js";
import { KEYED, roundKeysFor } from "../common/keyed.js";
import { type Further, hostParts, type Inserting, type Plan, planned } from "../common/planned.js";
import { PAIR_BYTES } from "../common/steps.js";
import { declare, oneOf, type ParamsOf } from "../declare.js";
import { defineTable } from "../define.js";
import type { Owner } from "../device/owned.js";
import {
  ONE_PASS_BUCKETS,
  PARTITIONED,
  type Partitioning,
  partitionedAccess,
  partitionedBuild,
} from "../partitioned/partitioned.js";
import type { GpuTable, Making, TableType } from "../table.js";

const BUCKET_BYTES = 32;
/** STASH_PROBES of kernels/quotient/layout.wgsl: a smaller stash would be probed twice. */
const LEAST_STASH = 64;
/**
 * Larger insertions have two passes, where the parameter leaves it open: 14.0 G insertions/s in place of 12.3 in 1 GiB on an H200. In a cache
 * one is faster, and of fewer pairs a second dispatch costs more than it gains.
 */
const TWO_PASSES = { bytes: 2 ** 28, pairs: 2 ** 20 };
/** Pairs that the stash has a slot for; measured need: results/studies/quotient.md. */
const PAIRS_PER_STASH_SLOT = 256;

/** What a bucket holds; `remainderBits` as layout.wgsl has them. */
interface Layout {
  readonly pairs: number;
  readonly remainderBits: number;
}

/** The fullest first. */
export const LAYOUTS = [
  { pairs: 6, remainderBits: 8 },
  { pairs: 5, remainderBits: 12 },
  { pairs: 4, remainderBits: 25 },
] as const satisfies readonly Layout[];

/** With fewer buckets two keys of a bucket could have one remainder. */
export const leastBuckets = ({ remainderBits }: Layout) => 2 ** (32 - remainderBits);

const SMALLEST = LAYOUTS[2];

export const parameters = declare({
  partitioned: PARTITIONED,
  keyed: KEYED,
  passes: oneOf([0, 1, 2, 3, 4], {
    default: 0,
    meaning:
      "equal parts of the table that an insertion visits one after another; 0: two, of 2^20 pairs and more beyond 256 MiB, else one; in host memory, for searches too, parts of 256 MiB",
  }),
});

/** Sizes of a table of 8 · n / loadFactor bytes or, where that is less than the smallest one, of the smallest. */
function sizesFor(n: number, loadFactor: number): { readonly buckets: number; readonly stash: number } {
  // An even number: a vec4 of the table is two slots of the stash.
  const stash = 2 * Math.ceil(Math.max(LEAST_STASH, n / PAIRS_PER_STASH_SLOT) / 2);
  const bytes = (PAIR_BYTES * n) / loadFactor - PAIR_BYTES * stash;
  // Buckets lie in pairs.
  const buckets = 2 * Math.ceil(bytes / (2 * BUCKET_BYTES));
  return { buckets: Math.max(leastBuckets(SMALLEST), buckets), stash };
}

/** Pairs for which a table of so many buckets is made, at a load factor. */
export function pairsFor(buckets: number, loadFactor: number): number {
  return (BUCKET_BYTES * buckets) / (PAIR_BYTES / loadFactor - PAIR_BYTES / PAIRS_PER_STASH_SLOT);
}

/** The layout with the most pairs that so many buckets allow. */
export function layoutFor(buckets: number): Layout {
  return LAYOUTS.find((layout) => buckets >= leastBuckets(layout)) ?? SMALLEST;
}

/**
 * A table of so many buckets, an even number, and slots of its stash. The layout is not checked against the number of buckets: keys may
 * then have to be chosen such that no two have the same hashes.
 */
export function createBuckets(
  gpu: Owner,
  { pairs }: Layout,
  {
    buckets,
    stash,
    seed,
    secret,
    params,
    counting,
    build,
    further,
  }: Pick<Making, "seed" | "secret" | "counting"> &
    Pick<Inserting, "build"> &
    ReturnType<typeof sizesFor> & {
      readonly params: ParamsOf<typeof parameters>;
      readonly further?: Further | undefined;
    },
): Promise<GpuTable> {
  const { passes, keyed } = params;
  const bytes = BUCKET_BYTES * buckets + PAIR_BYTES * stash;
  const plan: Plan = {
    folder: "kernels/quotient",
    sizes: { buckets, stash, seed },
    conditions: Object.fromEntries(LAYOUTS.map((layout) => [`PAIRS${layout.pairs}`, layout.pairs === pairs])),
    more: ["mixed", "upsert", "export"],
    inserting: { build },
    compiling: (op) => ({
      passes(n) {
        if (op === "erase" || (passes > 0 && op !== "insert")) return 1;
        const least = op === "insert" && n >= TWO_PASSES.pairs && bytes > TWO_PASSES.bytes ? 2 : 1;
        return passes || Math.max(least, hostParts(gpu, bytes, n));
      },
    }),
    slots: pairs * buckets + stash,
    bytes,
    blockBytes: BUCKET_BYTES,
  };
  return planned(gpu, plan, counting, { further, roundKeys: roundKeysFor(keyed, { seed, secret }) });
}

/** The table, with its way to make partitioned builds. @param further As of `planned`. */
export function quotientWith(partitioning: Partitioning, further?: Further): TableType {
  return defineTable({
    id: "quotient",
    title: "Quotient",
    source: "ours, after Hegeman et al., Compact Parallel Hash Tables on the GPU, Euro-Par 2024",
    parameters,
    conflict: ({ partitioned, keyed }) => (partitioned && keyed ? "keyed and partitioned do not go together" : ""),
    configure(params) {
      const least = LAYOUTS.slice(0, -1).map(leastBuckets).reverse();
      return {
        ops: ["insert", "find", "erase", "mixed", "upsert", "export"],
        maxLoadFactor: 0.95,
        duplicates: true,
        incremental: true,
        reusesSlots: true,
        sizing: {
          thresholds: [...(params.partitioned ? [ONE_PASS_BUCKETS] : []), ...least].map((buckets) =>
            pairsFor(buckets, 0.8),
          ),
        },
        access(op) {
          if (op === "find") return { pattern: "lookup32", why: "one 32-byte bucket, the key, the result" };
          if (op === "insert" && params.partitioned) return partitionedAccess;
          return { pattern: "cas", why: "one random 32-bit CAS" };
        },
        bytes(n, loadFactor) {
          const { buckets, stash } = sizesFor(n, loadFactor);
          return BUCKET_BYTES * buckets + PAIR_BYTES * stash;
        },
        create(gpu, { n, loadFactor, seed, secret, counting }) {
          const sizes = sizesFor(n, loadFactor);
          const build = params.partitioned ? partitioning("QUOTIENT") : undefined;
          const own = { ...sizes, seed, secret, params, counting, build, further };
          return createBuckets(gpu, layoutFor(sizes.buckets), own);
        },
      };
    },
  });
}

/** A compact table: 8 to 25 bits of a key tell it from the others of its 32-byte bucket, which holds up to 6 pairs. */
export const quotient = /* @__PURE__ */ quotientWith(partitionedBuild, further);
