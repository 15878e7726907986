import { expect, test, vi } from "vitest";
import { MadeAhead } from "../../../datasets/ahead.js";
import { openDataset } from "../../../datasets/index.js";
import { keyConstants, keyOfWith, keyRange } from "../../../datasets/random.js";
import { mix32 } from "../../../kernels/common/random.js";
import { DELETED, EMPTY } from "../../../kernels/common/steps.js";
import { owned } from "../../../kernels/device/owned.js";
import { spared, testGpu } from "../../device/testing.js";
import { runOnce } from "./check.js";
import { deletedWords } from "./deleted.js";
import { type DeviceKeys, digestOf, loadKeys, partsOf, poolOf } from "./keys.js";
import { checkEvery, deviceLookups, type LookupOptions } from "./workload.js";

const gpu = testGpu();
const N = 5001;
const lookupsOf = (data: DeviceKeys, options: LookupOptions) =>
  owned(gpu(), (own) => deviceLookups(own, data, options));

const digestOfLookups = async (data: DeviceKeys, options: LookupOptions) => {
  const lookups = await lookupsOf(data, options);
  lookups.destroy();
  return lookups.digest;
};

test.each(["random", "taobench"])("the keys of %s made on the GPU are those made on the host", async (dataset) => {
  const made = vi.spyOn(gpu(), "write");
  const data = await loadKeys(gpu(), dataset, N, 7);
  // No keys are sent: at most the ranks.
  expect(made.mock.calls.filter(([buffer]) => buffer === data.keys || buffer === data.absent)).toEqual([]);
  made.mockRestore();
  const source = await openDataset(dataset, { n: N, seed: 7 });
  const chunks = [];
  for await (const chunk of source.chunks()) chunks.push(...chunk);
  expect([...(await gpu().read(data.keys, N))]).toEqual(chunks);
  expect(await gpu().read(data.absent, data.pool)).toEqual(await source.absent(data.pool));
  expect([data.unique, data.note]).toEqual([source.unique(), source.note]);
  data.destroy();
});

test("a data set of the host arrives whole, and its absent keys are absent", async () => {
  const data = await loadKeys(gpu(), "lineitem", N, 7);
  const keys = new Set(await gpu().read(data.keys, N));
  expect(keys.size).toBe(data.unique);
  const others = await gpu().read(data.absent, data.pool);
  expect(others.some((key) => keys.has(key))).toBe(false);
  data.destroy();
});

test("equal seeds give equal digests, other seeds others", async () => {
  const digest = async (seed: number) => {
    const data = await loadKeys(gpu(), "random", N, seed);
    const { digest } = data;
    data.destroy();
    return digest;
  };
  expect(await digest(1)).toBe(await digest(1));
  expect(await digest(1)).not.toBe(await digest(2));
});

// By a sort, which has a file of its own on SwiftShader.
test.skipIf(spared).each([0, 5, 31])("queries in order are sorted but within blocks of 2^%d", async (disorder) => {
  const data = await loadKeys(gpu(), "random", N, 7);
  const options = { lookups: N, positiveRatio: 1, seed: 9, eachOnce: true, disorder };
  const lookups = await lookupsOf(data, options);
  const asked = [...(await gpu().read(lookups.keys, N))];
  const blocks = Array.from({ length: Math.ceil(N / 2 ** disorder) }, (_, i) =>
    asked.slice(i * 2 ** disorder, (i + 1) * 2 ** disorder),
  );
  const ascending = (words: readonly number[]) => words.toSorted((a, b) => a - b);
  expect(blocks.flatMap(ascending)).toEqual(ascending([...(await gpu().read(data.keys, N))]));
  if (disorder > 0) expect(blocks[0]).not.toEqual(ascending(blocks[0] ?? []));
  await expect(lookupsOf(data, { ...options, positiveRatio: 0.5 })).rejects.toThrow("present keys alone");
  lookups.destroy();
  data.destroy();
});

