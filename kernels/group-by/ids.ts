/** Ids of the rows' keys by a sort: 0, 1, 2 … for different keys, in their order. See README.md. */
import { PrefixSum } from "../common/scan.js";
import { groupsFor } from "../common/steps.js";
import { dispatch } from "../device/bind.js";
import type { Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import { RadixSort } from "../radix-sort/sort.js";

/** For n rows, whose keys are a u32 each. Throws DoesNotFit. */
export async function makeSortedIds(gpu: Owner, n: number) {
  const file = "kernels/group-by/ids.wgsl";
  const [sorter, scan, number, mark, tell] = await Promise.all([
    RadixSort.make(gpu, n),
    PrefixSum.make(gpu),
    gpu.kernel({ file: "kernels/join/rows.wgsl", takes: ["numbers", "n"] }),
    gpu.kernel({ file, entry: "mark_ends", takes: ["n", "sorted_keys", "ranks"] }),
    gpu.kernel({ file, entry: "tell_rows", takes: ["n", "sorted_rows", "ranks", "ids"] }),
  ]);
  const numbers = await gpu.alloc("numbers of rows", 4 * n);
  const sorted = { keys: await gpu.alloc("keys in order", 4 * n), values: await gpu.alloc("rows in order", 4 * n) };
  const ranks = await gpu.alloc("ranks of keys", 4 * (n + 1));
  const ids = await gpu.alloc("ids of rows", 4 * n);
  await gpu.run([dispatch(number, groupsFor(n), { numbers, n })]);
  return {
    /** A u32 a row. */
    ids,
    steps: (keys: GPUBuffer): Step[] => [
      ...sorter.steps({ keys, values: numbers }, sorted, n),
      dispatch(mark, groupsFor(n + 1), { n, sorted_keys: sorted.keys, ranks }),
      ...scan.steps(ranks, n + 1),
      dispatch(tell, groupsFor(n), { n, sorted_rows: sorted.values, ranks, ids }),
    ],
    /** Different keys, after the steps. */
    async distinct(): Promise<number> {
      const [keys = 0] = await gpu.read(ranks, 1, n);
      return keys;
    },
  };
}
