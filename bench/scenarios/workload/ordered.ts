/** Queries in an order of their keys, which is as random as asked for. */

import { type Owner, scoped } from "../../../kernels/device/owned.js";
import { RadixSort, scratchBytes } from "../../../kernels/radix-sort/sort.js";
import { runOnce } from "./check.js";

/** The most that `disorder` may be: blocks as large as any buffer of queries. */
export const MOST_DISORDER = 31;

/** Bytes that `order` takes for itself. */
export function orderBytes(count: number): number {
  return 4 * count + scratchBytes(count, true);
}

/** Sorts the queries, then shuffles each block of 2^disorder neighbours. Throws DoesNotFit. */
export async function order(
  gpu: Owner,
  queries: GPUBuffer,
  count: number,
  disorder: number,
  seed: number,
): Promise<void> {
  await scoped(gpu, async (own) => {
    const sorted = await own.alloc(`${count} sorted queries`, count * 4);
    const sort = await RadixSort.make(own, count, { keysOnly: true });
    await own.run(sort.steps({ keys: queries }, { keys: sorted }, count));
    await runOnce(own, count, {
      file: "bench/scenarios/workload/ordered.wgsl",
      entry: "order",
      bound: { sorted, queries, plan: { count, bits: disorder, seed } },
    });
  });
}
