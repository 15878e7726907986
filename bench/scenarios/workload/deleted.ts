/** How many pairs of a table were erased and leave their mark, which searches have to pass. */
import { step } from "../../../kernels/common/bulk.js";
import type { Gpu } from "../../../kernels/device/gpu.js";
import { scoped } from "../../../kernels/device/owned.js";

/** Words DELETED in the buffers of a table's slots; no value that a benchmark inserts is one. */
export function deletedWords(gpu: Gpu, buffers: readonly GPUBuffer[]): Promise<number> {
  return scoped(gpu, async (own) => {
    const kernel = await own.kernel({
      file: "bench/scenarios/workload/deleted.wgsl",
      takes: ["table", "marked", "words"],
    });
    const marked = await own.alloc("marked words", 16);
    await own.zero(marked);
    const steps = buffers.map((buffer) => {
      const words = buffer.size / 4;
      return step(kernel, words, { table: buffer, marked, words });
    });
    await own.run(steps);
    return (await own.read(marked, 1))[0] ?? 0;
  });
}
