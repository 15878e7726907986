/**
 * Who frees what: code that makes something of buffers gets an owner, allocates from it, and frees nothing. All that an owner
 * has is freed at its end, and at the first error while it was being made.
 */
import { Unsupported } from "./errors.js";
import type { Capabilities, Command, Gpu, Kernel, KernelSource, MemoryKind, Part, Pass, Step, Timed } from "./gpu.js";

/** Something made of buffers, which `destroy` frees, all of them. */
export type Owned<T> = T & { destroy(): void };

/** Memory that is made when it is first wanted, kept for the next time, and made anew where it no longer fits. */
export interface Kept<Size, T> {
  /** What there is now; null if there is none. */
  readonly now: T | null;
  /** Of that size. Throws DoesNotFit; then there is none. */
  get(size: Size): Promise<T>;
}

/** Where the pieces of something lie that is in several memories. */
export interface Placement {
  /** Bytes of a piece at most: what is larger than the largest binding is made of pieces. */
  readonly pieceBytes: number;
  /** Of the next buffer, of so many bytes. */
  next(bytes: number): MemoryKind;
}

/** Bytes from one constant of a page to the next: where a uniform may begin on every device. */
const CONSTANT_BYTES = 256;
const PAGE_CONSTANTS = 64;
/** Pages that an owner keeps: a program may ask for another number of items each time. */
const MOST_PAGES = 256;

/** The device, for one owner of buffers: what is allocated here is freed by `destroy`. An owner made of an owner is a part of it. */
export class Owner implements Gpu {
  /** The device itself, whoever owns its buffers. */
  readonly device: Gpu;
  private readonly whole: Owner | null;
  private readonly parts = new Set<Owner>();
  private readonly allocated = new Set<GPUBuffer>();
  private readonly others = new Set<{ destroy(): void }>();
  private readonly constants = new Map<string, Part>();
  /** Buffers of constants, the newest last, and the constants that were ever made in them. */
  private readonly pages: GPUBuffer[] = [];
  private made = 0;
  /** Those that steps may still bind. */
  private readonly forgotten = new Set<WeakRef<GPUBuffer>>();

  /** Where its buffers lie; undefined: as the device's usual ones. */
  readonly memory: MemoryKind | Placement | undefined;

  /**
   * @param user Who makes the kernels, for the reason why one cannot be. Default: the owner that this one is a part of.
   * @param memory Where its buffers lie, and those of its parts. Default: as of the owner that this one is a part of, or of the device.
   */
  constructor(
    gpu: Gpu,
    private readonly user = "",
    memory?: MemoryKind | Placement,
  ) {
    this.whole = gpu instanceof Owner ? gpu : null;
    this.device = deviceOf(gpu);
    this.memory = memory ?? this.whole?.memory;
    this.whole?.parts.add(this);
  }

  /** @param memory Default: as the owner's. */
  async alloc(label: string, bytes: number, memory?: MemoryKind): Promise<GPUBuffer> {
    const own = typeof this.memory === "string" ? this.memory : undefined;
    const buffer = await this.device.alloc(label, bytes, memory ?? own ?? this.placement?.next(bytes));
    this.allocated.add(buffer);
    return buffer;
  }

  free(buffer: GPUBuffer): void {
    this.allocated.delete(buffer);
    this.device.free(buffer);
  }

  /** The storage buffers of this owner and its parts. */
  storage(): GPUBuffer[] {
    return [...this.allocated, ...[...this.parts].flatMap((part) => part.storage())];
  }

  /** Not to be written to: there is one for the same words, if they were wanted lately. */
  constant(...words: readonly number[]): Part {
    const key = words.join();
    const known = this.constants.get(key);
    if (known) return known;
    const data = new Uint32Array(Math.max(1, Math.ceil(words.length / 4)) * 4);
    data.set(words);
    const size = data.byteLength;
    const made = size > CONSTANT_BYTES ? { buffer: this.uniform(words), offset: 0, size } : this.paged(data);
    this.constants.set(key, made);
    return made;
  }

  private paged(data: Uint32Array): Part {
    const place = this.made++ % PAGE_CONSTANTS;
    const buffer = (place > 0 && this.pages.at(-1)) || this.page();
    const offset = CONSTANT_BYTES * place;
    this.device.write(buffer, offset, data);
    return { buffer, offset, size: data.byteLength };
  }

  uniform(words: readonly number[]): GPUBuffer {
    return this.own(this.device.uniform(words));
  }

  async staging(label: string, mode: "read" | "write", bytes: number): Promise<GPUBuffer> {
    return this.own(await this.device.staging(label, mode, bytes));
  }

  /**
   * Memory that `make` makes for a size, and makes anew for a size that the one before does not fit.
   * @param fits Whether memory of size `has` will do where `wanted` is wanted. Default: it is as large.
   */
  kept<Size, T>(
    make: (own: Owner, size: Size) => Promise<T>,
    fits: (has: Size, wanted: Size) => boolean = (has, wanted) => has >= wanted,
  ): Kept<Size, T> {
    let now: { readonly size: Size; readonly made: T; readonly own: Owner } | null = null;
    return {
      get now() {
        return now?.made ?? null;
      },
      get: async (size) => {
        if (now && fits(now.size, size)) return now.made;
        // Freed first: there may not be room for both.
        now?.own.destroy();
        now = null;
        const made = await guarded(this, (own) => make(own, size));
        now = { size, ...made };
        return made.made;
      },
    };
  }

