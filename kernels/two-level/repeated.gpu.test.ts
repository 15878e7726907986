import { expect, test } from "vitest";
import { freedAfterTest, testGpu } from "../../bench/device/testing.js";
import { countingRunner } from "../../bench/measure/counting/counters.js";
import { EMPTY } from "../common/steps.js";
import { createTable } from "../create.js";
import type { GpuTable, Making, TableType } from "../table.js";
import { BUCKET_KEYS, BUCKET_SLOTS, bucketsFor } from "./buckets.js";
import { twoLevelCompacting, twoLevelMultivalue } from "./repeated.js";
import { colliding, keysFrom } from "./testing.js";

const gpu = testGpu();
const usual = { loadFactor: twoLevelCompacting.maxLoadFactor, seed: 1, counting: false };
const { keep, upload } = freedAfterTest(gpu);

async function open(type: TableType, options: Pick<Making, "n"> & Partial<Making>): Promise<GpuTable> {
  const table = keep(await createTable(type, gpu(), { ...usual, ...options }));
  return table;
}

const run: Parameters<GpuTable["insert"]>[0] = (...pass) => gpu().time(...pass);

/** Pair i has the value i. */
async function insert(table: GpuTable, keys: Uint32Array, runner = run) {
  const values = Uint32Array.from(keys, (_, i) => i);
  return table.insert(runner, { keys: await upload(keys), values: await upload(values), n: keys.length });
}

async function find(table: GpuTable, keys: Uint32Array, words: number): Promise<Uint32Array> {
  const results = await upload(new Uint32Array(words * keys.length).fill(0xdeadbeef));
  await table.find(run, { keys: await upload(keys), results, n: keys.length });
  return gpu().read(results, words * keys.length);
}

function listOf(table: GpuTable, words: number): Promise<Uint32Array> {
  if (!table.storage?.list) throw new Error("a table without a list");
  return gpu().read(table.storage.list, words);
}

/** The ids of the distinct keys are 0 … and stand for them. */
async function expectIds(table: GpuTable, distinct: Uint32Array): Promise<void> {
  const ids = await find(table, distinct, 1);
  expect(ids.toSorted()).toEqual(distinct.map((_, i) => i));
  const list = await listOf(table, distinct.length);
  expect(ids.map((id) => list[id] ?? EMPTY)).toEqual(distinct);
  expect(await find(table, keysFrom(1 << 24, 100), 1)).toEqual(new Uint32Array(100).fill(EMPTY));
}

/** The ranges of the distinct keys are their values, and the ranges of all keys cover the list. */
async function expectRanges(table: GpuTable, keys: Uint32Array, distinct: Uint32Array): Promise<void> {
  const ranges = await find(table, distinct, 2);
  const list = await listOf(table, keys.length);
  const found = new Uint32Array(keys.length).fill(EMPTY);
  for (const [i, key] of distinct.entries()) {
    const [first = 0, count = 0] = ranges.subarray(2 * i, 2 * i + 2);
    for (const value of list.subarray(first, first + count)) found[value] = key;
  }
  expect(found).toEqual(keys);
  expect(list.toSorted()).toEqual(keys.map((_, i) => i));
  expect(await find(table, keysFrom(1 << 24, 100), 2)).toEqual(new Uint32Array(200).fill(EMPTY));
}

/** Each key `times` times; the copies of a key are far apart. */
const repeat = (keys: Uint32Array, times: number) =>
  Uint32Array.from({ length: times * keys.length }, (_, i) => keys[i % keys.length] ?? EMPTY);

const both = [twoLevelCompacting, twoLevelMultivalue].map((type) => ({ id: type.id, type }));
const expectAll = (type: TableType, table: GpuTable, keys: Uint32Array, distinct: Uint32Array) =>
  type.answers === "id" ? expectIds(table, distinct) : expectRanges(table, keys, distinct);

test.each(both)("$id: a bucket full of different keys, each many times, needs no other function", async ({ type }) => {
  const distinct = colliding(usual.seed, BUCKET_KEYS, bucketsFor(3 * BUCKET_KEYS, usual.loadFactor));
  const keys = repeat(distinct, 3);
  const table = await open(type, { n: keys.length });
  const expected = { count: 0, restarts: 0, distinct: BUCKET_KEYS };
  expect(await insert(table, keys)).toMatchObject(expected);
  await expectAll(type, table, keys, distinct);
});

test.each(both)("$id: a bucket with one different key too many starts again", async ({ type }) => {
  const distinct = colliding(usual.seed, BUCKET_KEYS + 1, bucketsFor(3 * (BUCKET_KEYS + 1), usual.loadFactor));
  const keys = repeat(distinct, 3);
  const table = await open(type, { n: keys.length });
  expect(await insert(table, keys)).toMatchObject({ count: 0, restarts: 1, distinct: distinct.length });
  await expectAll(type, table, keys, distinct);
});

test.each(both)("$id: one key very often beside many others", async ({ type }) => {
  const others = keysFrom(1, 3000);
  const keys = Uint32Array.from([...repeat(keysFrom(0, 1), 5000), ...others, ...repeat(keysFrom(0, 1), 20)]);
  const table = await open(type, { n: keys.length });
  expect(await insert(table, keys)).toMatchObject({ count: 0, restarts: 0, distinct: 3001 });
  await expectAll(type, table, keys, keysFrom(0, 3001));
});

test.each(both)("$id: the build after has other keys, and fewer", async ({ type }) => {
  const table = await open(type, { n: 4000 });
  await insert(table, keysFrom(0, 4000));
  const keys = repeat(keysFrom(5000, 70), 9);
  expect(await insert(table, keys)).toMatchObject({ distinct: 70 });
  await expectAll(type, table, keys, keysFrom(5000, 70));
  expect((await find(table, keysFrom(0, 100), 1)).every((word) => word === EMPTY)).toBe(true);
});

test.each(both)("$id: the table is as large as the input, not as its different keys", async ({ type }) => {
  const table = await open(type, { n: 4090 });
  expect(table.slots).toBe(11 * BUCKET_SLOTS);
  expect(await insert(table, repeat(keysFrom(0, 10), 409))).toMatchObject({ distinct: 10 });
});

test.each(both)("$id: more pairs than the list has room for are refused", async ({ type }) => {
  const table = await open(type, { n: 100 });
  await expect(insert(table, keysFrom(0, 101))).rejects.toThrow(/101 pairs; the table is for 100/);
});

test.each(both)("$id: a load factor beyond 409 keys a bucket is refused", async ({ type }) => {
  await expect(open(type, { n: 2000, loadFactor: 0.75 })).rejects.toThrow(/beyond its 0.71/);
});

test.each(both)("$id: the counting variant builds the same", async ({ type }) => {
  const keys = repeat(keysFrom(0, 30), 70);
  const table = await open(type, { n: keys.length, counting: true });
  const { run: counting, counts } = countingRunner(gpu());
  expect(await insert(table, keys, counting)).toMatchObject({ count: 0, distinct: 30 });
  const build = counts.kernels.get(type.answers === "id" ? "compact" : "group");
  // Sectors of 4-byte keys, read once, or of 8-byte pairs, read three times; segments of a bucket may share some.
  const sectors = type.answers === "id" ? keys.length / 8 : (3 * keys.length) / 4;
  expect(build?.reads).toBeGreaterThanOrEqual(sectors - 30);
  expect(build?.reads).toBeLessThanOrEqual(sectors + 30);
  expect(counts.kernels.get("count")?.rmws).toBe(keys.length);
});
