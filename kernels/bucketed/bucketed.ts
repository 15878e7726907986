import { createOpenAddressing, type OpenAddressing, REUSE, REUSES, tableBytes } from "../common/open-addressing.js";
import { ONE_PASS_BUCKETS, PARTITIONED, partitionedAccess, partitionedBuild } from "../partitioned/partitioned.js";
import type { TableType } from "../table.js";

const layout: OpenAddressing = {
  folder: "kernels/bucketed",
  sizeName: "buckets",
  pairsPerTarget: 4,
  build: (params) => partitionedBuild("BUCKETED", params),
};

/** 32-byte buckets of four keys and their four values, double hashing over buckets. See README.md. */
export const bucketed: TableType = {
  id: "bucketed",
  title: "Bucketed (4 pairs)",
  source: "ours",
  ops: ["insert", "find", "erase"],
  maxLoadFactor: 1,
  duplicates: true,
  incremental: true,
  reusesSlots: REUSES,
  parameters: [REUSE, PARTITIONED],
  conflict: ({ reuse, partitioned }) => (reuse && partitioned ? "reuse and partitioned do not go together" : ""),
  thresholds: ({ partitioned }) => (partitioned ? [ONE_PASS_BUCKETS * layout.pairsPerTarget * 0.8] : []),
  access: (op, { partitioned } = {}) =>
    op === "insert" && partitioned
      ? partitionedAccess
      : op === "find"
        ? { pattern: "lookup32", why: "one 32-byte bucket, the key, the result" }
        : { pattern: "cas", why: "one random 32-bit CAS" },
  bytes: (n, loadFactor) => tableBytes(layout, n, loadFactor),
  create: (gpu, options) => createOpenAddressing(gpu, layout, options),
};
