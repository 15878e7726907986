/** The slabs of a table: base slabs, and an allocator's pool of memory blocks that grows between dispatches. */
import { EMPTY, fillStep } from "../common/steps.js";
import { DoesNotFit } from "../device/errors.js";
import type { Bindings, Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import { Banked } from "./banked.js";
import { Bits } from "./bits.js";
import { type Allocator, BLOCK_SLABS, blocksFor, poolBytes, setBits } from "./blocks.js";
import type { SlabMemory, Wanted } from "./memory.js";
import type { SuperBlocks } from "./super-blocks.js";

export class SlabPool {
  private constructor(
    private readonly gpu: Owner,
    readonly allocator: Allocator,
    /** Slabs that are always in use. */
    readonly base: number,
    private memory: SlabMemory,
    private readonly bits: Bits,
  ) {}

  /**
   * A pool of that many memory blocks; of fewer where the device cannot bind as many. Throws DoesNotFit, also where all that
   * can be bound are not so many slabs as are `needed` beside the base slabs, or addresses do not reach all base slabs.
   * @param supers Of `slab-alloc`.
   */
  static async make(
    gpu: Owner,
    allocator: Allocator,
    wanted: Wanted,
    supers: typeof SuperBlocks | undefined,
  ): Promise<SlabPool> {
    const memory = await ((allocator === "slab-alloc" && supers) || Banked).make(gpu, wanted);
    const bits = await Bits.make(gpu, memory.blocks, memory.inBanks);
    return new SlabPool(gpu, allocator, wanted.base, memory, bits);
  }

  /** The arrays of slabs, by their names in common/words.wgsl. */
  get slabs(): Readonly<Record<string, GPUBuffer>> {
    return this.memory.slabs;
  }

  /** Slabs and bits. There are others once it has grown. */
  get buffers(): readonly GPUBuffer[] {
    return [...this.memory.filled, ...Object.values(this.bits.bound)];
  }

  /** All of it, by the names in the kernels. */
  get bound(): Bindings {
    return { ...this.memory.bound, ...this.bits.bound };
  }

  get conditions(): Readonly<Record<string, boolean>> {
    return { ...this.memory.conditions, ...this.bits.conditions };
  }

  get constants(): Readonly<Record<string, number>> {
    return this.memory.constants;
  }

  get blocks(): number {
    return this.memory.blocks;
  }

  /** Memory blocks that it may grow to. */
  get most(): number {
    return this.memory.most;
  }

  /** Base slabs and the pool's. */
  get total(): number {
    return this.base + this.blocks * BLOCK_SLABS;
  }

  get bytes(): number {
    return poolBytes(this.base, this.blocks);
  }

  /** Slabs of the pool that are in use, by its bits; null of `bump`, which does not know what came back. */
  async used(): Promise<number | null> {
    return this.allocator === "bump" ? null : setBits(await this.bits.read());
  }

  /** All slabs EMPTY, none in use but the base slabs. */
  async clear(): Promise<void> {
    await this.gpu.run(await fills(this.gpu, this.memory.filled));
    await this.bits.clear();
  }

  /** The same as steps, of the buffers that there are. */
  async clearing(): Promise<Step[]> {
    return [...(await fills(this.gpu, this.memory.filled)), await this.bits.clearing()];
  }

  /** Kernels bind a bit for each of so many operations, all of them clear. Throws DoesNotFit. */
  reserve(operations: number): Promise<void> {
    return this.bits.reserve(operations);
  }

  /** What found no slab is not to be done again. */
  settle(): Promise<void> {
    return this.bits.settle();
  }

  /**
   * More blocks, for so many slabs or a share of those there are; fewer where the device has no memory for as many. Addresses
   * stay valid; kernels are to be asked for anew. False, and nothing has changed, if there is no memory for one block.
   */
  async grow(slabs: number): Promise<boolean> {
    let more = Math.max(blocksFor(slabs), Math.ceil(this.memory.growth * this.blocks));
    for (; more >= 1; more = Math.floor(more / 2)) {
      try {
        return await this.growBy(more);
      } catch (error) {
        if (!(error instanceof DoesNotFit)) throw error;
      }
    }
    return false;
  }

  private async growBy(more: number): Promise<boolean> {
    const grown = await this.memory.grown(more);
    if (!grown) return false;
    const { memory, fresh, copies, replaced } = grown;
    try {
      await this.bits.grow(memory.blocks, memory.inBanks);
    } catch (error) {
      fresh.destroy();
      throw error;
    }
    await this.gpu.run(await fills(this.gpu, fresh.buffers));
    await this.gpu.submit(copies);
    await this.gpu.finished();
    for (const one of replaced) one.destroy();
    this.memory = memory;
    return true;
  }
}

function fills(gpu: Owner, buffers: readonly GPUBuffer[]): Promise<Step[]> {
  return Promise.all(buffers.map((buffer) => fillStep(gpu, buffer, EMPTY)));
}
