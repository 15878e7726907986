/** How many pairs of a table were erased and leave their mark, which searches have to pass. */
import { itemStep } from "../../kernels/common/bulk.js";
import { type Owner, scoped } from "../../kernels/device/owned.js";

/** Words DELETED in the memory of a table; no value that a benchmark inserts is one. @param memory owns the table's buffers */
export function deletedWords(memory: Owner): Promise<number> {
  return scoped(memory.device, async (own) => {
    const kernel = await own.kernel({ file: "bench/workload/deleted.wgsl" });
    const marked = await own.alloc("marked words", 16);
    await own.zero(marked);
    const steps = memory.storage().map((buffer) => {
      const words = buffer.size / 4;
      return itemStep(kernel, words, { 0: buffer, 1: marked, 2: own.constant(words) });
    });
    await own.run(steps);
    return (await own.read(marked, 1))[0] ?? 0;
  });
}
