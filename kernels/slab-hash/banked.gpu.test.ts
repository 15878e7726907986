/** Tables that are larger than a binding: their slabs lie in several banks. */
import { describe, expect, test } from "vitest";
import { spared, testGpu } from "../../bench/device/testing.js";
import { countingRunner, countMetrics } from "../../bench/measure/counting/counters.js";
import { upload } from "../../bench/verify/bulk.js";
import { keyOf } from "../../datasets/random.js";
import { EMPTY } from "../common/steps.js";
import { createTable } from "../create.js";
import { Unsupported } from "../device/errors.js";
import { scoped } from "../device/owned.js";
import { MIXED_KINDS, type Params, type TableType } from "../table.js";
import { BLOCK_SLABS } from "./blocks.js";
import { slabHash, slabSet } from "./slab-hash.js";
import { binding, Slabs } from "./testing.js";

const gpu = testGpu();
const { insert: INSERT, find: FIND, erase: ERASE } = MIXED_KINDS;
const keysFrom = (first: number, count: number) => Array.from({ length: count }, (_, i) => keyOf(first + i, 77));
/** What is inserted with these keys, and found; a set finds 1. */
const valuesOf = ({ table }: Slabs, keys: readonly number[]) =>
  keys.map((key) => (table.pairBytes === 4 ? 1 : key >>> 1));
const absent = keysFrom(1_000_000, 3000);
const banksOf = (slabs: Slabs) => Object.keys(slabs.table.pool.slabs).length;

/** Finds these keys, and none that are absent. */
async function expectThere(slabs: Slabs, keys: readonly number[]): Promise<void> {
  expect(await slabs.find(keys)).toEqual(Uint32Array.from(valuesOf(slabs, keys)));
  expect(await slabs.find(absent)).toEqual(new Uint32Array(absent.length).fill(EMPTY));
}

interface Configuration {
  readonly type: TableType;
  readonly params: Params;
}

const all: readonly Configuration[] = [
  { type: slabHash, params: {} },
  { type: slabSet, params: {} },
  { type: slabHash, params: { tile: 32 } },
  { type: slabHash, params: { allocator: "bump" } },
];

describe.each(spared ? all.slice(0, 1) : all)("$type.id with $params", ({ type, params }) => {
  const keys = keysFrom(0, 6000);

  test("pairs of each bank are found, replaced and erased, and no others", async () => {
    await Slabs.on(gpu(), binding(type, 500, 12), 6000, params, async (slabs) => {
      expect(banksOf(slabs)).toBeGreaterThan(2);
      for (let round = 0; round < 2; round++)
        expect(await slabs.insert(keys, valuesOf(slabs, keys))).toMatchObject({ count: 0 });
      await expectThere(slabs, keys);
      expect((await slabs.pairs()).size).toBe(keys.length);
      const [gone, kept] = [keys.slice(0, 4000), keys.slice(4000)];
      expect(await slabs.erase(gone)).toMatchObject({ count: gone.length });
      await expectThere(slabs, kept);
      expect(await slabs.find(gone)).toEqual(new Uint32Array(gone.length).fill(EMPTY));
      await slabs.flush();
      await expectThere(slabs, kept);
      const { pairs, nodes } = await slabs.table.nodes.occupancy();
      expect(pairs).toBe(kept.length);
      if (params.allocator !== "bump") expect(nodes - slabs.table.buckets).toBe(await slabs.allocated());
      expect(await slabs.insert(gone, valuesOf(slabs, gone))).toMatchObject({ count: 0 });
      await expectThere(slabs, keys);
    });
  });

  // What a tile does after growth is the same for every tile, and virtual warps take ten seconds for it.
  const grows = test.skipIf(params.tile === 32);

  grows("the pool grows into a second bank and a third in the middle of batches: all pairs are found", async () => {
    const lists = 600;
    await Slabs.on(gpu(), binding(type, lists + BLOCK_SLABS, 3), 100, { ...params, buckets: lists }, async (slabs) => {
      const found = new Set([banksOf(slabs)]);
      const step = type === slabSet ? 12_000 : 6000;
      let there: number[] = [];
      for (let first = 0; banksOf(slabs) < 3; first += step) {
        const next = keysFrom(first, step);
        expect(await slabs.insert(next, valuesOf(slabs, next))).toMatchObject({ count: 0 });
        there = [...there, ...next];
        found.add(banksOf(slabs));
        await expectThere(slabs, next);
      }
      expect([...found]).toEqual([1, 2, 3]);
      await expectThere(slabs, there);
      expect((await slabs.pairs()).size).toBe(there.length);
      expect(await slabs.erase(there)).toMatchObject({ count: there.length });
      await expectThere(slabs, []);
    });
  });

  grows("so it does in a mixed batch, which goes on where it stopped", async () => {
    await Slabs.on(gpu(), binding(type, 1300, 6), 100, { ...params, buckets: 150 }, async (slabs) => {
      expect(banksOf(slabs)).toBe(1);
      const size = type === slabSet ? 24_000 : 12_000;
      const halves = [keysFrom(0, size), keysFrom(size, size)];
      // Each slice inserts some, then the next one asks for them and erases every third.
      const asked = halves.flatMap((half) => [...half, ...half]);
      const kinds = asked.map((_, i) => (Math.floor(i / size) % 2 === 0 ? INSERT : i % 3 === 0 ? ERASE : FIND));
      const slices = [0, 1, 2, 3].map((i) => ({ first: i * size, count: size }));
      const { count, answers } = await slabs.mixed({ kinds, keys: asked, values: valuesOf(slabs, asked), slices });
      expect(count).toBe(0);
      expect(banksOf(slabs)).toBeGreaterThan(1);
      const expected = valuesOf(slabs, asked).map((value, i) => (kinds[i] === FIND ? value : 1));
      expect(answers).toEqual(Uint32Array.from(expected));
      expect((await slabs.pairs()).size).toBe((2 * size * 2) / 3);
    });
  });
});

