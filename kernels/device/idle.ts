import { BINDING_LIMITS, DoesNotFit } from "./errors.js";
import {
  type Command,
  type DeviceInfo,
  type Gpu,
  type Kernel,
  type KernelSource,
  type MemoryKind,
  MORE_WORDS,
  type Pass,
  type Step,
} from "./gpu.js";

/** A buffer of that many bytes, all zero, that belongs to no device. */
export function idleBuffer(label: string, bytes: number, freed = (_: GPUBuffer): void => undefined): GPUBuffer {
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

/** A device whose buffers are no memory and whose steps do nothing: what is read is zero. */
export abstract class IdleGpu implements Gpu {
  constructor(
    readonly info: DeviceInfo,
    readonly maxBinding: number,
  ) {}

  abstract kernel<const Takes extends string>(source: KernelSource<Takes>): Promise<Kernel<Takes>>;

  async alloc(label: string, bytes: number, _memory?: MemoryKind): Promise<GPUBuffer> {
    if (bytes > this.maxBinding) {
      throw new DoesNotFit(
        `${label}: ${bytes} bytes, but the device binds at most ${this.maxBinding}: ${BINDING_LIMITS}`,
      );
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

  write(_buffer: GPUBuffer, _offsetBytes: number, _data: Uint32Array): void {}
  async finished(): Promise<void> {}

  async read(_buffer: GPUBuffer, words: number): Promise<Uint32Array> {
    return new Uint32Array(words);
  }

  async time(_steps: readonly Step[]): Promise<Pass> {
    return { ns: 1000, status: new Uint32Array(MORE_WORDS), more: new Uint32Array(MORE_WORDS) };
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

  protected make(label: string, bytes: number): GPUBuffer {
    return idleBuffer(label, bytes);
  }
}
