/** Operations of the slab hash that a program records among its own commands. */
import { rangeOf } from "../common/steps.js";
import type { Recordable } from "../table.js";
import type { Kernels } from "./kernels.js";
import type { SlabPool } from "./pool.js";

export type Recording = Awaited<ReturnType<typeof recordingOf>>;

/** Steps bind the buffers that the pool had when `refresh` was called last. An insertion refuses what finds no slab: the pool does not grow. */
export async function recordingOf(pool: SlabPool, kernels: Kernels, status: GPUBuffer) {
  const prepare = async () => {
    const [clearing, insert, find, erase] = await Promise.all([
      pool.clearing(),
      kernels.update("insertOnce", {}, ["keys", "values"]),
      kernels.find(),
      kernels.update("erase", {}, ["keys"]),
    ]);
    const { buffers, blocks } = pool;
    return { buffers, blocks, clearing, insert, find, erase };
  };
  let now = await prepare();
  const batch = (n: number, first?: number) => ({ ...rangeOf(n, first), slice: 1, retry: 0, blocks: now.blocks });
  const recordable: Recordable = {
    status,
    clear: () => now.clearing,
    insert: ({ keys, values, n, first }) => [now.insert(n, { keys, values, batch: batch(n, first) })],
    find: ({ keys, results, n, first }) => [now.find(n, { queries: keys, results, range: rangeOf(n, first) })],
    erase: ({ keys, n, first }) => [now.erase(n, { keys, batch: batch(n, first) })],
  };
  return {
    recordable,
    /** To be called where the pool may have other buffers. */
    async refresh() {
      const { buffers } = pool;
      if (buffers.length !== now.buffers.length || buffers.some((one, i) => one !== now.buffers[i]))
        now = await prepare();
    },
  };
}
