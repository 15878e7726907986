/** Builds of a cleared table from pairs that are partitioned by place first. See README.md. */
import type { Inserting } from "../common/planned.js";
import { flag } from "../declare.js";
import type { UnavoidableAccess } from "../table.js";
import { type BuildOptions, makeBuild } from "./build.js";
import { LANES } from "./lanes.js";

export const PARTITIONED = flag({
  default: false,
  meaning: "the first insertion partitions its pairs by place, and builds the table in parts in workgroup memory",
});

/** Tables of more buckets take two passes, on every device. */
export const ONE_PASS_BUCKETS = LANES ** 2;

/** Of an insertion into tables of more than 8 MiB, which take two passes. A copy of four words reads and writes 32 bytes. */
export const partitionedAccess: UnavoidableAccess = {
  pattern: "copy",
  times: (2 * 16 + 8 + 10) / 32,
  why: "50 bytes, read and written in a row: two passes of pairs, pairs, the table at load factor 0.8",
};

/**
 * How such a build is made, for tables of 32-byte buckets the first of which is
 * floor(mix32(key ^ seed) · buckets / 2^32), sizes both.
 * @param whose Condition of build.wgsl and rest.wgsl: whose `place` and `insert` they call.
 */
export type Partitioning = (whose: "BUCKETED" | "QUOTIENT", options?: BuildOptions) => NonNullable<Inserting["build"]>;

export const partitionedBuild: Partitioning = (whose, options) => (gpu, table) => makeBuild(gpu, whose, table, options);
