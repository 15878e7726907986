/** The slabs of a table: base slabs and the allocator's pool in one array, which grows between dispatches. */
import { EMPTY, fillStep } from "../common/steps.js";
import { DoesNotFit } from "../device/errors.js";
import { type Owned, type Owner, owned } from "../device/owned.js";
import { SLAB_BYTES } from "./utilisation.js";

export const ALLOCATORS = ["slab-alloc-light", "bump"] as const;
export type Allocator = (typeof ALLOCATORS)[number];

/** Slabs of a memory block: UNITS of alloc.wgsl. */
export const BLOCK_SLABS = 1024;
const BLOCK_BYTES = BLOCK_SLABS / 8;
/** A pool that is out of slabs grows by this share of all slabs, at least. */
const GROWTH = 1 / 4;

interface Memory {
  readonly slabs: GPUBuffer;
  /** A bit a slab of the pool, or the bump allocator's counter. */
  readonly bits: GPUBuffer;
}

/** Memory blocks for so many slabs: an eighth more than are wanted, so that a free one is found soon. */
export function blocksFor(slabs: number): number {
  return Math.max(1, Math.ceil((slabs * 1.125) / BLOCK_SLABS));
}

/** Bytes of base slabs, pool and bits. */
export function poolBytes(base: number, blocks: number): number {
  return (base + blocks * BLOCK_SLABS) * SLAB_BYTES + blocks * BLOCK_BYTES;
}

export class SlabPool {
  private constructor(
    private readonly gpu: Owner,
    /** Slabs that are always in use, the first ones of the array. */
    readonly base: number,
    private count: number,
    private memory: Owned<Memory>,
  ) {}

  /** A pool of that many memory blocks; of fewer where the device cannot bind as many. Throws DoesNotFit. */
  static async make(gpu: Owner, base: number, blocks: number): Promise<SlabPool> {
    const most = Math.floor((gpu.maxBinding / SLAB_BYTES - base) / BLOCK_SLABS);
    const count = Math.max(1, Math.min(blocks, most));
    return new SlabPool(gpu, base, count, await allocate(gpu, base, count));
  }

  get slabs(): GPUBuffer {
    return this.memory.slabs;
  }

  get bits(): GPUBuffer {
    return this.memory.bits;
  }

  get blocks(): number {
    return this.count;
  }

  get bytes(): number {
    return poolBytes(this.base, this.count);
  }

  /** All slabs EMPTY, none in use but the base slabs. */
  async clear(): Promise<void> {
    await this.gpu.run([await fillStep(this.gpu, this.slabs, EMPTY)]);
    await this.gpu.zero(this.bits);
  }

  /**
   * More blocks, for so many slabs or a share of those there are. Slabs keep their numbers: the array is copied into a larger
   * one. False, and nothing has changed, if the device has no memory for it.
   */
  async grow(slabs: number): Promise<boolean> {
    const more = Math.max(blocksFor(slabs), Math.ceil(GROWTH * this.count));
    const most = Math.floor((this.gpu.maxBinding / SLAB_BYTES - this.base) / BLOCK_SLABS);
    const count = Math.min(this.count + more, most);
    if (count <= this.count) return false;
    const before = this.memory;
    let after: Owned<Memory>;
    try {
      after = await allocate(this.gpu, this.base, count);
    } catch (error) {
      if (error instanceof DoesNotFit) return false;
      throw error;
    }
    await this.gpu.run([await fillStep(this.gpu, after.slabs, EMPTY)]);
    await this.gpu.submit([
      { from: before.slabs, to: after.slabs, bytes: before.slabs.size },
      { from: before.bits, to: after.bits, bytes: before.bits.size },
    ]);
    await this.gpu.finished();
    this.memory = after;
    this.count = count;
    before.destroy();
    return true;
  }
}

function allocate(gpu: Owner, base: number, blocks: number): Promise<Owned<Memory>> {
  return owned(gpu, async (own) => ({
    slabs: await own.alloc("slabs", (base + blocks * BLOCK_SLABS) * SLAB_BYTES),
    bits: await own.alloc("bits of slabs", blocks * BLOCK_BYTES),
  }));
}