test("keys beyond the largest binding come in parts if they may, and lookups ask for the same", async () => {
  const whole = await loadKeys(gpu(), "random", N, 7, true);
  const options = { lookups: 3000, positiveRatio: 0.5, seed: 9, eachOnce: false };
  const asked = await lookupsOf({ ...whole, pool: 1500 }, options);
  const binding = vi.spyOn(gpu(), "maxBinding", "get").mockReturnValue(4 * N - 4);
  const data = await loadKeys(gpu(), "random", N, 7, true);
  expect(data).toMatchObject({ n: N, unique: N });
  expect(await digestOfLookups({ ...data, pool: 1500 }, options)).toBe(asked.digest);
  const parts = partsOf(data);
  expect(parts.map(({ n }) => n)).toEqual([2500, 2501]);
  const keys = await Promise.all(parts.map((part) => gpu().read(part.keys, part.n)));
  expect(keys.flatMap((of) => [...of])).toEqual([...(await gpu().read(whole.keys, N))]);
  // Each part's own keys, every one once.
  const each = { lookups: 2501, positiveRatio: 1, seed: 9, eachOnce: true };
  const second = await lookupsOf(parts[1] as DeviceKeys, each);
  const sorted = (words: Iterable<number>) => [...words].sort((a, b) => a - b);
  expect(sorted(await gpu().read(second.keys, 2501))).toEqual(sorted(keys[1] ?? []));
  await expect(loadKeys(gpu(), "random", N, 7)).rejects.toThrow("binds at most");
  await expect(loadKeys(gpu(), "zipf", N, 7, true)).rejects.toThrow("binds at most");
  binding.mockRestore();
  for (const one of [whole, asked, data, second]) one.destroy();
});

test("a digest sees every word, and their order", async () => {
  const buffer = await gpu().alloc("words", 16);
  gpu().write(buffer, 0, Uint32Array.of(1, 2, 3, 4));
  const before = await digestOf(gpu(), buffer, 4);
  for (const other of [
    [2, 1, 3, 4],
    [1, 2, 3, 5],
  ]) {
    gpu().write(buffer, 0, Uint32Array.from(other));
    expect(await digestOf(gpu(), buffer, 4)).not.toBe(before);
  }
  buffer.destroy();
});

test("marks of erased pairs are counted up to the last word", async () => {
  const words = new Uint32Array(600);
  words.set([DELETED, EMPTY, DELETED]);
  words[599] = DELETED;
  const buffer = await gpu().alloc("words", 4 * words.length);
  gpu().write(buffer, 0, words);
  expect(await deletedWords(gpu(), [buffer, buffer])).toBe(6);
  buffer.destroy();
});

test("the GPU makes no reserved key where the host makes none", async () => {
  const [k0, k1] = keyConstants(7);
  const plain = keyOfWith(5, [k0, k1, 0]);
  for (const reserved of [EMPTY, DELETED]) {
    // One pass over the bijection makes it of 5.
    const constants = [k0, k1, (reserved - plain) >>> 0] as const;
    const keys = await gpu().alloc("keys", 4 * 8);
    const bound = { keys, plan: { constants, n: 8, first: 0 } };
    await runOnce(gpu(), 8, { file: "bench/scenarios/workload/random-keys.wgsl", bound });
    expect(await gpu().read(keys, 8)).toEqual(keyRange(0, 8, constants));
    keys.destroy();
  }
});

test.each([
  { lookups: 10_007, positiveRatio: 0.25 },
  { lookups: 333, positiveRatio: 1 },
  { lookups: 4096, positiveRatio: 0 },
])("$lookups lookups have exactly the share $positiveRatio of present keys, in random order", async (point) => {
  const data = await loadKeys(gpu(), "random", N, 3);
  const lookups = await lookupsOf(data, { ...point, seed: 3, eachOnce: false });
  const present = new Set(keyRange(0, N, keyConstants(3)));
  const hits = [...(await gpu().read(lookups.keys, point.lookups))].map((key) => present.has(key));
  const expected = Math.round(point.lookups * point.positiveRatio);
  expect(hits.filter(Boolean).length).toBe(expected);
  // Not all of them in front: the first half has about half of them.
  const firstHalf = hits.slice(0, hits.length / 2).filter(Boolean).length;
  expect(Math.abs(firstHalf - expected / 2)).toBeLessThanOrEqual(5 * Math.sqrt(point.lookups));
  // The absent ones are of the whole pool.
  const pool = [...(await gpu().read(data.absent, data.pool))];
  const asked = new Set(await gpu().read(lookups.keys, point.lookups));
  expect(pool.slice(-500).some((key) => asked.has(key))).toBe(expected < point.lookups);
  lookups.destroy();
  data.destroy();
});

test("each once asks for every key once, in another order", async () => {
  const data = await loadKeys(gpu(), "random", N, 3);
  const options = { lookups: N, positiveRatio: 1, seed: 3, eachOnce: true };
  const lookups = await lookupsOf(data, options);
  const asked = await gpu().read(lookups.keys, N);
  const keys = keyRange(0, N, keyConstants(3));
  expect([...asked].sort()).toEqual([...keys].sort());
  expect(asked).not.toEqual(keys);
  lookups.destroy();
  data.destroy();
});

