/** Slabs of `slab-alloc-light` and `bump`: one array, which lies in several banks (common/banks.ts) where it is larger than a binding. */
import { bankConditions, banksOf, fittingBanks, mostBlocks, namedBanks } from "../common/banks.js";
import type { Bindings } from "../device/gpu.js";
import { type Owner, owned } from "../device/owned.js";
import { BLOCK_SLABS, slabsBytes } from "./blocks.js";
import { bufferOf, type Grown, type OwnedBuffer, type SlabMemory, type Wanted } from "./memory.js";
import { SLAB_BYTES } from "./utilisation.js";

/** Base slabs, and the memory blocks beside them that kernels can bind. */
interface Bounds {
  readonly base: number;
  readonly most: number;
}

/** Slabs have numbers below 2^29: there are 15 banks of 2^25 slabs at most. */
export class Banked implements SlabMemory {
  readonly growth = 1 / 4;

  private constructor(
    private readonly gpu: Owner,
    private readonly bounds: Bounds,
    readonly blocks: number,
    private readonly banks: readonly OwnedBuffer[],
  ) {}

  /** Throws DoesNotFit. */
  static async make(gpu: Owner, { base, blocks, needed, others }: Wanted): Promise<Banked> {
    const least = Math.max(1, Math.ceil(needed / BLOCK_SLABS));
    fittingBanks(gpu, { bytes: slabsBytes(base, least), blockBytes: SLAB_BYTES }, others);
    const slabs = mostBlocks(gpu, SLAB_BYTES, others).blocks;
    const bounds = { base, most: Math.floor((slabs - base) / BLOCK_SLABS) };
    const count = Math.min(blocks, bounds.most);
    const { banks } = await banksFor(gpu, layoutOf(gpu, base, count).sizes);
    return new Banked(gpu, bounds, count, banks);
  }

  get most(): number {
    return this.bounds.most;
  }

  get filled(): readonly GPUBuffer[] {
    return this.banks.map(({ buffer }) => buffer);
  }

  get slabs(): Readonly<Record<string, GPUBuffer>> {
    return namedBanks(this.filled);
  }

  get bound(): Bindings {
    return this.slabs;
  }

  get conditions() {
    return bankConditions(this.banks.length);
  }

  get constants(): Readonly<Record<string, number>> {
    const { blocks } = layoutOf(this.gpu, this.bounds.base, this.blocks);
    return this.inBanks ? { BANK_BLOCKS: blocks } : {};
  }

  get inBanks(): boolean {
    return this.banks.length > 1;
  }

  /** Banks that are full stay; the last one is copied into a larger one, if it is not. */
  async grown(more: number): Promise<Grown | null> {
    const { gpu, bounds, banks } = this;
    const blocks = Math.min(this.blocks + more, bounds.most);
    if (blocks <= this.blocks) return null;
    const { sizes } = layoutOf(gpu, bounds.base, blocks);
    const stay = banks.filter(({ buffer }, i) => buffer.size === sizes[i]);
    const replaced = banks.slice(stay.length);
    const fresh = await banksFor(gpu, sizes.slice(stay.length));
    const copies = replaced.flatMap(({ buffer: from }, i) =>
      fresh.buffers.slice(i, i + 1).map((to) => ({ from, to, bytes: from.size })),
    );
    return { memory: new Banked(gpu, bounds, blocks, [...stay, ...fresh.banks]), fresh, copies, replaced };
  }
}

function layoutOf({ maxBinding }: Owner, base: number, blocks: number) {
  return banksOf({ bytes: slabsBytes(base, blocks), blockBytes: SLAB_BYTES }, maxBinding);
}

/** Banks of these sizes, each of which can be freed by itself; all or none. */
function banksFor(gpu: Owner, sizes: readonly number[]) {
  return owned(gpu, async (own) => {
    const banks: OwnedBuffer[] = [];
    for (const bytes of sizes) banks.push(await bufferOf(own, "slabs", bytes));
    return { banks, buffers: banks.map(({ buffer }) => buffer) };
  });
}