test("several pairs of a key in several banks are all found and all erased", async () => {
  await Slabs.on(gpu(), binding(slabHash, 500, 12), 9000, { unique: false }, async (slabs) => {
    expect(banksOf(slabs)).toBeGreaterThan(2);
    const keys = keysFrom(0, 3000);
    for (const value of [1, 2, 3]) await slabs.insert(keys, new Array<number>(keys.length).fill(value));
    const values = await slabs.findAll([...keys, ...absent]);
    expect(values.slice(0, keys.length).map((some) => some.sort())).toEqual(keys.map(() => [1, 2, 3]));
    expect(values.slice(keys.length).flat()).toEqual([]);
    expect(await slabs.erase(keys, true)).toMatchObject({ count: 3 * keys.length });
    await expectThere(slabs, []);
  });
});

test("where all banks are full, what did not get in is counted, and the slabs in use are those of lists", async () => {
  await Slabs.on(gpu(), binding(slabHash, 600 + BLOCK_SLABS, 2), 100, { buckets: 600 }, async (slabs) => {
    const keys = keysFrom(0, 44_000);
    const { count } = await slabs.insert(keys, valuesOf(slabs, keys));
    expect(count).toBeGreaterThan(0);
    expect(banksOf(slabs)).toBe(2);
    const there = [...(await slabs.pairs()).keys()];
    expect(there.length + count).toBe(keys.length);
    expect(await slabs.allocated()).toBe(slabs.table.pool.blocks * BLOCK_SLABS);
    await expectThere(slabs, there);
    expect(await slabs.erase(there)).toMatchObject({ count: there.length });
    await slabs.flush();
    expect(await slabs.insert(there, valuesOf(slabs, there))).toMatchObject({ count: 0 });
    await expectThere(slabs, there);
  });
});

test("counting insertions go into as many banks as there may be; mixed batches bind more, and are refused in one line", async () => {
  const { maxStorageBuffersPerShaderStage: most = 8 } = gpu().info.limits;
  const banks = most - 5;
  const slabs = 2000;
  // A memory block beside them, which begins the last bank or lies in it.
  const buckets = slabs * (banks - 1) + 1 - BLOCK_SLABS;
  await scoped(gpu(), async (own) => {
    const making = { n: 1, loadFactor: 0.6, seed: 7, params: { buckets }, counting: true };
    const table = await createTable(binding(slabHash, slabs, banks), own, making);
    const keys = keysFrom(0, 300);
    const [input, results] = [await upload(own, keys), await upload(own, keys)];
    const { run, counts } = countingRunner(gpu());
    expect(await table.insert(run, { keys: input, values: input, n: keys.length })).toMatchObject({ count: 0 });
    expect(await table.find(run, { keys: input, results, n: keys.length })).toMatchObject({ count: 0 });
    expect(await gpu().read(results, keys.length)).toEqual(Uint32Array.from(keys));
    const metrics = countMetrics(counts, 2 * keys.length, table);
    expect(metrics.find(({ metric }) => metric === "table_writes")?.value).toBe(0.5);
    const batch = { kinds: input, keys: input, values: input, results, slices: [{ first: 0, count: keys.length }] };
    await expect(table.mixed?.(run, batch)).rejects.toThrow(
      new Unsupported(
        "update, counting,",
        `${most + 2} storage buffers; this device has ${most}`,
        `slab-hash with buckets=${buckets}`,
      ),
    );
  });
});
