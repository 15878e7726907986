/** The parameter `partitioned`: its kernels, which a bundler can load apart, and the operations in which the host then has a part. */
import type { Params } from "../declare.js";
import type { KernelFile } from "./link.js";
import type { Operation } from "./promises.js";

export async function partitionedKernels({ partitioned }: Params): Promise<readonly KernelFile[]> {
  return partitioned ? (await import("./partitioned-kernels.js")).kernels : [];
}

export const partitionedHosts = ({ partitioned }: Params): readonly Operation[] =>
  partitioned ? ["clear", "insert"] : [];
