/** Slabs of `slab-alloc`: base slabs in one buffer, and up to four super blocks in one each. */
import { bankConditions, namedBanks, tooLarge } from "../common/banks.js";
import { DoesNotFit } from "../device/errors.js";
import type { Bindings } from "../device/gpu.js";
import { type Owner, owned } from "../device/owned.js";
import { BLOCK_BYTES, BLOCK_SLABS, MAX_SUPERS, slabsBytes, startsOf } from "./blocks.js";
import type { Grown, SlabMemory, Wanted } from "./memory.js";
import { SLAB_BYTES } from "./utilisation.js";

/** Memory blocks of a super block: 14 bits of an address. */
const MAX_SUPER_BLOCKS = 2 ** 14;
/** Base slabs: as many bits as the slabs of a super block. */
const MAX_BASE = 2 ** 24;

interface SuperBlock {
  readonly buffer: GPUBuffer;
  readonly blocks: number;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

export class SuperBlocks implements SlabMemory {
  /** There are few super blocks, and each doubles the pool. */
  readonly growth = 1;

  private constructor(
    private readonly gpu: Owner,
    private readonly base: GPUBuffer,
    private readonly supers: readonly SuperBlock[],
    /** Bound where there is no super block: no buffer may be bound twice. */
    private readonly absent: readonly GPUBuffer[],
  ) {}

  /** Throws DoesNotFit, also where addresses do not reach all base slabs. */
  static async make(gpu: Owner, { base, blocks, needed }: Wanted): Promise<SuperBlocks> {
    const most = MAX_SUPERS * mostOf(gpu);
    const least = Math.ceil(needed / BLOCK_SLABS);
    if (least > most) throw tooLarge(slabsBytes(base, least), slabsBytes(base, most), MAX_SUPERS + 1);
    if (base > MAX_BASE)
      throw new DoesNotFit(
        `${base} base slabs: addresses of slab-alloc reach ${MAX_BASE}; those of slab-alloc-light reach all`,
      );
    return owned(gpu, async (own) => {
      const first = await own.alloc("base slabs", base * SLAB_BYTES);
      // Two super blocks at first, where there are two blocks: the others are for growth.
      const half = Math.min(Math.ceil(blocks / 2), mostOf(gpu));
      const supers: SuperBlock[] = [];
      for (const count of blocks === 1 ? [1] : [half, half]) supers.push(await superBlock(own, supers.length, count));
      const absent: GPUBuffer[] = [];
      for (let i = 0; i < MAX_SUPERS; i++) absent.push(await own.alloc(`no super block ${i}`, 16));
      return new SuperBlocks(gpu, first, supers, absent);
    });
  }

  get blocks(): number {
    return sum(this.supers.map(({ blocks }) => blocks));
  }

  get most(): number {
    return MAX_SUPERS * mostOf(this.gpu);
  }

  get filled(): readonly GPUBuffer[] {
    return [this.base, ...this.supers.map(({ buffer }) => buffer)];
  }

  /** The base slabs are the last bank. */
  get slabs(): Readonly<Record<string, GPUBuffer>> {
    return namedBanks([...this.absent.map((no, i) => this.supers[i]?.buffer ?? no), this.base]);
  }

  get bound(): Bindings {
    const starts = startsOf((i) => sum(this.supers.slice(0, i).map(({ blocks }) => blocks)));
    return { ...this.slabs, starts };
  }

  get conditions() {
    return bankConditions(MAX_SUPERS + 1);
  }

  readonly constants = {};
  readonly inBanks = false;

  /** One super block more. */
  async grown(more: number): Promise<Grown | null> {
    const { gpu, base, supers, absent } = this;
    if (supers.length === MAX_SUPERS) return null;
    const count = Math.min(mostOf(gpu), more);
    const fresh = await owned(gpu, async (own) => {
      const added = await superBlock(own, supers.length, count);
      return { added, buffers: [added.buffer] };
    });
    const memory = new SuperBlocks(gpu, base, [...supers, fresh.added], absent);
    return { memory, fresh, copies: [], replaced: [] };
  }
}

/** Memory blocks that a super block may have. */
function mostOf({ maxBinding }: Owner): number {
  return Math.min(MAX_SUPER_BLOCKS, Math.floor(maxBinding / BLOCK_BYTES));
}

async function superBlock(own: Owner, i: number, blocks: number): Promise<SuperBlock> {
  return { buffer: await own.alloc(`super block ${i}`, blocks * BLOCK_BYTES), blocks };
}
