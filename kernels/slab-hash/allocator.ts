/** An allocator of slabs by itself: what a benchmark times and tests check. It has bits and addresses, and no slabs. */
import { Status, step } from "../common/bulk.js";
import type { Owner } from "../device/owned.js";
import type { OpResult, RunSteps } from "../table.js";
import { type Allocator, BLOCK_SLABS, MAX_SUPERS, marksOf, setBits, startsOf } from "./blocks.js";

export interface SlabAllocator {
  /** Address of each lane's slab, EMPTY if it got none; of the last allocation. */
  readonly addresses: GPUBuffer;
  /** Slabs the pool has. */
  readonly slabs: number;
  /** All slabs are free. */
  clear(): Promise<void>;
  /** n slabs, one a lane. `count`: lanes that got none. */
  allocate(run: RunSteps, n: number): Promise<OpResult>;
  /** Gives back what the last allocation of n lanes got. Of `bump`, nothing. */
  deallocate(run: RunSteps, n: number): Promise<OpResult>;
  /** Slabs in use: the set bits, or the counter. */
  used(): Promise<number>;
}

/** A pool of `blocks` memory blocks (of slab-alloc, in four super blocks), for at most `most` lanes. Throws DoesNotFit. */
export async function makeAllocator(
  gpu: Owner,
  allocator: Allocator,
  blocks: number,
  most: number,
): Promise<SlabAllocator> {
  const conditions = { BUMP: allocator === "bump", SUPER: allocator === "slab-alloc" };
  const addresses = await gpu.alloc("addresses of slabs", most * 4);
  const bits = await gpu.alloc("bits of slabs", (blocks * BLOCK_SLABS) / 8);
  const status = await Status.make(gpu, { own: marksOf(blocks) });
  const starts = startsOf((i) => Math.ceil((i * blocks) / MAX_SUPERS));
  const source = {
    file: "kernels/slab-hash/allocate.wgsl",
    conditions,
    // There are no base slabs: an address in one array is the slab's number.
    sizes: { buckets: 0, seed: 0 },
    bound: { addresses, pool: bits, status: status.buffer, ...(conditions.SUPER && { starts }) },
    takes: ["batch" as const],
  };
  const kernel = (entry: string) => gpu.kernel({ ...source, entry });
  const [take, give] = await Promise.all([kernel("take"), kernel("give")]);
  return {
    addresses,
    slabs: blocks * BLOCK_SLABS,
    clear: () => gpu.zero(bits),
    allocate: (run, n) => status.count(run, [step(take, n, { batch: { n, blocks } })], "left"),
    async deallocate(run, n) {
      if (conditions.BUMP) return { ns: 0, count: 0, restarts: 0 };
      const { ns } = await run([step(give, n, { batch: { n, blocks } })]);
      return { ns, count: 0, restarts: 0 };
    },
    async used() {
      const words = await gpu.read(bits, conditions.BUMP ? 1 : blocks * (BLOCK_SLABS / 32));
      return conditions.BUMP ? Math.min(words[0] ?? 0, blocks * BLOCK_SLABS) : setBits(words);
    },
  };
}

/** How many of the addresses are there more than once, every copy but the first. */
export function handedOutTwice(...addresses: readonly Uint32Array[]): number {
  const all = new Uint32Array(addresses.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const some of addresses) {
    all.set(some, at);
    at += some.length;
  }
  all.sort();
  return all.reduce((twice, address, i) => twice + Number(i > 0 && address === all[i - 1]), 0);
}
