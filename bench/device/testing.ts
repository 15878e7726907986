/** For GPU tests: the device that scripts/test.mjs chose, and the same device with a fault in a kernel. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect } from "vitest";
import type { Gpu, KernelSource } from "../../kernels/device/gpu.js";
import { packageRoot } from "../base/paths.js";
import { allOperations } from "../verify/tally.js";
import { openDawn } from "./dawn.js";
import type { WebGpu } from "./gpu.js";
import { addKernels } from "./link.js";

/**
 * What kernels do by text that other tests compile too, with a number changed, or by text that has been verified on lavapipe, and
 * what SwiftShader takes tens of seconds to compile or to run: not done there.
 */
export const spared = process.env.HASHBENCH_DEVICE === "swiftshader";

/**
 * Opened once, with Dawn's bounds clamps, and kept for all files that run in this process: what one of them compiled, the
 * next one has. A software adapter takes longer to compile kernels than to run them.
 */
const shared = globalThis as { testDevice?: Promise<WebGpu> };

/** Tests have to assert; what is compared by a `Harness` is asserted without `expect`. */
function requireAssertions(): void {
  let before = 0;
  beforeEach(() => {
    before = allOperations();
  });
  afterEach(({ task }) => {
    const asserted = expect.getState().assertionCalls > 0 || allOperations() > before;
    if (!asserted && task.result?.state !== "skip") throw new Error("the test asserted nothing");
  });
}

/** The device; there from the file's first test on. */
export function testGpu(): () => WebGpu {
  requireAssertions();
  let gpu: WebGpu | null = null;
  beforeAll(async () => {
    shared.testDevice ??= openDawn({ adapter: process.env.HASHBENCH_ADAPTER ?? "", robust: true, toggles: [] });
    gpu = await shared.testDevice;
  });
  return () => {
    if (!gpu) throw new Error("the device is not open");
    return gpu;
  };
}

/** What `keep` is given, and what `upload` makes, is freed after the test. */
export function freedAfterTest(gpu: () => Gpu) {
  const made: { destroy(): void }[] = [];
  afterEach(() => {
    for (const one of made.splice(0)) one.destroy();
  });
  const keep = <T extends { destroy(): void }>(one: T): T => {
    made.push(one);
    return one;
  };
  const upload = async (words: Uint32Array): Promise<GPUBuffer> => {
    const buffer = keep(await gpu().alloc("test", words.byteLength));
    gpu().write(buffer, 0, words);
    return buffer;
  };
  return { keep, upload };
}

let planted = 0;

/**
 * The device, on which this kernel file has other texts: each key of `edits` stands in it once, and its value is to stand in its place.
 * A fault, to see whether it is found; or a wait, without which a race would be rare. Throws if the file has no such text any more.
 */
export function withEdits(gpu: Gpu, file: string, edits: Readonly<Record<string, string>>): Gpu {
  const folder = dirname(file);
  // Beside the folder, under a name of its own: what the folder imports of itself is the copy too.
  const copy = `${folder}-edited-${++planted}`;
  const moduleOf = (path: string) => `package::${path.replaceAll("-", "_").replaceAll("/", "::")}::`;
  for (const name of readdirSync(join(packageRoot, folder)).filter((name) => name.endsWith(".wgsl"))) {
    let text = readFileSync(join(packageRoot, folder, name), "utf8");
    for (const [sound, other] of Object.entries(`${folder}/${name}` === file ? edits : {})) {
      if (text.split(sound).length !== 2) throw new Error(`${file} does not have this once: ${sound}`);
      text = text.replace(sound, () => other);
    }
    addKernels({ [`${copy}/${name}`]: text.replaceAll(moduleOf(folder), moduleOf(copy)) });
  }
  const own = (source: KernelSource) => source.file.startsWith(`${folder}/`);
  const kernel = (source: KernelSource) =>
    gpu.kernel(own(source) ? { ...source, file: source.file.replace(folder, copy) } : source);
  return Object.create(gpu, { kernel: { value: kernel } });
}
