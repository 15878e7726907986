import { describe, expect, test } from "vitest";
import { freedAfterTest, testGpu } from "../../bench/device/testing.js";
import { countingRunner } from "../../bench/measure/counting/counters.js";
import { casesNamed, testCases } from "../../bench/verify/testing.js";
import { MAX_ATTEMPTS } from "../common/bulk.js";
import { EMPTY } from "../common/steps.js";
import { createTable } from "../create.js";
import type { Gpu } from "../device/gpu.js";
import type { GpuTable, Making } from "../table.js";
import { inBanks } from "../testing.js";
import { BUCKET_KEYS, BUCKET_SLOTS, bucketsFor } from "./buckets.js";
import { colliding, keysFrom } from "./testing.js";
import { twoLevel } from "./two-level.js";

const gpu = testGpu();
const usual: Making = { n: 2000, loadFactor: twoLevel.maxLoadFactor, seed: 1, counting: false };
const { keep, upload } = freedAfterTest(gpu);

interface Open {
  readonly table: GpuTable;
  readonly buffer: (label: string) => GPUBuffer;
}

/** A cleared table, and its buffers by their labels. */
async function open(options: Partial<Making>): Promise<Open> {
  const buffers = new Map<string, GPUBuffer>();
  const watched = Object.create(gpu(), {
    alloc: {
      value: async (label: string, bytes: number) => {
        const made = await gpu().alloc(label, bytes);
        buffers.set(label, made);
        return made;
      },
    },
  }) as Gpu;
  const table = keep(await createTable(twoLevel, watched, { ...usual, ...options }));
  await table.clear();
  const buffer = (label: string): GPUBuffer => {
    const found = buffers.get(label);
    if (!found) throw new Error(`the table allocated no ${label}`);
    return found;
  };
  return { table, buffer };
}

const run: Parameters<GpuTable["insert"]>[0] = (...pass) => gpu().time(...pass);
const valueFor = (key: number) => (Math.imul(key, 31) >>> 1) ^ 5;

async function insert({ table }: Open, keys: Uint32Array) {
  const pairs = { keys: await upload(keys), values: await upload(keys.map(valueFor)), n: keys.length };
  return table.insert(run, pairs);
}

async function find({ table }: Open, keys: Uint32Array): Promise<Uint32Array> {
  const results = await upload(new Uint32Array(keys.length).fill(0xdeadbeef));
  await table.find(run, { keys: await upload(keys), results, n: keys.length });
  return gpu().read(results, keys.length);
}

/** Slots that hold a pair. */
async function filled({ table, buffer }: Open): Promise<number> {
  const words = await gpu().read(buffer("bank 0 of two-level table"), 2 * table.slots);
  return words.reduce((count, word, i) => count + (i % 2 === 0 && word !== EMPTY ? 1 : 0), 0);
}

/** Every key has its value, as many others have none, and nothing else is in a slot. */
async function expectAll(open: Open, keys: Uint32Array): Promise<void> {
  expect(await find(open, keys)).toEqual(keys.map(valueFor));
  expect(await find(open, keysFrom(1 << 24, keys.length))).toEqual(new Uint32Array(keys.length).fill(EMPTY));
  expect(await filled(open)).toBe(keys.length);
}

describe("two-level in 3 banks", () => {
  const type = inBanks(twoLevel, 3, BUCKET_SLOTS * 8);
  testCases(casesNamed(type, "random history of insertions", "whose value is EMPTY", "usual load factor"), gpu, type);

  test("counts what a table in one buffer does, and a write more per pair", async () => {
    const keys = await upload(keysFrom(0, 2000));
    const counted = async (one: typeof type) => {
      const table = keep(await createTable(one, gpu(), { ...usual, counting: true }));
      const { run, counts } = countingRunner(gpu());
      expect((await table.insert(run, { keys, values: keys, n: 2000 })).count).toBe(0);
      await table.find(run, { keys, results: await upload(new Uint32Array(2000)), n: 2000 });
      return counts.kernels;
    };
    const [single, banked] = [await counted(twoLevel), await counted(inBanks(twoLevel, 2, BUCKET_SLOTS * 8))];
    for (const [kernel, writes] of [
      ["find", 0],
      ["build", 0],
      ["scatter", 2000],
    ] as const) {
      const { reads = 0, writes: before } = single.get(kernel) ?? { writes: 0 };
      const counts = banked.get(kernel);
      expect(counts?.writes).toBe(before + writes);
      // The order in which lanes build a bucket says where its keys are.
      expect(Math.abs((counts?.reads ?? 0) - reads)).toBeLessThanOrEqual(0.1 * reads);
    }
  });
});

const large = () => (gpu().info.software ? 2 ** 18 : 1_000_000);

test.each([0, 1, 31, 33, 409, 410, 512, 2 ** 14, "many"] as const)("%s pairs", async (size) => {
  const n = size === "many" ? large() : size;
  const one = await open({ n });
  const keys = keysFrom(0, n);
  expect((await insert(one, keys)).count).toBe(0);
  await expectAll(one, keys);
});

