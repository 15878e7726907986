/** For GPU tests: the device that scripts/test.mjs chose. */
import { beforeAll } from "vitest";
import { openDawn } from "./dawn.js";
import type { WebGpu } from "./gpu.js";

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

/** The device; there from the file's first test on. */
export function testGpu(): () => WebGpu {
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
