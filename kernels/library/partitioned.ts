/** The parameter `partitioned`: where its kernels are, and the operations in which the host then has a part. */
import type { Params } from "../declare.js";
import type { Operation } from "./promises.js";
import type { Apart } from "./table.js";

export const partitionedApart: Apart = ({ partitioned }) => (partitioned ? "partitioned" : undefined);

export const partitionedHosts = ({ partitioned }: Params): readonly Operation[] =>
  partitioned ? ["clear", "insert"] : [];
