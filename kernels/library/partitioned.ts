/** The parameter `partitioned`: where its kernels and its code are, and the operations in which the host then has a part. */
import type { Params } from "../declare.js";
import { UsageError } from "../device/errors.js";
import type { Partitioning } from "../partitioned/partitioned.js";
import type { Operation } from "./promises.js";
import type { Apart } from "./table.js";
import type { Kernels } from "./types.js";

export const partitionedApart: Apart = ({ partitioned }) => (partitioned ? "partitioned" : undefined);

/** By the code that came with the kernels. Throws a UsageError where they are others. */
export const partitioningOf =
  ({ makeBuild }: Kernels): Partitioning =>
  (whose, options) => {
    if (!makeBuild) throw new UsageError("the option kernels is not partitioned of webgpu-hash-table/partitioned");
    return (gpu, table) => makeBuild(gpu, whose, table, options);
  };

export const partitionedHosts = ({ partitioned }: Params): readonly Operation[] =>
  partitioned ? ["clear", "insert"] : [];
