import { expect, test } from "vitest";
import { DoesNotFit } from "../device/errors.js";
import { FakeGpu } from "../device/fake.js";
import { owned } from "../device/owned.js";
import { ALLOCATORS, SlabPool, setBits } from "./pool.js";
import { bucketsFor, expectedSlabs, expectedUtilisation, slabsPerList } from "./utilisation.js";

const made = async (gpu: FakeGpu, allocator: (typeof ALLOCATORS)[number]) =>
  owned(gpu, async (own) => ({ pool: await SlabPool.make(own, allocator, 10, 4) }));

test.each(ALLOCATORS)("%s grows until it cannot, keeps what it has then, and leaves nothing", async (allocator) => {
  const gpu = new FakeGpu();
  const it = await made(gpu, allocator);
  const { pool } = it;
  let blocks = pool.blocks;
  while (await pool.grow(1)) {
    expect(pool.blocks).toBeGreaterThan(blocks);
    expect(pool.total).toBe(10 + pool.blocks * 1024);
    blocks = pool.blocks;
  }
  expect(pool.blocks).toBe(blocks);
  // One array may be as large as a binding; there are four super blocks.
  expect(blocks).toBe(allocator === "slab-alloc" ? 16 : Math.floor((gpu.maxBinding / 128 - 10) / 1024));
  it.destroy();
  expect(gpu.live).toEqual([]);
});

test.each(ALLOCATORS)(
  "%s: an allocation that fails while the pool grows costs a smaller growth, and no memory",
  async (allocator) => {
    const before = new FakeGpu();
    const it = await made(before, allocator);
    const made0 = before.live.filter((label) => !label.startsWith("uniform")).length;
    it.destroy();
    for (const failing of [made0 + 1, made0 + 2]) {
      const gpu = new FakeGpu(failing);
      const { pool, destroy } = await made(gpu, allocator);
      expect(await pool.grow(40_000)).toBe(true);
      expect(pool.blocks).toBeGreaterThan(4);
      expect(pool.blocks).toBeLessThan(40);
      destroy();
      expect(gpu.live).toEqual([]);
    }
  },
);

test.each(ALLOCATORS)(
  "%s: more slabs than the device can bind do not fit, and nothing is allocated",
  async (allocator) => {
    const gpu = new FakeGpu();
    const inOne = Math.floor((gpu.maxBinding / 128 - 10) / 1024) * 1024;
    const most = allocator === "slab-alloc" ? 4 * Math.floor(gpu.maxBinding / 128 / 1024) * 1024 : inOne;
    const make = (needed: number) =>
      owned(gpu, async (own) => ({ pool: await SlabPool.make(own, allocator, 10, 4, needed) }));
    await expect(make(most + 1)).rejects.toThrow(
      `${10 + most + 1} slabs: with ${allocator} the device binds ${10 + most} at most`,
    );
    expect(gpu.live).toEqual([]);
    (await make(most)).destroy();
    expect(gpu.live).toEqual([]);
  },
);

test("the mean number of slabs of a list is one as the list becomes empty, and goes to pairs / 15 + 7 / 15", () => {
  expect(slabsPerList(1e-9, 15)).toBeCloseTo(1, 6);
  expect(slabsPerList(0.001, 15)).toBeCloseTo(1, 6);
  expect(slabsPerList(590, 15)).toBeCloseTo((590 + 7) / 15, 3);
  expect(slabsPerList(700, 15)).toBeCloseTo((700 + 7) / 15, 9);
  // Lists of 0 … 15 pairs are one slab: P(X > 15) of a Poisson variable of mean 9 is 0.0220.
  expect(slabsPerList(9, 15)).toBeCloseTo(1.022, 3);
});

test.each([0.1, 0.3, 0.6, 0.81, 0.9, 0.93])(
  "so many lists as are chosen for utilisation %f reach it",
  (utilisation) => {
    const n = 2 ** 22;
    const buckets = bucketsFor(n, utilisation, 8);
    expect(expectedUtilisation(n, buckets, 8)).toBeGreaterThanOrEqual(utilisation);
    expect(expectedUtilisation(n, buckets + 1, 8)).toBeLessThan(utilisation);
    expect(expectedUtilisation(n, buckets, 8)).toBeLessThan(utilisation + 0.001);
  },
);

test("one list has a utilisation of at most 15/16, and a table of one pair is one list", () => {
  expect(bucketsFor(1, 0.9, 8)).toBe(1);
  expect(expectedUtilisation(2 ** 22, 1, 8)).toBeCloseTo(15 / 16, 4);
  expect(expectedSlabs(3, 1, 4)).toBeCloseTo(1, 6);
});

test("slab-alloc has no more base slabs than its addresses reach, also where the device binds more", async () => {
  const gpu = Object.assign(new FakeGpu(), { maxBinding: 2 ** 32 });
  const make = (allocator: (typeof ALLOCATORS)[number], base: number) =>
    owned(gpu, async (own) => ({ pool: await SlabPool.make(own, allocator, base, 4) }));
  await expect(make("slab-alloc", 2 ** 24 + 1)).rejects.toThrow(
    new DoesNotFit("16777217 base slabs: addresses of slab-alloc reach 16777216; slab-alloc-light is one array"),
  );
  expect(gpu.live).toEqual([]);
  (await make("slab-alloc", 2 ** 24)).destroy();
  (await make("slab-alloc-light", 2 ** 24 + 1)).destroy();
});

test("the set bits of words are counted, the highest too", () => {
  expect(setBits(Uint32Array.of(0, 1, 0x80000000, 0xffffffff))).toBe(34);
  expect(setBits(new Uint32Array())).toBe(0);
});
