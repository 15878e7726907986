import { afterEach, beforeEach, expect, test } from "vitest";
import { testGpu } from "../../bench/gpu/testing.js";
import { keyConstants, keyRange } from "../../datasets/random.js";
import { EMPTY } from "../common/steps.js";
import { createTable } from "../create.js";
import type { Gpu } from "../device/gpu.js";
import type { Owned } from "../device/owned.js";
import { type GpuTable, type Making, MIXED_KINDS, type OpResult, type Params } from "../table.js";
import { cuckoo } from "./cuckoo.js";

const gpu = testGpu();
const usual = { n: 2000, loadFactor: 0.8, seed: 1, counting: false };
let buffers: GPUBuffer[] = [];
let tables: Owned<GpuTable>[] = [];

beforeEach(() => {
  buffers = [];
  tables = [];
});
afterEach(() => {
  for (const one of [...buffers, ...tables]) one.destroy();
});

/** A cleared table, and the buffer that holds its slots. */
async function open(
  options: Partial<Making> & { readonly params?: Params } = {},
): Promise<{ table: GpuTable; slots: GPUBuffer }> {
  const made: GPUBuffer[] = [];
  const watched = Object.create(gpu(), {
    alloc: {
      value: async (label: string, bytes: number) => {
        const buffer = await gpu().alloc(label, bytes);
        if (label === "cuckoo table") made.push(buffer);
        return buffer;
      },
    },
  }) as Gpu;
  const table = await createTable(cuckoo, watched, { ...usual, ...options });
  tables.push(table);
  await table.clear();
  const [slots] = made;
  if (!slots) throw new Error("the table allocated no slots");
  return { table, slots };
}

async function upload(words: Uint32Array): Promise<GPUBuffer> {
  const buffer = await gpu().alloc("test", words.length * 4);
  buffers.push(buffer);
  gpu().write(buffer, 0, words);
  return buffer;
}

const keysFrom = (first: number, count: number) => keyRange(first, count, keyConstants(3));
const valuesOf = (keys: Uint32Array) => keys.map((key) => key >>> 1);
const run: Parameters<GpuTable["insert"]>[0] = (steps, status) => gpu().time(steps, status);

/** Inserts in slices of 500, and asks for every key in the slice that inserts it; what each operation answered. */
async function mixed(table: GpuTable, inserted: Uint32Array): Promise<{ result: OpResult; answers: Uint32Array }> {
  const n = 2 * inserted.length;
  const keys = Uint32Array.from({ length: n }, (_, i) => inserted[i >>> 1] ?? 0);
  const kinds = keys.map((_, i) => (i % 2 === 0 ? MIXED_KINDS.find : MIXED_KINDS.insert));
  const results = await upload(new Uint32Array(n).fill(0xdeadbeef));
  const slices = Array.from({ length: Math.ceil(n / 500) }, (_, s) => {
    return { first: 500 * s, count: Math.min(500, n - 500 * s) };
  });
  const batch = { kinds: await upload(kinds), keys: await upload(keys), values: await upload(valuesOf(keys)), results };
  const result = await table.mixed?.(run, { ...batch, slices });
  if (!result) throw new Error("the table has no mixed");
  return { result, answers: await gpu().read(results, n) };
}

/** The pairs in the slots, by key. Throws if a slot holds no pair but is not empty either. */
async function pairsIn(table: GpuTable, slots: GPUBuffer): Promise<[number, number][]> {
  const words = await gpu().read(slots, 2 * table.slots);
  const pairs: [number, number][] = [];
  for (let at = 0; at < words.length; at += 2) {
    const [key = EMPTY, value = EMPTY] = [words[at], words[at + 1]];
    if (key !== EMPTY || value !== EMPTY) pairs.push([key, value]);
  }
  return pairs.sort(([a], [b]) => a - b);
}

const expectedPairs = (keys: Uint32Array) => [...keys].map((key) => [key, key >>> 1]).sort(([a = 0], [b = 0]) => a - b);

test("after mixed slices every pair is in one slot, and nothing else is in any", async () => {
  const { table, slots } = await open();
  const keys = keysFrom(0, 2000);
  const { result, answers } = await mixed(table, keys);
  expect(result.count).toBe(0);
  expect(await pairsIn(table, slots)).toEqual(expectedPairs(keys));
  // A slice's retrievals run after its insertions.
  expect(answers).toEqual(Uint32Array.from({ length: 4000 }, (_, i) => (i % 2 === 0 ? (keys[i >>> 1] ?? 0) >>> 1 : 1)));
});

test("slices add to a table that was built in bulk", async () => {
  const { table, slots } = await open();
  const first = keysFrom(0, 1000);
  await table.insert(run, { keys: await upload(first), values: await upload(valuesOf(first)), n: 1000 });
  expect((await mixed(table, keysFrom(1000, 1000))).result).toMatchObject({ count: 0, restarts: 0 });
  expect(await pairsIn(table, slots)).toEqual(expectedPairs(keysFrom(0, 2000)));
});

test("a batch whose chains are too long starts again with other constants, until all pairs are in", async () => {
  // Two functions at their smallest space: many builds fail.
  let restarts = 0;
  for (let seed = 1; seed <= 20; seed++) {
    const { table, slots } = await open({ n: 60, loadFactor: 1 / 2.1, params: { functions: 2 }, seed });
    const keys = keysFrom(100 * seed, 60);
    const { result } = await mixed(table, keys);
    expect(result.count).toBe(0);
    expect(await pairsIn(table, slots)).toEqual(expectedPairs(keys));
    restarts += result.restarts;
  }
  expect(restarts).toBeGreaterThan(0);
});

test("more pairs than slots are given up at last", async () => {
  const { table } = await open({ n: 100 });
  const { result } = await mixed(table, keysFrom(0, table.slots + 1));
  expect(result.count).toBeGreaterThan(0);
});

test("a chain that is too long on a table that had pairs is an error", async () => {
  const { table } = await open({ n: 100 });
  await mixed(table, keysFrom(0, 100));
  await expect(mixed(table, keysFrom(100, 100))).rejects.toThrow(/chains were too long/);
});

test("a reserved key is refused, and makes no chain fail", async () => {
  const { table, slots } = await open();
  const keys = Uint32Array.of(EMPTY, 5, EMPTY - 1);
  const { result, answers } = await mixed(table, keys);
  expect(result).toMatchObject({ count: 2, restarts: 0 });
  expect(answers).toEqual(Uint32Array.of(EMPTY, 0, 2, 1, EMPTY, 0));
  expect(await pairsIn(table, slots)).toEqual([[5, 2]]);
});
