/** The different keys of an input, by sorting it: a list of them and, with values, where each key's values are. See README.md. */

import { Status, step } from "../common/bulk.js";
import { PrefixSum } from "../common/scan.js";
import type { Owner } from "../device/owned.js";
import { RadixSort, scratchBytes } from "../radix-sort/sort.js";
import type { OpResult, Pairs, RunSteps } from "../table.js";

export interface ListOptions {
  /** The values too, and their ranges. */
  readonly ranges: boolean;
  readonly counting: boolean;
}

/** Bytes of the lists for n pairs, scratch included. */
export function listBytes(n: number, ranges: boolean): number {
  return scratchBytes(n, !ranges) + n * 4 * (ranges ? 7 : 3);
}

/** For at most `capacity` pairs, or keys. Throws DoesNotFit. */
export async function sortedLists(gpu: Owner, capacity: number, { ranges, counting }: ListOptions) {
  const words = (label: string, count: number) => gpu.alloc(label, Math.max(1, count) * 4);
  const keys = await words("sorted keys", capacity);
  const marks = await words("marks", capacity + 1);
  const list = await words("different keys", capacity);
  const ofValues = ranges
    ? {
        values: await words("sorted values", capacity),
        starts: await words("starts", capacity + 1),
        info: await words("key info", 2 * capacity),
      }
    : null;
  const status = await Status.make(gpu);
  const bound = { keys, marks, list, ...ofValues, status: status.buffer };
  const kernel = (entry: string) =>
    gpu.kernel({
      file: "kernels/sorted-lists/lists.wgsl",
      entry,
      conditions: { RANGES: ranges },
      bound,
      takes: ["n"],
    });
  const [mark, gather, inform] = await Promise.all([
    kernel("mark"),
    kernel("gather"),
    ranges ? kernel("inform") : null,
  ]);
  const sorter = await RadixSort.make(gpu, capacity, { counting, keysOnly: !ranges });
  const scan = await PrefixSum.make(gpu);
  const sorted = { keys, ...(ofValues && { values: ofValues.values }) };
  return {
    /** The keys by id. */
    list,
    /** With ranges: all values, each key's side by side, and (first, count) by id. */
    ofValues,
    /** Different keys of the last build. */
    distinct: 0,
    /** Lists the input's keys; `count` of the result is the reserved keys, which are left out. */
    async build(run: RunSteps, { keys, values, n }: Pairs): Promise<OpResult & { readonly distinct: number }> {
      const { ns, said } = await status.run(run, [
        ...sorter.steps(ranges ? { keys, values } : { keys }, sorted, n),
        step(mark, n + 1, { n }),
        ...scan.steps(marks, n + 1),
        step(gather, n + 1, { n }),
        ...(inform ? [step(inform, n, { n })] : []),
      ]);
      this.distinct = said.distinct;
      return { ns, count: said.refused, distinct: said.distinct, restarts: 0 };
    },
  };
}
