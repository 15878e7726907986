import { createPlanned, REUSE } from "../common/planned.js";
import { nextPrime } from "../common/steps.js";
import { declare } from "../declare.js";
import { ONE_PASS_BUCKETS, PARTITIONED, partitionedAccess, partitionedBuild } from "../partitioned/partitioned.js";
import type { TableType } from "../table.js";

const PAIRS = 4;
const BUCKET_BYTES = 8 * PAIRS;

const parameters = declare({ reuse: REUSE, partitioned: PARTITIONED });

/** A prime number of buckets: double hashing reaches all. */
const bucketsFor = (n: number, loadFactor: number) => nextPrime(n / loadFactor / PAIRS);

/** 32-byte buckets of four keys and their four values, double hashing over buckets. See README.md. */
export const bucketed: TableType = {
  id: "bucketed",
  title: "Bucketed (4 pairs)",
  source: "ours",
  ops: ["insert", "find", "erase"],
  maxLoadFactor: 1,
  duplicates: true,
  incremental: true,
  reusesSlots: { reuse: true },
  parameters: parameters.list,
  conflict: ({ reuse, partitioned }) => (reuse && partitioned ? "reuse and partitioned do not go together" : ""),
  thresholds: ({ partitioned }) => (partitioned ? [ONE_PASS_BUCKETS * PAIRS * 0.8] : []),
  access: (op, { partitioned } = {}) =>
    op === "insert" && partitioned
      ? partitionedAccess
      : op === "find"
        ? { pattern: "lookup32", why: "one 32-byte bucket, the key, the result" }
        : { pattern: "cas", why: "one random 32-bit CAS" },
  bytes: (n, loadFactor) => BUCKET_BYTES * bucketsFor(n, loadFactor),
  create(gpu, { n, loadFactor, seed, params, counting }) {
    const { reuse, partitioned } = parameters.of(params);
    const buckets = bucketsFor(n, loadFactor);
    const plan = {
      folder: "kernels/bucketed",
      sizes: { buckets, seed },
      reuses: reuse,
      build: partitioned ? partitionedBuild("BUCKETED") : undefined,
      marks: true,
      slots: PAIRS * buckets,
      bytes: BUCKET_BYTES * buckets,
    };
    return createPlanned(gpu, plan, counting);
  },
};
