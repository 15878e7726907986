/** Bits of a pool's slabs, and of operations that found no slab. */
import { fillStep } from "../common/steps.js";
import type { Copy, Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import { BLOCK_BITS_BYTES, BLOCK_SLABS } from "./blocks.js";
import { bufferOf, type OwnedBuffer } from "./memory.js";

/** Where the bits are of operations that found no slab. */
interface Pending {
  readonly buffer: GPUBuffer;
  readonly offset: number;
}

export class Bits {
  /** Bytes for operations that found no slab. */
  private room = 0;
  /** Their buffer, where they are not behind the bits of the slabs. */
  private apart: OwnedBuffer | null = null;

  private constructor(
    private readonly gpu: Owner,
    private slabs: OwnedBuffer,
    private blocks: number,
    /** Bits of operations are behind those of the slabs: of a table in banks, whose kernels may have no buffer to spare. */
    private together: boolean,
  ) {}

  /** Throws DoesNotFit. */
  static async make(gpu: Owner, blocks: number, together: boolean): Promise<Bits> {
    return new Bits(gpu, await bitsOf(gpu, blocks * BLOCK_BITS_BYTES), blocks, together);
  }

  /** By the names in alloc.wgsl and update.wgsl. */
  get bound(): Readonly<Record<string, GPUBuffer>> {
    return { pool: this.slabs.buffer, ...(this.apart && { pending: this.apart.buffer }) };
  }

  get conditions() {
    return { PENDING_IN_POOL: this.together };
  }

  /** Words of the slabs' bits. */
  read(): Promise<Uint32Array> {
    return this.gpu.read(this.slabs.buffer, this.blocks * (BLOCK_SLABS / 32));
  }

  /** No slab is in use. */
  clear(): Promise<void> {
    return this.gpu.zero(this.slabs.buffer);
  }

  /** The same as a step. */
  clearing(): Promise<Step> {
    return fillStep(this.gpu, this.slabs.buffer, 0);
  }

  /** Bits for so many operations; all bits of operations are clear before. Throws DoesNotFit. */
  async reserve(operations: number): Promise<void> {
    const bytes = 4 * Math.ceil(operations / 32);
    if (bytes <= this.room) return;
    if (this.together) await this.move(this.blocks, bytes, true);
    else {
      // Freed first: there may not be room for both.
      this.apart?.destroy();
      this.apart = null;
      this.room = 0;
      this.apart = await bufferOf(this.gpu, "pending operations", bytes);
    }
    this.room = bytes;
  }

  /** No operation is pending. */
  async settle(): Promise<void> {
    const { pending } = this;
    if (pending) await this.gpu.submit([{ buffer: pending.buffer, offset: pending.offset, zero: this.room }]);
  }

  /** Bits of that many blocks, of which the first are as they were. Throws DoesNotFit; then nothing has changed. */
  grow(blocks: number, together: boolean): Promise<void> {
    return this.move(blocks, this.room, together);
  }

  private get pending(): Pending | null {
    if (this.together) return { buffer: this.slabs.buffer, offset: this.blocks * BLOCK_BITS_BYTES };
    return this.apart && { buffer: this.apart.buffer, offset: 0 };
  }

  private async move(blocks: number, room: number, together: boolean): Promise<void> {
    const { slabs: before, pending } = this;
    const behind = blocks * BLOCK_BITS_BYTES;
    const after = await bitsOf(this.gpu, behind + (together ? room : 0));
    const copies: Copy[] = [{ from: before.buffer, to: after.buffer, bytes: this.blocks * BLOCK_BITS_BYTES }];
    if (together && pending && this.room > 0)
      copies.push({
        from: pending.buffer,
        fromOffset: pending.offset,
        to: after.buffer,
        toOffset: behind,
        bytes: this.room,
      });
    await this.gpu.submit(copies);
    await this.gpu.finished();
    before.destroy();
    if (together) {
      this.apart?.destroy();
      this.apart = null;
    }
    this.slabs = after;
    this.blocks = blocks;
    this.together = together;
  }
}

function bitsOf(gpu: Owner, bytes: number): Promise<OwnedBuffer> {
  return bufferOf(gpu, "bits of slabs", bytes);
}
