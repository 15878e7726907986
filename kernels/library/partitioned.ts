/** Kernels of the parameter `partitioned`, which a bundler can load apart. */
import type { Params } from "../declare.js";
import type { KernelFile } from "./link.js";

export async function partitionedKernels({ partitioned }: Params): Promise<readonly KernelFile[]> {
  return partitioned ? (await import("./partitioned-kernels.js")).kernels : [];
}
