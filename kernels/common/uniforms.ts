import type { Gpu } from "../device/gpu.js";

/** Uniform buffers by their words: each is made once, and all live until `destroy`. */
export class Uniforms {
  private readonly buffers = new Map<string, GPUBuffer>();

  constructor(private readonly gpu: Gpu) {}

  of(...words: readonly number[]): GPUBuffer {
    const key = words.join();
    const known = this.buffers.get(key);
    if (known) return known;
    const made = this.gpu.uniform(words);
    this.buffers.set(key, made);
    return made;
  }

  destroy(): void {
    for (const buffer of this.buffers.values()) buffer.destroy();
  }
}
