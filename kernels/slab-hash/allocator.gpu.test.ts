import { expect, test } from "vitest";
import { testGpu } from "../../bench/gpu/testing.js";
import { uniform } from "../../datasets/rng.js";
import { EMPTY } from "../common/steps.js";
import { scoped } from "../device/owned.js";
import type { RunSteps } from "../table.js";
import { makeAllocator } from "./allocator.js";
import { ALLOCATORS, type Allocator } from "./pool.js";

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

test.each<Allocator>(["slab-alloc-light", "slab-alloc"])(
  "%s: over many allocations and deallocations none is handed out twice, none is lost",
  async (allocator) => {
    await scoped(gpu(), async (own) => {
      const pool = await makeAllocator(own, allocator, BLOCKS, 8000);
      const draw = uniform(3);
      // Slabs that stay in use, below those that come and go.
      const held = 1000;
      await pool.allocate(run, held);
      const before = new Set(await addressesOf(pool.addresses, held, held));
      for (let round = 0; round < 20; round++) {
        const n = 1 + Math.floor(draw() * 7500);
        const got = Math.min(n, pool.slabs - held);
        expect((await pool.allocate(run, n)).count).toBe(n - got);
        for (const address of await addressesOf(pool.addresses, n, got)) expect(before.has(address)).toBe(false);
        expect(await pool.used()).toBe(held + got);
        await pool.deallocate(run, n);
        expect(await pool.used()).toBe(held);
      }
    });
  },
);
