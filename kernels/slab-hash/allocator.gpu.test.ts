import { expect, test } from "vitest";
import { testGpu } from "../../bench/gpu/testing.js";
import { EMPTY } from "../common/steps.js";
import { scoped } from "../device/owned.js";
import type { RunSteps } from "../table.js";
import { makeAllocator } from "./allocator.js";
import { ALLOCATORS } from "./pool.js";

const gpu = testGpu();
const BLOCKS = 7;
const run: RunSteps = (steps, status) => gpu().time(steps, status);

/** The addresses that lanes got; none is another's. */
async function addressesOf(buffer: GPUBuffer, n: number, got: number): Promise<number[]> {
  const addresses = [...(await gpu().read(buffer, n))].filter((address) => address !== EMPTY);
  expect(addresses.length).toBe(got);
  expect(new Set(addresses).size).toBe(got);
  return addresses;
}

test.each(ALLOCATORS)("%s hands out every slab once, and no more", async (allocator) => {
  await scoped(gpu(), async (own) => {
    const most = 8000;
    const pool = await makeAllocator(own, allocator, BLOCKS, most);
    expect((await pool.allocate(run, most)).count).toBe(most - pool.slabs);
    const addresses = await addressesOf(pool.addresses, most, pool.slabs);
    expect(await pool.used()).toBe(pool.slabs);
    // 10 bits of unit, 14 of memory block, 8 of super block.
    const supers = new Set(addresses.map((address) => address >>> 24));
    expect(supers.size).toBe(allocator === "slab-alloc" ? 4 : 1);
  });
});
