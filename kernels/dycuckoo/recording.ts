/** Operations of a table that keeps its size, as a program records them among its own commands. */
import { refusing } from "../common/refusing.js";
import { fillStep, rangeOf } from "../common/steps.js";
import type { Owner } from "../device/owned.js";
import type { Recordable } from "../table.js";
import { batchOf, type Contents } from "./contents.js";
import type { Kernels } from "./kernels.js";

/** Pairs that share a word of bits with an insertion's first one may come before it: see kernels/dycuckoo/pending.wgsl. */
const BEFORE = 31;

/**
 * Batches of n pairs at most, as they come. The shares of the sub-tables are those of the last operation that the host had a part in: they
 * decide how evenly pairs are spread, not where searches look. Throws DoesNotFit.
 */
export async function recordingOf(
  gpu: Owner,
  contents: Contents,
  kernels: Kernels,
  { status, n: most }: { readonly status: GPUBuffer; readonly n: number },
): Promise<Recordable> {
  const { memory } = contents;
  const bound = memory.bound();
  const { pending, refuse } = await refusing(gpu, status, most + BEFORE);
  const [vacant, insert, evict, find, erase, fills, uncount] = await Promise.all([
    kernels.vacant(bound),
    kernels.ready("insertAsking", bound, most),
    kernels.ready("evict", bound, most),
    kernels.ready("find", bound, most),
    kernels.ready("erase", bound, most),
    memory.clearing(),
    fillStep(gpu, memory.counts, 0),
  ]);
  return {
    status,
    most,
    clear: () => [...fills, uncount],
    insert({ first = 0, ...pairs }) {
      contents.recorded = true;
      const batch = { ...batchOf({ ...pairs, first, shift: 0 }, { refuses: 1 }), pending };
      return [vacant, insert(pairs.n, batch), evict(pairs.n, batch), refuse];
    },
    find: ({ keys, results, n, first }) => [find(n, { queries: keys, results, range: rangeOf(n, first) })],
    erase: ({ keys, n, first }) => [erase(n, { keys_in: keys, batch: rangeOf(n, first) })],
  };
}