test.each([0.1, 0.3, 0.5])("a table of load factor %s", async (loadFactor) => {
  const one = await open({ n: 10_000, loadFactor });
  const keys = keysFrom(0, 10_000);
  expect(await insert(one, keys)).toMatchObject({ count: 0, restarts: 0 });
  await expectAll(one, keys);
  expect(10_000 / one.table.slots / loadFactor).toBeCloseTo(1, 1);
});

test("a bucket with one pair too many starts again with another bucket function", async () => {
  const buckets = bucketsFor(2000, usual.loadFactor);
  expect(buckets).toBe(5);
  const full = colliding(usual.seed, BUCKET_KEYS + 1, buckets);
  const one = await open({});
  expect(await insert(one, full)).toMatchObject({ count: 0, restarts: 1 });
  await expectAll(one, full);
});

test("a bucket as full as can be needs no other bucket function", async () => {
  const one = await open({});
  const keys = colliding(usual.seed, BUCKET_KEYS, bucketsFor(2000, usual.loadFactor));
  expect(await insert(one, keys)).toMatchObject({ count: 0, restarts: 0 });
  await expectAll(one, keys);
});

test("an attempt that failed leaves nothing behind for the next insertion", async () => {
  const one = await open({});
  await insert(one, colliding(usual.seed, BUCKET_KEYS + 1, 5));
  await one.table.clear();
  const keys = keysFrom(0, 2000);
  expect(await insert(one, keys)).toMatchObject({ count: 0, restarts: 0 });
  await expectAll(one, keys);
});

/** places_of of buckets.wgsl, as one number. */
function placesOf(key: number, seed: number): number {
  const place = (factor: number, term: number) =>
    (((Math.imul((seed ^ factor) | 1, key) + (seed ^ term)) >>> 0) % 1900813) % 192;
  const [first, second] = [place(0x9e3779b9, 0x94d049bb), place(0x7f4a7c15, 0x133111eb)];
  return (first * 192 + second) * 192 + place(0xd1b54a32, 0xbf58476d);
}

test("keys that its first seed gives the same three slots make a bucket draw another one", async () => {
  const one = await open({ n: 4 });
  await insert(one, keysFrom(0, 4));
  const [seed = 0] = await gpu().read(one.buffer("two-level seeds"), 1);
  const keyFrom = (i: number) => Math.imul(i, 2654435761) >>> 0;
  const keysAt = new Uint8Array(192 ** 3);
  let [tried, places] = [0, 0];
  for (let alike = 0; alike < 4; tried++) {
    places = placesOf(keyFrom(tried), seed);
    alike = (keysAt[places] ?? 0) + 1;
    keysAt[places] = alike;
  }
  const keys = Uint32Array.from({ length: tried }, (_, i) => keyFrom(i)).filter(
    (key) => placesOf(key, seed) === places,
  );
  // Three of them fit under that seed.
  await insert(one, keys.subarray(0, 3));
  await expectAll(one, keys.subarray(0, 3));
  expect(await gpu().read(one.buffer("two-level seeds"), 1)).toEqual(Uint32Array.of(seed));
  expect(await insert(one, keys)).toMatchObject({ count: 0, restarts: 0 });
  await expectAll(one, keys);
  expect(await gpu().read(one.buffer("two-level seeds"), 1)).not.toEqual(Uint32Array.of(seed));
});

test("multiples of 64, of 192 and of 2^16 are placed as well as random keys", async () => {
  for (const step of [64, 192, 65536]) {
    const one = await open({ n: 16_384 });
    const keys = Uint32Array.from({ length: 16_384 }, (_, i) => i * step);
    expect((await insert(one, keys)).count).toBe(0);
    expect(await find(one, keys)).toEqual(keys.map(valueFor));
  }
});

test("equal keys share a slot", async () => {
  const one = await open({});
  const keys = keysFrom(0, 600);
  const thrice = Uint32Array.from([...keys, ...keys, ...keys]);
  expect(await insert(one, thrice)).toMatchObject({ count: 0, restarts: 0 });
  expect(await find(one, keys)).toEqual(keys.map(valueFor));
  expect(await filled(one)).toBe(600);
});

test("reserved keys are refused and left out", async () => {
  const one = await open({});
  const keys = Uint32Array.of(EMPTY, 5, EMPTY - 1);
  expect(await insert(one, keys)).toMatchObject({ count: 2, restarts: 0 });
  expect(await find(one, keys)).toEqual(Uint32Array.of(EMPTY, valueFor(5), EMPTY));
});

test("more pairs than buckets can hold are given up at last", async () => {
  const one = await open({ n: 100 });
  const keys = keysFrom(0, BUCKET_SLOTS + 1);
  expect(await insert(one, keys)).toMatchObject({ count: keys.length, restarts: MAX_ATTEMPTS });
});

test("a load factor beyond 409 keys a bucket is refused", async () => {
  await expect(open({ loadFactor: 0.75 })).rejects.toThrow(/beyond its 0.71/);
});
