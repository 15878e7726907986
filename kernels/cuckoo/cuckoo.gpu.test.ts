import { describe, expect, test } from "vitest";
import { freedAfterTest, testGpu } from "../../bench/device/testing.js";
import { countingRunner, countMetrics } from "../../bench/measure/counting/counters.js";
import { keyConstants, keyRange } from "../../datasets/random.js";
import { mostBanks } from "../common/banks.js";
import { EMPTY } from "../common/steps.js";
import { createTable } from "../create.js";
import type { Gpu, KernelSource } from "../device/gpu.js";
import { type GpuTable, type Making, MIXED_KINDS, type OpResult, type Params } from "../table.js";
import { cuckoo, slotsFor } from "./cuckoo.js";
import { drawFunctions } from "./functions.js";

const gpu = testGpu();
const usual = { n: 2000, loadFactor: 0.8, seed: 1, counting: false };
const { keep, upload } = freedAfterTest(gpu);

interface Opening extends Partial<Making> {
  readonly params?: Params;
  /** In so many banks: nothing that the table allocates may be larger than one of them. */
  readonly banks?: number;
  /** Of its kernels, beside their own. */
  readonly conditions?: Readonly<Record<string, boolean>>;
}

/** A cleared table, the buffers that hold its slots, and the labels of all that it allocates. */
async function open({ banks = 1, conditions = {}, ...options }: Opening = {}) {
  const making = { ...usual, ...options };
  const slots: GPUBuffer[] = [];
  const labels: string[] = [];
  const bank = 16 * Math.ceil(slotsFor(making.n, making.loadFactor) / 2 / banks);
  const maxBinding = banks > 1 ? bank : gpu().maxBinding;
  const watched = Object.create(gpu(), {
    maxBinding: { value: maxBinding },
    alloc: {
      value: async (label: string, bytes: number) => {
        expect(bytes, label).toBeLessThanOrEqual(maxBinding);
        const buffer = await gpu().alloc(label, bytes);
        labels.push(label);
        if (label.endsWith("cuckoo table")) slots.push(buffer);
        return buffer;
      },
    },
    kernel: {
      value: (source: KernelSource) => gpu().kernel({ ...source, conditions: { ...source.conditions, ...conditions } }),
    },
  }) as Gpu;
  const table = keep(await createTable(cuckoo, watched, making));
  await table.clear();
  expect(slots.length).toBe(banks);
  return { table, slots, labels };
}

const keysFrom = (first: number, count: number) => keyRange(first, count, keyConstants(3));
const valuesOf = (keys: Uint32Array) => keys.map((key) => key >>> 1);
const run: Parameters<GpuTable["insert"]>[0] = (...pass) => gpu().time(...pass);

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

/** The pairs in the slots, by slot; [EMPTY, EMPTY] where there is none. */
async function slotsOf(slots: readonly GPUBuffer[]): Promise<[key: number, value: number][]> {
  const all: [number, number][] = [];
  for (const bank of slots) {
    const words = await gpu().read(bank, bank.size / 4);
    for (let at = 0; at < words.length; at += 2) all.push([words[at] ?? EMPTY, words[at + 1] ?? EMPTY]);
  }
  return all;
}

/** The pairs in the slots, by key, and all that is in a slot that is not empty. */
async function pairsIn(slots: readonly GPUBuffer[]): Promise<[number, number][]> {
  const pairs = (await slotsOf(slots)).filter(([key, value]) => key !== EMPTY || value !== EMPTY);
  return pairs.sort(([a], [b]) => a - b);
}

/** Pairs of these keys, inserted into a cleared table. */
async function build(table: GpuTable, keys: Uint32Array, by = run): Promise<OpResult> {
  return table.insert(by, { keys: await upload(keys), values: await upload(valuesOf(keys)), n: keys.length });
}

async function answers(table: GpuTable, keys: Uint32Array, by = run): Promise<Uint32Array> {
  const results = await upload(new Uint32Array(keys.length).fill(0xdeadbeef));
  await table.find(by, { keys: await upload(keys), results, n: keys.length });
  return gpu().read(results, keys.length);
}

test.each([
  [{}, 334214459],
  [{ largePrime: true }, 4294967291],
  [{ hash: "multiply" }, 334214459],
])("with %j pairs lie at places modulo %i, and are found", async (params, prime) => {
  const { table, slots } = await open({ params });
  const joined = (a: number, key: number) => ("hash" in params ? Math.imul(a, key) : a ^ key) >>> 0;
  const keys = keysFrom(0, 2000);
  expect(await build(table, keys)).toMatchObject({ count: 0, restarts: 0 });
  const functions = drawFunctions(usual.seed, 0).slice(0, 4);
  const placesOf = (key: number) =>
    functions.map(([a, b]) => (((joined(a, key) + b) % 2 ** 32) % prime) % slotsFor(usual.n, usual.loadFactor));
  const taken = [...(await slotsOf(slots)).entries()].filter(([, [key]]) => key !== EMPTY);
  expect(taken).toHaveLength(keys.length);
  expect(taken.filter(([slot, [key]]) => !placesOf(key).includes(slot))).toEqual([]);
  expect(await answers(table, keys)).toEqual(valuesOf(keys));
  expect(await answers(table, keysFrom(2000, 2000))).toEqual(new Uint32Array(2000).fill(EMPTY));
});

