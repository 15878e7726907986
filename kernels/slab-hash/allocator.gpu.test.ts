import { expect, test } from "vitest";
import { testGpu } from "../../bench/device/testing.js";
import { EMPTY } from "../common/steps.js";
import { scoped } from "../device/owned.js";
import type { RunSteps } from "../table.js";
import { makeAllocator } from "./allocator.js";
import { ALLOCATORS, BLOCK_SLABS } from "./blocks.js";

const gpu = testGpu();
const BLOCKS = 7;
const run: RunSteps = (...pass) => gpu().time(...pass);

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

const reusing = ALLOCATORS.filter((allocator) => allocator !== "bump");

test.each(reusing)("%s finds the last free slabs of many memory blocks, wherever they are", async (allocator) => {
  await scoped(gpu(), async (own) => {
    // A lane tries 16 words of 3,200 before it looks at all.
    const blocks = 100;
    const all = blocks * BLOCK_SLABS;
    const pool = await makeAllocator(own, allocator, blocks, all);
    expect((await pool.allocate(run, all)).count).toBe(0);
    const addresses = (await gpu().read(pool.addresses, all)).sort();
    for (const free of [[0], [all - 1], [31_999], [7, 60_000], [40_000, 40_001, 99_000]]) {
      const given = Uint32Array.from(free, (at) => addresses[at] ?? 0);
      // As many lanes as slabs, then more, of which the others get none.
      for (const lanes of [free.length, 1000]) {
        gpu().write(pool.addresses, 0, given);
        await pool.deallocate(run, free.length);
        expect(await pool.used()).toBe(all - free.length);
        expect((await pool.allocate(run, lanes)).count).toBe(lanes - free.length);
        const got = await addressesOf(pool.addresses, lanes, free.length);
        expect(got.sort((a, b) => a - b)).toEqual([...given]);
      }
    }
  });
});

test.each(ALLOCATORS)("%s has a slab for each of as many lanes as there are slabs", async (allocator) => {
  await scoped(gpu(), async (own) => {
    const pool = await makeAllocator(own, allocator, 256, 256 * BLOCK_SLABS);
    for (let round = 0; round < 3; round++) {
      await pool.clear();
      expect((await pool.allocate(run, pool.slabs)).count).toBe(0);
      expect(await pool.used()).toBe(pool.slabs);
    }
  });
});
