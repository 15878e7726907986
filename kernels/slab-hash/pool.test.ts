import { expect, test } from "vitest";
import { BINDING_LIMITS, DoesNotFit } from "../device/errors.js";
import { FakeGpu } from "../device/fake.js";
import { owned } from "../device/owned.js";
import { ALLOCATORS, type Allocator, BLOCK_SLABS, marksOf, setBits } from "./blocks.js";
import { boundBeside } from "./kernels.js";
import { parameters, sizesFor } from "./parameters.js";
import { SlabPool } from "./pool.js";
import { SuperBlocks } from "./super-blocks.js";
import { bucketsFor, expectedSlabs, expectedUtilisation, slabsPerList } from "./utilisation.js";

const BASE = 10;
/** Storage buffers of insertions beside the slabs: of the 8 of a fake device they leave three to an array. */
const OTHERS = 5;
const BANKS = 3;

const made = async (gpu: FakeGpu, allocator: Allocator, { base = BASE, blocks = 4, needed = 0 } = {}) =>
  owned(gpu, async (own) => ({
    pool: await SlabPool.make(own, allocator, { base, blocks, needed, others: OTHERS }, SuperBlocks),
  }));

/** Slabs of a binding; those that an allocator has beside the base slabs, at most. */
const slabsOf = (gpu: FakeGpu) => Math.floor(gpu.maxBinding / 128);
const whole = (slabs: number) => Math.floor(slabs / BLOCK_SLABS) * BLOCK_SLABS;
const mostOf = (gpu: FakeGpu, allocator: Allocator) =>
  allocator === "slab-alloc" ? 4 * whole(slabsOf(gpu)) : whole(BANKS * slabsOf(gpu) - BASE);

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
  // An array may be as large as its banks; there are four super blocks.
  expect(blocks).toBe(allocator === "slab-alloc" ? 16 : mostOf(gpu, allocator) / BLOCK_SLABS);
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
    const most = mostOf(gpu, allocator);
    const buffers = allocator === "slab-alloc" ? 5 : BANKS;
    const bound = allocator === "slab-alloc" ? BASE + most : BANKS * slabsOf(gpu);
    await expect(made(gpu, allocator, { needed: most + 1 })).rejects.toThrow(
      new DoesNotFit(
        `${(BASE + most + BLOCK_SLABS) * 128} bytes: the device binds ${bound * 128}, in ${buffers} storage buffers: ${BINDING_LIMITS}`,
      ),
    );
    expect(gpu.live).toEqual([]);
    (await made(gpu, allocator, { needed: most })).destroy();
    expect(gpu.live).toEqual([]);
  },
);

const sizesIn = (pool: SlabPool) => Object.values(pool.slabs).map(({ size }) => size / 128);

test("an array that becomes larger than a binding keeps its full banks, and has bits of operations behind those of slabs", async () => {
  const gpu = Object.assign(new FakeGpu(), { maxBinding: 10_000 * 128 });
  const { pool, destroy } = await made(gpu, "slab-alloc-light", { blocks: 6 });
  await pool.reserve(100);
  expect(sizesIn(pool)).toEqual([10 + 6 * 1024]);
  expect(pool.constants).toEqual({});
  expect(pool.conditions).toMatchObject({ BANKED: false, PENDING_IN_POOL: false });
  expect(Object.keys(pool.bound)).toEqual(["table", "pool", "pending"]);
  await pool.grow(5 * 900);
  expect(sizesIn(pool)).toEqual([10_000, 10 + 11 * 1024 - 10_000]);
  expect(pool.constants).toEqual({ BANK_BLOCKS: 10_000 });
  expect(pool.conditions).toMatchObject({ BANKED: true, BANK_3: false, PENDING_IN_POOL: true });
  expect(Object.keys(pool.bound)).toEqual(["bank0", "last_bank", "pool"]);
  const { bank0 } = pool.slabs;
  await pool.grow(16_000);
  expect(sizesIn(pool)).toEqual([10_000, 10_000, 10 + 29 * 1024 - 20_000]);
  expect(pool.conditions).toMatchObject({ BANKED: true, BANK_3: true, BANK_4: false });
  expect(pool.slabs.bank0).toBe(bank0);
  expect(await pool.grow(1)).toBe(false);
  const storage = gpu.live.filter((label) => !label.startsWith("uniform"));
  expect(storage.sort()).toEqual(["bits of slabs", "slabs", "slabs", "slabs"]);
  destroy();
  expect(gpu.live).toEqual([]);
});

test.each([1, 2, 3])("where allocation %i of a growth into banks fails, what was there stays", async (nth) => {
  const before = 3;
  const gpu = Object.assign(new FakeGpu(before + nth), { maxBinding: 10_000 * 128 });
  const { pool, destroy } = await made(gpu, "slab-alloc-light", { blocks: 9 });
  await pool.reserve(100);
  // Two banks and the bits; then, without one of these, half as many blocks.
  expect(await pool.grow(7 * 900)).toBe(true);
  expect(pool.blocks).toBe(9 + 3);
  expect(gpu.live.filter((label) => label === "slabs")).toHaveLength(2);
  destroy();
  expect(gpu.live).toEqual([]);
});

test("on a GPU with 16 storage buffers the slabs of 2^31 pairs at load factor 0.8 are 11 banks, for counting insertions too", async () => {
  const gpu = new FakeGpu();
  Object.assign(gpu.info, { limits: { maxStorageBuffersPerShaderStage: 16 } });
  const sizes = sizesFor(2 ** 31, 0.8, parameters.of(), 8);
  const needed = Math.ceil(sizes.expected) - sizes.buckets;
  const others = boundBeside({ keyOnly: false, counting: true });
  const { pool, destroy } = await owned(gpu, async (own) => ({
    pool: await SlabPool.make(own, "slab-alloc-light", { ...sizes, base: sizes.buckets, needed, others }, undefined),
  }));
  expect(Object.keys(pool.slabs)).toHaveLength(11);
  expect(pool.total).toBeGreaterThan(sizes.expected);
  expect(pool.blocks).toBe(sizes.blocks);
  expect(marksOf(pool.most)).toBeLessThan(2 ** 13);
  destroy();
});

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
  await expect(made(gpu, "slab-alloc", { base: 2 ** 24 + 1 })).rejects.toThrow(
    new DoesNotFit("16777217 base slabs: addresses of slab-alloc reach 16777216; those of slab-alloc-light reach all"),
  );
  expect(gpu.live).toEqual([]);
  (await made(gpu, "slab-alloc", { base: 2 ** 24 })).destroy();
  (await made(gpu, "slab-alloc-light", { base: 2 ** 24 + 1 })).destroy();
});

test("the set bits of words are counted, the highest too", () => {
  expect(setBits(Uint32Array.of(0, 1, 0x80000000, 0xffffffff))).toBe(34);
  expect(setBits(new Uint32Array())).toBe(0);
});
