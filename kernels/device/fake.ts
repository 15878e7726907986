/** A device for tests of who frees what: it has no adapter, its steps do nothing, and it knows which buffers are live. */
import { DoesNotFit } from "./errors.js";
import {
  type Command,
  type DeviceInfo,
  type Gpu,
  type Kernel,
  type KernelSource,
  MORE_WORDS,
  type Pass,
  type Step,
} from "./gpu.js";

/** A buffer of that many bytes, all zero, that belongs to no device. */
export function fakeBuffer(label: string, bytes: number, freed = (_: GPUBuffer): void => undefined): GPUBuffer {
  const size = Math.max(16, Math.ceil(bytes / 16) * 16);
  const buffer = {
    label,
    size,
    mapAsync: async () => undefined,
    getMappedRange: () => new ArrayBuffer(size),
    unmap: () => undefined,
    destroy: () => freed(buffer),
  } as unknown as GPUBuffer;
  return buffer;
}

export class FakeGpu implements Gpu {
  readonly info: DeviceInfo = {
    name: "fake",
    vendor: "",
    architecture: "",
    driver: "",
    software: true,
    subgroupMin: 0,
    subgroupMax: 0,
    features: [],
    limits: {},
    toggles: "",
  };
  readonly maxBinding = 2 ** 31 - 16;
  /** All that was ever allocated, in order, and whether as a plain allocation. */
  readonly allocations: { readonly label: string; readonly plain: boolean }[] = [];
  private readonly buffers = new Set<GPUBuffer>();

  /**
   * @param failing Number of the allocation, from 1, that throws DoesNotFit; 0: none does.
   * @param status What every pass leaves in its status buffer.
   */
  constructor(
    private readonly failing = 0,
    private readonly status: readonly number[] = [0, 0, 0, 0],
  ) {}

  /** Labels of the buffers that nobody has destroyed. */
  get live(): string[] {
    return [...this.buffers].map(({ label }) => label);
  }

  async alloc(label: string, bytes: number, plain = false): Promise<GPUBuffer> {
    this.allocations.push({ label, plain });
    if (this.allocations.length === this.failing) throw new DoesNotFit(`${label}: as asked for`);
    if (bytes > this.maxBinding) {
      throw new DoesNotFit(`${label}: ${bytes} bytes, but the device binds at most ${this.maxBinding}`);
    }
    return this.make(label, bytes);
  }

  free(buffer: GPUBuffer): void {
    buffer.destroy();
  }

  uniform(words: readonly number[]): GPUBuffer {
    return this.make(`uniform ${words.join()}`, words.length * 4);
  }

  staging(label: string, _mode: "read" | "write", bytes: number): Promise<GPUBuffer> {
    return this.alloc(label, bytes);
  }

  write(): void {}
  async finished(): Promise<void> {}

  async read(_buffer: GPUBuffer, words: number): Promise<Uint32Array> {
    return new Uint32Array(words);
  }

  async kernel<const Takes extends string>(source: KernelSource<Takes>): Promise<Kernel<Takes>> {
    const { file, entry = "main", conditions, constants = {}, bound = {}, takes } = source;
    const counted = conditions?.COUNT && { file, wgsl: `fn ${entry}() {}`, entry, constants };
    return {
      file,
      pipeline: {} as GPUComputePipeline,
      bound,
      ...(takes && { takes }),
      uniform: (words) => this.uniform(words),
      ...(counted && { counted }),
    };
  }

  async time(_steps: readonly Step[]): Promise<Pass> {
    return { ns: 1000, status: Uint32Array.from(this.status), more: new Uint32Array(MORE_WORDS) };
  }

  timeNext(steps: readonly Step[]): Promise<Pass> {
    return this.time(steps);
  }

  timeDeferred(steps: readonly Step[]): Promise<Pass> {
    return this.time(steps);
  }

  async defer(_commands: readonly Command[]): Promise<void> {}
  flush(): void {}
  async run(_steps: readonly Step[]): Promise<void> {}
  async zero(_buffer: GPUBuffer): Promise<void> {}
  async submit(_commands: readonly Command[]): Promise<void> {}

  private make(label: string, bytes: number): GPUBuffer {
    const buffer = fakeBuffer(label, bytes, (freed) => this.buffers.delete(freed));
    this.buffers.add(buffer);
    return buffer;
  }
}