  destroy(): void {
    // It may use what is freed here.
    this.device.flush();
    this.whole?.parts.delete(this);
    for (const part of this.parts) part.destroy();
    for (const buffer of this.allocated) this.device.free(buffer);
    for (const other of this.others) other.destroy();
    this.parts.clear();
    this.allocated.clear();
    this.others.clear();
    for (const other of this.forgotten) other.deref()?.destroy();
    this.constants.clear();
    this.pages.length = 0;
    this.made = 0;
    this.forgotten.clear();
  }

  private page(): GPUBuffer {
    const page = this.uniform(new Array<number>((PAGE_CONSTANTS * CONSTANT_BYTES) / 4).fill(0));
    this.pages.push(page);
    const oldest = this.pages.length > MOST_PAGES ? this.pages.shift() : undefined;
    if (oldest) this.forget(oldest);
    return page;
  }

  /** Left to the garbage collector: steps that are kept, or commands that are not submitted yet, may bind it. */
  private forget(page: GPUBuffer): void {
    for (const [key, { buffer }] of this.constants) if (buffer === page) this.constants.delete(key);
    this.others.delete(page);
    this.forgotten.add(new WeakRef(page));
  }

  /** What ends with this owner. */
  hold(other: { destroy(): void }): void {
    this.others.add(other);
  }

  private own(buffer: GPUBuffer): GPUBuffer {
    this.hold(buffer);
    return buffer;
  }

  get info(): Capabilities {
    return this.device.info;
  }

  private get placement(): Placement | undefined {
    return typeof this.memory === "object" ? this.memory : undefined;
  }

  get maxBinding(): number {
    return Math.min(this.device.maxBinding, this.placement?.pieceBytes ?? Number.POSITIVE_INFINITY);
  }

  write(buffer: GPUBuffer, offsetBytes: number, data: Uint32Array): void {
    this.device.write(buffer, offsetBytes, data);
  }

  finished(): Promise<void> {
    return this.device.finished();
  }

  read(buffer: GPUBuffer, words: number, offset?: number): Promise<Uint32Array> {
    return this.device.read(buffer, words, offset);
  }

  /** The uniforms of its steps end with this owner. */
  async kernel<const Takes extends string>(source: KernelSource<Takes>): Promise<Kernel<Takes>> {
    try {
      const kernel = await (this.whole ?? this.device).kernel(source);
      return Object.assign(kernel, { uniform: (words: readonly number[]) => this.constant(...words) });
    } catch (error) {
      const unnamed = error instanceof Unsupported && error.user === "" && this.user !== "";
      throw unnamed ? new Unsupported(error.kernel, error.lacks, this.user) : error;
    }
  }

  time(...pass: Parameters<Timed>): Promise<Pass> {
    return this.device.time(...pass);
  }

  timeNext(...pass: Parameters<Timed>): Promise<Pass> {
    return this.device.timeNext(...pass);
  }

  timeDeferred(...pass: Parameters<Timed>): Promise<Pass> {
    return this.device.timeDeferred(...pass);
  }

  defer(commands: readonly Command[]): Promise<void> {
    return this.device.defer(commands);
  }

  flush(): void {
    this.device.flush();
  }

  run(steps: readonly Step[]): Promise<void> {
    return this.device.run(steps);
  }

  zero(buffer: GPUBuffer): Promise<void> {
    return this.device.zero(buffer);
  }

  submit(commands: readonly Command[]): Promise<void> {
    return this.device.submit(commands);
  }
}

/** The device behind all owners. */
export function deviceOf(gpu: Gpu): Gpu {
  return gpu instanceof Owner ? gpu.device : gpu;
}

/**
 * What `make` makes of buffers from the owner that it gets. Where it throws, they are freed before the error goes on. What
 * was made as a part of something else need not be destroyed: it is freed with the whole. `user`: as Owner's.
 */
export async function owned<T extends object>(
  gpu: Gpu,
  make: (own: Owner) => Promise<T>,
  user = "",
): Promise<Owned<T>> {
  const { made, own } = await guarded(gpu, make, user);
  return Object.assign(made, { destroy: () => own.destroy() });
}

async function guarded<T>(
  gpu: Gpu,
  make: (own: Owner) => Promise<T>,
  user = "",
): Promise<{ readonly made: T; readonly own: Owner }> {
  const own = new Owner(gpu, user);
  try {
    return { made: await make(own), own };
  } catch (error) {
    own.destroy();
    throw error;
  }
}

/** Does `work` with buffers that are freed at its end, however it ends. */
export async function scoped<T>(gpu: Gpu, work: (own: Owner) => Promise<T>): Promise<T> {
  const own = new Owner(gpu);
  try {
    return await work(own);
  } finally {
    own.destroy();
  }
}