test("every key is asked for once, and every one of the absent pool: one that is lost or invented is told of, whichever it is", async () => {
  const data = await loadKeys(gpu(), "random", N, 3);
  const keys = new Set(await gpu().read(data.keys, N));
  const absent = await gpu().read(data.absent, data.pool);
  const asked: number[] = [];
  /** A table that holds the data set, but for this key, which it has if the data set has it not. */
  const holding =
    (wrong?: number) =>
    async ({ keys: queries, results, n }: { keys: GPUBuffer; results: GPUBuffer; n: number }) => {
      const own = await gpu().read(queries, n);
      asked.push(...own);
      const answer = (key: number) => (keys.has(key) !== (key === wrong) ? mix32(key ^ 9) >>> 1 : EMPTY);
      gpu().write(results, 0, own.map(answer));
    };
  expect(await checkEvery(gpu(), data, holding(), { seed: 5, salt: 9 })).toBe("");
  expect(asked.sort()).toEqual([...keys, ...absent].sort());
  const held = [...keys];
  for (const at of [0, 777, data.pool - 1]) {
    for (const [wrong, of] of [
      [absent[at], data.pool],
      [held[at], N],
    ] as const) {
      const told = await checkEvery(gpu(), data, holding(wrong), { seed: 5, salt: 9 });
      expect(told).toMatch(new RegExp(`^1 of ${of} results are wrong`));
    }
  }
  data.destroy();
});

test("the check names the first wrong answer", async () => {
  const data = await loadKeys(gpu(), "random", N, 3);
  const lookups = await lookupsOf(data, { lookups: 1000, positiveRatio: 0.5, seed: 3, eachOnce: false });
  await lookups.poison();
  expect(await lookups.check(1)).toMatch(/^1000 of 1000 results are wrong, the first for query 0 /);
  lookups.destroy();
  data.destroy();
});

test("an operation that counts pairs answers 1 for a present key, and 0 for an absent one", async () => {
  const data = await loadKeys(gpu(), "random", N, 7);
  const lookups = await lookupsOf(data, { lookups: 1000, positiveRatio: 0.5, seed: 1, eachOnce: false });
  const present = new Set(await gpu().read(data.keys, N));
  const counts = (await gpu().read(lookups.keys, 1000)).map((key) => (present.has(key) ? 1 : 0));
  gpu().write(lookups.results, 0, counts);
  expect(await lookups.check(1, undefined, "count")).toBe("");
  expect(await lookups.check(1)).toMatch(/^1000 of 1000/);
  gpu().write(lookups.results, 4, Uint32Array.of(1 - (counts[1] ?? 0)));
  expect(await lookups.check(1, undefined, "count")).toMatch(/^1 of 1000 results are wrong, the first for query 1 /);
  for (const one of [data, lookups]) one.destroy();
});

test("lookups in taobench ask a fifth of the keys 82.14 % of the time, wherever these are in the input", async () => {
  const n = 20_000;
  const data = await loadKeys(gpu(), "taobench", n, 3);
  const asked = 200_000;
  const lookups = await lookupsOf(data, { lookups: asked, positiveRatio: 0.5, seed: 3, eachOnce: false });
  const place = new Map([...(await gpu().read(data.keys, n))].map((key, i) => [key, i]));
  const counts = new Float64Array(n);
  for (const key of await gpu().read(lookups.keys, asked)) {
    const at = place.get(key);
    if (at !== undefined) counts[at]!++;
  }
  const positions = [...counts.keys()].sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0)).slice(0, n / 5);
  const share = positions.reduce((sum, at) => sum + (counts[at] ?? 0), 0) / (asked / 2);
  // The most frequent of those drawn have a little more than the most frequent by law.
  expect(share).toBeGreaterThan(0.82);
  expect(share).toBeLessThan(0.86);
  const middle = positions.reduce((sum, at) => sum + at, 0) / positions.length / n;
  expect(middle).toBeCloseTo(0.5, 1);
  lookups.destroy();
  data.destroy();
});

test.each(["tw", "normal", "zipf:1", "lineitem"])(
  "%s that a thread has begun is the same on the device",
  async (dataset) => {
    const ahead = new MadeAhead(2, 1, new URL("../../../dist/datasets/ahead-thread.js", import.meta.url));
    ahead.begin([{ dataset, n: N, seed: 7, absent: poolOf(N) }]);
    const taken = vi.spyOn(ahead, "take");
    const a = await loadKeys(gpu(), dataset, N, 7, false, ahead);
    const b = await loadKeys(gpu(), dataset, N, 7);
    expect(taken.mock.results[0]?.value).not.toBe(taken.mock.calls[0]?.[1]);
    expect([a.digest, a.unique, a.pool, a.note]).toEqual([b.digest, b.unique, b.pool, b.note]);
    a.destroy();
    b.destroy();
  },
);
