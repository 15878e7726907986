/** Kernels that count on subgroups of the adapter's size, where its information is wrong. */
import { expect, test } from "vitest";
import type { WebGpu } from "../../bench/device/gpu.js";
import { testGpu } from "../../bench/device/testing.js";
import { Harness } from "../../bench/verify/harness.js";
import { keyOf } from "../../datasets/random.js";
import { bucketed } from "../bucketed/bucketed.js";
import { configure } from "../define.js";
import type { KernelSource } from "../device/gpu.js";
import { quotient } from "../quotient/quotient.js";
import { radixSort } from "../radix-sort/radix-sort.js";
import { subgroupLanes } from "./warp.js";

const gpu = testGpu();
const N = 9000;
/**
 * Sizes that no adapter of the tests has: lavapipe's cache on disk does not tell code for 4 lanes from code for 8, and would hand
 * on what is made here for a size to a process in which it is the right one.
 */
const WRONG = [1, 128];
const keys = Array.from({ length: N }, (_, i) => keyOf(i, 99));

/** The device, but the kernels of that file are told of subgroups of so many lanes. */
function lying(file: string, lanes: number): WebGpu {
  const kernel = (source: KernelSource) =>
    gpu().kernel(
      source.file.endsWith(file) ? { ...source, constants: { ...source.constants, SUBGROUP: lanes } } : source,
    );
  return Object.create(gpu(), { kernel: { value: kernel } });
}

test.each([
  ["bucketed", "scatter.wgsl", configure(bucketed, { partitioned: true }), 0.8],
  ["quotient", "scatter.wgsl", configure(quotient, { partitioned: true }), 0.8],
  ["radix-sort", "scatter.wgsl", radixSort, 1],
  ["radix-sort", "sort-part.wgsl", radixSort, 1],
] as const)("%s, %s: subgroups of another size are an error, and no lost pairs", async (_, file, type, loadFactor) => {
  const size = subgroupLanes(gpu().info, 256);
  // Both adapters of the tests have subgroups of one size; without them these kernels do not use any.
  expect(size).toBeGreaterThan(0);
  for (const lanes of WRONG) {
    await Harness.on(lying(file, lanes), type, N, loadFactor, async (table) => {
      await expect(table.insert(keys, keys)).rejects.toThrow("in other subgroups than the adapter says");
    });
  }
  await Harness.on(lying(file, size), type, N, loadFactor, async (table) => {
    await table.insert(keys, keys);
    await table.find(keys);
  });
});