test.each([64, 8192])(
  "%i pairs at load factor 0.5, whose slots would be a power of two, are built with largePrime",
  async (n) => {
    const { table } = await open({ n, loadFactor: 0.5, params: { largePrime: true } });
    const keys = keysFrom(0, n);
    expect(await build(table, keys)).toMatchObject({ count: 0 });
    expect(await answers(table, keys)).toEqual(valuesOf(keys));
  },
);

const expectedPairs = (keys: Uint32Array) => [...keys].map((key) => [key, key >>> 1]).sort(([a = 0], [b = 0]) => a - b);

/** In one buffer, in three, and in as many as may be beside the kinds, keys, values, results and status of mixed slices. */
const MIXED_BUFFERS = 5;
const banked = [() => 1, () => 3, () => mostBanks(gpu().info, MIXED_BUFFERS)];

describe.each(banked.map((count, i) => ({ count, which: ["one buffer", "three banks", "the most banks"][i] })))(
  "in $which",
  ({ count }) => {
    test("a build puts every pair in one slot, and nothing else in any; searches find them and no others", async () => {
      const banks = count();
      const { table, slots, labels } = await open({ banks });
      for (const first of [0, 500]) {
        await table.clear();
        const keys = keysFrom(first, 2000);
        expect(await build(table, keys)).toMatchObject({ count: 0, restarts: 0 });
        expect(await pairsIn(slots)).toEqual(expectedPairs(keys));
        expect(await answers(table, keys)).toEqual(valuesOf(keys));
        expect(await answers(table, keysFrom(first + 2000, 2000))).toEqual(new Uint32Array(2000).fill(EMPTY));
      }
      expect(labels.includes("cuckoo homes")).toBe(banks === 1);
    });

    test("a build whose chains are too long starts again with other constants, until all pairs are in", async () => {
      const banks = count();
      let restarts = 0;
      for (let seed = 1; seed <= 10; seed++) {
        const { table, slots } = await open({ n: 500, loadFactor: 1 / 2.1, params: { functions: 2 }, seed, banks });
        const keys = keysFrom(1000 * seed, 500);
        const result = await build(table, keys);
        expect(result.count).toBe(0);
        expect(await pairsIn(slots)).toEqual(expectedPairs(keys));
        restarts += result.restarts;
      }
      expect(restarts).toBeGreaterThan(0);
    });

    test("after mixed slices every pair is in one slot, and nothing else is in any", async () => {
      const { table, slots } = await open({ banks: count() });
      const keys = keysFrom(0, 2000);
      const { result, answers } = await mixed(table, keys);
      expect(result.count).toBe(0);
      expect(await pairsIn(slots)).toEqual(expectedPairs(keys));
      // A slice's retrievals run after its insertions.
      expect(answers).toEqual(
        Uint32Array.from({ length: 4000 }, (_, i) => (i % 2 === 0 ? (keys[i >>> 1] ?? 0) >>> 1 : 1)),
      );
    });

    test("slices add to a table that was built in bulk", async () => {
      const { table, slots } = await open({ banks: count() });
      await build(table, keysFrom(0, 1000));
      expect((await mixed(table, keysFrom(1000, 1000))).result).toMatchObject({ count: 0, restarts: 0 });
      expect(await pairsIn(slots)).toEqual(expectedPairs(keysFrom(0, 2000)));
    });

    test("a batch whose chains are too long starts again with other constants, until all pairs are in", async () => {
      // Two functions at their smallest space: many builds fail.
      let restarts = 0;
      for (let seed = 1; seed <= 20; seed++) {
        const { table, slots } = await open({
          n: 60,
          loadFactor: 1 / 2.1,
          params: { functions: 2 },
          seed,
          banks: count(),
        });
        const keys = keysFrom(100 * seed, 60);
        const { result } = await mixed(table, keys);
        expect(result.count).toBe(0);
        expect(await pairsIn(slots)).toEqual(expectedPairs(keys));
        restarts += result.restarts;
      }
      expect(restarts).toBeGreaterThan(0);
    });
  },
);

test("in banks the counting variants answer alike, and count an exchange for each step", async () => {
  const { table } = await open({ banks: 3, counting: true });
  const keys = keysFrom(0, 2000);
  const [inserting, finding] = [countingRunner(gpu()), countingRunner(gpu())];
  await build(table, keys, inserting.run);
  expect(await answers(table, keys, finding.run)).toEqual(valuesOf(keys));
  const metrics = countMetrics(inserting.counts, 2000, table);
  const of = (name: string) => metrics.find(({ metric }) => metric === name)?.value;
  expect(of("table_rmws")).toBe(of("probes"));
  expect(of("table_rmws")).toBeGreaterThan(1.5);
});

test("by the larger prime keys are in the slots of its functions, and are found", async () => {
  const { table, slots } = await open({ conditions: { LARGE_PRIME: true } });
  const keys = keysFrom(0, 2000);
  expect(await build(table, keys)).toMatchObject({ count: 0, restarts: 0 });
  expect(await answers(table, keys)).toEqual(valuesOf(keys));
  const places = (key: number) =>
    drawFunctions(usual.seed, 0).map(([a, b]) => ((((a ^ key) + b) >>> 0) % (2 ** 32 - 5)) % table.slots);
  const elsewhere = (await slotsOf(slots)).filter(([key], slot) => key !== EMPTY && !places(key).includes(slot));
  expect(elsewhere).toEqual([]);
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
  expect(await pairsIn(slots)).toEqual([[5, 2]]);
});
