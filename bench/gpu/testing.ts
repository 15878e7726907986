/** For GPU tests: the device that scripts/test.mjs chose, opened once a file. */
import { afterAll, beforeAll } from "vitest";
import { openDawn } from "./dawn.js";
import type { WebGpu } from "./gpu.js";

/** Opens the device before the file's tests, with Dawn's bounds clamps, and closes it after them. */
export function testGpu(): () => WebGpu {
  let gpu: WebGpu | null = null;
  beforeAll(async () => {
    gpu = await openDawn({ adapter: process.env.HASHBENCH_ADAPTER ?? "", robust: true, toggles: [] });
  });
  afterAll(() => gpu?.destroy());
  return () => {
    if (!gpu) throw new Error("the device is not open");
    return gpu;
  };
}
