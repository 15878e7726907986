/** The different keys of an input, by sorting it: a list of them and, with values, where each key's values are. See README.md. */

import { Status, step } from "../common/bulk.js";
import { PrefixSum } from "../common/scan.js";
import type { Kernel } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import { RadixSort, type SortBuffers, scratchBytes } from "../radix-sort/sort.js";
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

interface Kernels {
  readonly mark: Kernel<"n">;
  readonly gather: Kernel<"n">;
  readonly inform: Kernel<"n"> | null;
}

interface Buffers {
  readonly sorted: SortBuffers;
  readonly marks: GPUBuffer;
  readonly list: GPUBuffer;
  /** (first, count) by id, where there are values. */
  readonly info?: GPUBuffer;
}

export class SortedLists {
  /** Different keys of the last build. */
  distinct = 0;

  private constructor(
    private readonly sorter: RadixSort,
    private readonly scan: PrefixSum,
    private readonly kernels: Kernels,
    private readonly buffers: Buffers,
    private readonly status: Status,
  ) {}

  /** For at most `capacity` pairs, or keys. Throws DoesNotFit. */
  static async make(gpu: Owner, capacity: number, { ranges, counting }: ListOptions): Promise<SortedLists> {
    const words = (label: string, count: number) => gpu.alloc(label, Math.max(1, count) * 4);
    const keys = await words("sorted keys", capacity);
    const marks = await words("marks", capacity + 1);
    const list = await words("different keys", capacity);
    const ofValues = ranges && {
      values: await words("sorted values", capacity),
      starts: await words("starts", capacity + 1),
      info: await words("key info", 2 * capacity),
    };
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
    const { values, info } = ofValues || {};
    const buffers = { sorted: { keys, ...(values && { values }) }, marks, list, ...(info && { info }) };
    return new SortedLists(sorter, scan, { mark, gather, inform }, buffers, status);
  }

  /** The keys by id. */
  get list(): GPUBuffer {
    return this.buffers.list;
  }

  /** All values, each key's side by side. Throws if there are none. */
  get values(): GPUBuffer {
    const { values } = this.buffers.sorted;
    if (!values) throw new Error("sorted lists without values");
    return values;
  }

  /** (first, count) by id. Throws if there are no values. */
  get info(): GPUBuffer {
    const { info } = this.buffers;
    if (!info) throw new Error("sorted lists without ranges");
    return info;
  }

  /** Lists the input's keys; `count` of the result is the reserved keys, which are left out. */
  async build(run: RunSteps, { keys, values, n }: Pairs): Promise<OpResult & { readonly distinct: number }> {
    const { sorted, marks } = this.buffers;
    const { mark, gather, inform } = this.kernels;
    const { ns, said } = await this.status.run(run, [
      ...this.sorter.steps(sorted.values ? { keys, values } : { keys }, sorted, n),
      step(mark, n + 1, { n }),
      ...this.scan.steps(marks, n + 1),
      step(gather, n + 1, { n }),
      ...(inform ? [step(inform, n, { n })] : []),
    ]);
    this.distinct = said.distinct;
    return { ns, count: said.refused, distinct: said.distinct, restarts: 0 };
  }
}
