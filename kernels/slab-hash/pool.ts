/** The slabs of a table: base slabs, and an allocator's pool of memory blocks that grows between dispatches. */
import { namedBanks } from "../common/banks.js";
import { EMPTY, fillStep } from "../common/steps.js";
import { DoesNotFit } from "../device/errors.js";
import type { Bindings, Step } from "../device/gpu.js";
import { type Owned, type Owner, owned } from "../device/owned.js";
import { SLAB_BYTES } from "./utilisation.js";

export const ALLOCATORS = ["slab-alloc-light", "slab-alloc", "bump"] as const;
export type Allocator = (typeof ALLOCATORS)[number];

/** Slabs of a memory block: UNITS of kernels/slab-hash/alloc.wgsl. */
export const BLOCK_SLABS = 1024;
const BLOCK_BITS_BYTES = BLOCK_SLABS / 8;
/** Super blocks that kernels bind, each a bank of common/words.wgsl. */
export const MAX_SUPERS = 4;
/** Memory blocks of a super block: 14 bits of an address. */
const MAX_SUPER_BLOCKS = 2 ** 14;
/** Base slabs of slab-alloc: as many bits. */
const MAX_BASE = 2 ** 24;
/** Memory blocks of any pool. */
export const MOST_BLOCKS = MAX_SUPERS * MAX_SUPER_BLOCKS;
/** A pool that is out of slabs grows by this share of what it has, at least: there are few super blocks, and each doubles it. */
const GROWTH = { array: 1 / 4, supers: 1 };

/** Memory blocks for so many slabs: an eighth more than are wanted, so that a free one is found soon. */
export function blocksFor(slabs: number): number {
  return Math.max(1, Math.ceil((slabs * 1.125) / BLOCK_SLABS));
}

/** Numbers of the super blocks' first slabs, as slab.wgsl has them. @param before Memory blocks before super block i. */
export function startsOf(before: (i: number) => number) {
  const start = (i: number) => before(i) * BLOCK_SLABS;
  return { second: start(1), third: start(2), fourth: start(3), end: start(MAX_SUPERS) };
}

/** Words behind the status in which lanes mark so many memory blocks as full, a bit each: alloc.wgsl. */
export function marksOf(blocks: number): number {
  return Math.ceil(blocks / 32);
}

/** Set bits of the words. */
export function setBits(words: Uint32Array): number {
  let count = 0;
  for (let rest of words) for (; rest !== 0; count++) rest &= rest - 1;
  return count;
}

/** Bytes of base slabs, pool and bits. */
export function poolBytes(base: number, blocks: number): number {
  return (base + blocks * BLOCK_SLABS) * SLAB_BYTES + blocks * BLOCK_BITS_BYTES;
}

/** Where the slabs are: in one array, or (`slab-alloc`) the base slabs in one and each super block in another. */
interface Memory {
  readonly base: GPUBuffer;
  readonly supers: readonly GPUBuffer[];
  /** Memory blocks of each super block, or of the one array. */
  readonly blocks: readonly number[];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

export class SlabPool {
  private readonly parts: Owned<Memory>[] = [];

  private constructor(
    private readonly gpu: Owner,
    readonly allocator: Allocator,
    /** Slabs that are always in use. */
    readonly base: number,
    private memory: Memory,
    private held: Owned<{ readonly bits: GPUBuffer }>,
    /** Bound where there is no super block: no buffer may be bound twice. */
    private readonly absent: readonly GPUBuffer[],
  ) {}

  /**
   * A pool of that many memory blocks; of fewer where the device cannot bind as many. Throws DoesNotFit, also where all that
   * can be bound are not so many slabs as are `needed` beside the base slabs, or addresses do not reach all base slabs.
   */
  static async make(gpu: Owner, allocator: Allocator, base: number, blocks: number, needed = 0): Promise<SlabPool> {
    const most = BLOCK_SLABS * (allocator === "slab-alloc" ? MAX_SUPERS * mostBlocks(gpu, 0) : mostBlocks(gpu, base));
    if (needed > most)
      throw new DoesNotFit(`${base + needed} slabs: with ${allocator} the device binds ${base + most} at most`);
    const several = allocator === "slab-alloc";
    if (several && base > MAX_BASE)
      throw new DoesNotFit(
        `${base} base slabs: addresses of slab-alloc reach ${MAX_BASE}; slab-alloc-light is one array`,
      );
    const made = several ? await superBlocks(gpu, base, blocks) : await oneArray(gpu, base, blocks);
    const held = await bitsOf(gpu, sum(made.blocks));
    const absent: GPUBuffer[] = [];
    for (let i = 0; several && i < MAX_SUPERS; i++) absent.push(await gpu.alloc(`no super block ${i}`, 16));
    const pool = new SlabPool(gpu, allocator, base, made, held, absent);
    pool.parts.push(made);
    return pool;
  }

  /** The arrays of slabs, by their names in common/words.wgsl: of several the base slabs are the last bank. */
  get slabs(): Readonly<Record<string, GPUBuffer>> {
    const { base, supers } = this.memory;
    if (this.absent.length === 0) return { table: base };
    return namedBanks([...this.absent.map((no, i) => supers[i] ?? no), base]);
  }

