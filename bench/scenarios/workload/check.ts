/** Checks on the device: answers that are poisoned before, and kernels that say how many items are wrong. */
import { step } from "../../../kernels/common/bulk.js";
import { EMPTY, fillStep } from "../../../kernels/common/steps.js";
import type { Bindings, Gpu, KernelSource } from "../../../kernels/device/gpu.js";
import { scoped } from "../../../kernels/device/owned.js";

/** Overwrites a buffer of answers, so that one which is not written is seen. */
export async function poison(gpu: Gpu, answers: GPUBuffer): Promise<void> {
  await gpu.run([await fillStep(gpu, answers, 0xdeadbeef)]);
}

/** Result of a check: how many of its items are wrong, and the first of them. */
export class Wrong {
  constructor(
    private readonly gpu: Gpu,
    readonly count: number,
    readonly first: number,
  ) {}

  /** The word that a buffer has for the first wrong item. */
  async wordOf(buffer: GPUBuffer): Promise<number> {
    const [word = 0] = await this.gpu.read(buffer, 1, this.first);
    return word;
  }

  /** Key and result of the first wrong item: `key 0x…, result 0x…`. */
  async answerIn(keys: GPUBuffer, results: GPUBuffer): Promise<string> {
    return inWords(await this.wordOf(keys), await this.wordOf(results));
  }
}

export function inWords(key: number, result: number): string {
  return `key ${hex(key)}, result ${hex(result)}`;
}

/** A kernel, and all that it binds but its verdict. */
export interface Check extends Pick<KernelSource, "file" | "entry" | "conditions"> {
  readonly bound: Bindings;
}

/**
 * Runs a check, which says in a verdict of two words (verdict.wgsl) how many of `items` items are wrong, and the first of them. Null if
 * none is.
 */
export function firstWrong(gpu: Gpu, items: number, check: Check): Promise<Wrong | null> {
  return scoped(gpu, async (own) => {
    const verdict = await own.alloc("verdict", 16);
    gpu.write(verdict, 0, Uint32Array.of(0, EMPTY));
    const kernel = await own.kernel({ ...check, takes: ["verdict"] });
    await gpu.submit([step(kernel, items, { verdict })]);
    const [wrong = 0, first = 0] = await gpu.read(verdict, 2);
    return wrong === 0 ? null : new Wrong(gpu, wrong, first);
  });
}

/** Runs a kernel of a workload once, a lane an item. */
export function runOnce(gpu: Gpu, items: number, kernel: Check): Promise<void> {
  return scoped(gpu, async (own) => own.run([step(await own.kernel({ ...kernel, takes: [] }), items, {})]));
}

export function hex(word: number): string {
  return `0x${word.toString(16).padStart(8, "0")}`;
}
