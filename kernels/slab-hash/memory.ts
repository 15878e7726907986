/** Where the slabs of a table are. */
import type { Bindings, Copy } from "../device/gpu.js";
import { type Owned, type Owner, owned } from "../device/owned.js";

/** What a pool is made for. */
export interface Wanted {
  /** Slabs that are always in use. */
  readonly base: number;
  /** Memory blocks; fewer where the device cannot bind as many. */
  readonly blocks: number;
  /** Slabs beside the base slabs, without which there is no pool. */
  readonly needed: number;
  /** Storage buffers that insertions bind beside the slabs. */
  readonly others: number;
}

/** Base slabs and memory blocks as they are until the pool grows: then other ones take their place. */
export interface SlabMemory {
  readonly blocks: number;
  /** Memory blocks that there may be. */
  readonly most: number;
  /** Share of its blocks by which it grows, at least. */
  readonly growth: number;
  /** The buffers, by their names in common/words.wgsl, and what else tells slab.wgsl where a slab is. */
  readonly slabs: Readonly<Record<string, GPUBuffer>>;
  readonly bound: Bindings;
  readonly conditions: Readonly<Record<string, boolean>>;
  readonly constants: Readonly<Record<string, number>>;
  /** It is one array that lies in several buffers. */
  readonly inBanks: boolean;
  /** Of the buffers, those that hold slabs. */
  readonly filled: readonly GPUBuffer[];
  /** With so many more blocks, or as many as there may be; null if there may be none. Throws DoesNotFit. */
  grown(more: number): Promise<Grown | null>;
}

export interface Grown {
  readonly memory: SlabMemory;
  /** Its new buffers. */
  readonly fresh: Owned<{ readonly buffers: readonly GPUBuffer[] }>;
  /** What they hold of the old ones. */
  readonly copies: readonly Copy[];
  /** What is not needed after that. */
  readonly replaced: readonly { destroy(): void }[];
}

export type OwnedBuffer = Owned<{ readonly buffer: GPUBuffer }>;

/** A buffer that can be freed before the others of its owner. */
export function bufferOf(gpu: Owner, label: string, bytes: number): Promise<OwnedBuffer> {
  return owned(gpu, async (own) => ({ buffer: await own.alloc(label, bytes) }));
}
