import { mix32 } from "../../../kernels/common/random.js";
import type { Gpu, KernelSource } from "../../../kernels/device/gpu.js";
import { withEdits } from "../../device/testing.js";

/** Of which kernels/common/wide.wgsl makes keys of two words that have the first in common. */
export const SHARING = Array.from({ length: 10_000 }, (_, i) => i + 1).filter((word) => mix32(word) % 256 === 0);

/** Time in schedules and endings: a slow machine explores as much as a fast one. */
export function counted(): () => number {
  let count = 0;
  return () => count++;
}

/** Devices with other kernels: those of one file with edits, which are linked once. */
export function edited({ file, edits }: { readonly file: string; readonly edits: Readonly<Record<string, string>> }) {
  const named = withEdits({ kernel: async (source: KernelSource) => source } as unknown as Gpu, file, edits);
  return (gpu: Gpu): Gpu =>
    Object.create(gpu, {
      kernel: {
        value: async (source: KernelSource) => gpu.kernel((await named.kernel(source)) as unknown as KernelSource),
      },
    });
}