  /** All of it, by the names in the kernels. */
  get bound(): Bindings {
    const { blocks } = this.memory;
    const starts = startsOf((i) => sum(blocks.slice(0, i)));
    return { ...this.slabs, ...(this.allocator === "slab-alloc" && { starts }), pool: this.bits };
  }

  /** A bit a slab of the pool, in the order of their numbers; of `bump`, how many were handed out. */
  get bits(): GPUBuffer {
    return this.held.bits;
  }

  get blocks(): number {
    return sum(this.memory.blocks);
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
    if (this.allocator === "bump") return null;
    return setBits(await this.gpu.read(this.bits, this.blocks * (BLOCK_SLABS / 32)));
  }

  /** All slabs EMPTY, none in use but the base slabs. */
  async clear(): Promise<void> {
    const { base, supers } = this.memory;
    await this.gpu.run(await fills(this.gpu, [base, ...supers]));
    await this.gpu.zero(this.bits);
  }

  /**
   * More blocks, for so many slabs or a share of those there are; fewer where the device has no memory for as many. Addresses
   * stay valid: one array is copied into a larger one, super blocks get one more. False, and nothing has changed, if there is
   * no memory for one block.
   */
  async grow(slabs: number): Promise<boolean> {
    const several = this.allocator === "slab-alloc";
    const share = several ? GROWTH.supers : GROWTH.array;
    let more = Math.max(blocksFor(slabs), Math.ceil(share * this.blocks));
    for (; more >= 1; more = Math.floor(more / 2)) {
      try {
        return await (several ? this.addSuper(more) : this.enlarge(more));
      } catch (error) {
        if (!(error instanceof DoesNotFit)) throw error;
      }
    }
    return false;
  }

  private async enlarge(more: number): Promise<boolean> {
    const before = this.memory.base;
    const after = await oneArray(this.gpu, this.base, this.blocks + more);
    if (sum(after.blocks) <= this.blocks) {
      after.destroy();
      return false;
    }
    await this.take(after, after, [{ from: before, to: after.base, bytes: before.size }]);
    this.parts.shift()?.destroy();
    return true;
  }

  private async addSuper(more: number): Promise<boolean> {
    const { base, supers, blocks } = this.memory;
    if (supers.length === MAX_SUPERS) return false;
    const count = Math.min(mostBlocks(this.gpu, 0), more);
    const added = await owned(this.gpu, async (own) => ({
      base,
      supers: [await own.alloc(`super block ${supers.length}`, count * BLOCK_SLABS * SLAB_BYTES)],
      blocks: [count],
    }));
    const all = { base, supers: [...supers, ...added.supers], blocks: [...blocks, ...added.blocks] };
    await this.take(added, all, []);
    return true;
  }

  /** Goes on with `memory`, of which `part` is new; frees `part` if there is no memory for its bits. */
  private async take(part: Owned<Memory>, memory: Memory, copies: readonly Copied[]): Promise<void> {
    const before = this.held;
    let held: typeof before;
    try {
      held = await bitsOf(this.gpu, sum(memory.blocks));
    } catch (error) {
      part.destroy();
      throw error;
    }
    await this.gpu.run(await fills(this.gpu, memory === part ? [part.base] : part.supers));
    await this.gpu.submit([...copies, { from: before.bits, to: held.bits, bytes: before.bits.size }]);
    await this.gpu.finished();
    before.destroy();
    this.held = held;
    this.memory = memory;
    this.parts.push(part);
  }
}

interface Copied {
  readonly from: GPUBuffer;
  readonly to: GPUBuffer;
  readonly bytes: number;
}

/** Memory blocks beside so many base slabs in one binding. */
function mostBlocks(gpu: Owner, base: number): number {
  return Math.min(MAX_SUPER_BLOCKS, Math.floor((gpu.maxBinding / SLAB_BYTES - base) / BLOCK_SLABS));
}

function oneArray(gpu: Owner, base: number, wanted: number): Promise<Owned<Memory>> {
  const blocks = Math.max(1, Math.min(wanted, mostBlocks(gpu, base)));
  return owned(gpu, async (own) => ({
    base: await own.alloc("slabs", (base + blocks * BLOCK_SLABS) * SLAB_BYTES),
    supers: [],
    blocks: [blocks],
  }));
}

/** Two super blocks at first, where there are two blocks: the others are for growth. */
function superBlocks(gpu: Owner, base: number, wanted: number): Promise<Owned<Memory>> {
  const half = Math.min(Math.ceil(wanted / 2), mostBlocks(gpu, 0));
  const blocks = wanted === 1 ? [1] : [half, half];
  return owned(gpu, async (own) => {
    const first = await own.alloc("base slabs", base * SLAB_BYTES);
    const supers: GPUBuffer[] = [];
    for (const [i, count] of blocks.entries()) {
      supers.push(await own.alloc(`super block ${i}`, count * BLOCK_SLABS * SLAB_BYTES));
    }
    return { base: first, supers, blocks };
  });
}

function bitsOf(gpu: Owner, blocks: number) {
  return owned(gpu, async (own) => ({ bits: await own.alloc("bits of slabs", blocks * BLOCK_BITS_BYTES) }));
}

function fills(gpu: Owner, buffers: readonly GPUBuffer[]): Promise<Step[]> {
  return Promise.all(buffers.map((buffer) => fillStep(gpu, buffer, EMPTY)));
}
