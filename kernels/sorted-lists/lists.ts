/** The different keys of an input, by sorting it: a list of them and, with values, where each key's values are. See README.md. */

import { itemStep, Status } from "../common/bulk.js";
import { PrefixSum } from "../common/scan.js";
import type { Kernel, Step } from "../device/gpu.js";
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
  readonly mark: Kernel;
  readonly gather: Kernel;
  readonly inform: Kernel | null;
}

interface Buffers {
  readonly sorted: SortBuffers;
  readonly marks: GPUBuffer;
  readonly list: GPUBuffer;
  readonly ranges: { readonly starts: GPUBuffer; readonly info: GPUBuffer } | null;
  readonly status: Status;
  readonly n: GPUBuffer;
}

export class SortedLists {
  /** Different keys of the last build. */
  distinct = 0;

  private constructor(
    private readonly gpu: Owner,
    private readonly sorter: RadixSort,
    private readonly scan: PrefixSum,
    private readonly kernels: Kernels,
    private readonly buffers: Buffers,
  ) {}

  /** For at most `capacity` pairs, or keys. Throws DoesNotFit. */
  static async make(gpu: Owner, capacity: number, { ranges, counting }: ListOptions): Promise<SortedLists> {
    const conditions = { RANGES: ranges };
    const kernel = (entry: string) => gpu.kernel({ file: "kernels/sorted-lists/lists.wgsl", entry, conditions });
    const [mark, gather, inform] = await Promise.all([
      kernel("mark"),
      kernel("gather"),
      ranges ? kernel("inform") : null,
    ]);
    const words = (label: string, count: number) => gpu.alloc(label, Math.max(1, count) * 4);
    const keys = await words("sorted keys", capacity);
    const buffers: Buffers = {
      sorted: ranges ? { keys, values: await words("sorted values", capacity) } : { keys },
      marks: await words("marks", capacity + 1),
      list: await words("different keys", capacity),
      ranges: ranges
        ? { starts: await words("starts", capacity + 1), info: await words("key info", 2 * capacity) }
        : null,
      status: await Status.make(gpu),
      n: gpu.uniform([0]),
    };
    const sorter = await RadixSort.make(gpu, capacity, { counting, keysOnly: !ranges });
    return new SortedLists(gpu, sorter, await PrefixSum.make(gpu), { mark, gather, inform }, buffers);
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
    const { ranges } = this.buffers;
    if (!ranges) throw new Error("sorted lists without ranges");
    return ranges.info;
  }

  /** Lists the input's keys; `count` of the result is keys that are none. */
  async build(run: RunSteps, { keys, values, n }: Pairs): Promise<OpResult & { readonly distinct: number }> {
    const { sorted, marks, list, ranges, status } = this.buffers;
    const { mark, gather, inform } = this.kernels;
    this.gpu.write(this.buffers.n, 0, Uint32Array.of(n));
    const places = { 0: sorted.keys, 1: marks, 2: this.buffers.n };
    const lists = { 3: list, 6: status.buffer, ...(ranges ? { 4: ranges.starts } : {}) };
    const steps: Step[] = [
      ...this.sorter.steps(sorted.values ? { keys, values } : { keys }, sorted, n),
      itemStep(mark, n + 1, places),
      ...this.scan.steps(marks, n + 1),
      itemStep(gather, n + 1, { ...places, ...lists }),
    ];
    if (inform && ranges) {
      const bindings = { 1: marks, 2: this.buffers.n, 4: ranges.starts, 5: ranges.info };
      steps.push(itemStep(inform, n, bindings));
    }
    const { ns, status: words } = await status.run(run, steps);
    const [, count = 0, distinct = 0] = words;
    this.distinct = distinct;
    return { ns, count, distinct, restarts: 0 };
  }
}
