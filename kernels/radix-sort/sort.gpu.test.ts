import { expect, test } from "vitest";
import { spared, testGpu } from "../../bench/device/testing.js";
import { uniform } from "../../datasets/rng.js";
import type { Gpu } from "../device/gpu.js";
import { owned } from "../device/owned.js";
import { type PairBuffers, RadixSort, type SortOptions } from "./sort.js";

const gpu = testGpu();
/** What lies behind the pairs, and has to stay. */
const BEHIND = 0xdeadbeef;
const ROOM = 5;

async function upload(keys: Uint32Array): Promise<PairBuffers> {
  const n = keys.length;
  const words = new Uint32Array(n + ROOM).fill(BEHIND);
  const make = async (first: Uint32Array) => {
    const buffer = await gpu().alloc("test", words.length * 4);
    words.set(first);
    gpu().write(buffer, 0, words.slice());
    return buffer;
  };
  return { keys: await make(keys), values: await make(Uint32Array.from(keys.keys())) };
}

async function download({ keys, values }: PairBuffers, n: number): Promise<{ keys: Uint32Array; values: Uint32Array }> {
  const both = { keys: await gpu().read(keys, n + ROOM), values: await gpu().read(values, n + ROOM) };
  for (const words of [both.keys, both.values]) expect([...words.slice(n)]).toEqual(new Array(ROOM).fill(BEHIND));
  return { keys: both.keys.slice(0, n), values: both.values.slice(0, n) };
}

/** The keys sorted by their lowest `bits` bits, each with its place in the input, and the input as it is afterwards. */
async function sorted(keys: Uint32Array, bits: number, options: SortOptions, inPlace: boolean, on: Gpu) {
  const n = keys.length;
  const sorter = await owned(on, (own) => RadixSort.make(own, n, options));
  const input = await upload(keys);
  const output = inPlace ? input : await upload(new Uint32Array(n));
  await gpu().run(sorter.steps(input, output, n, bits));
  const after = { output: await download(output, n), input: await download(input, n) };
  sorter.destroy();
  for (const buffer of new Set([input, output].flatMap((pairs) => [pairs.keys, pairs.values]))) buffer.destroy();
  return after;
}

/** Order of the pairs by key, then by place in the input: what a stable sort gives. */
function oracle(keys: Uint32Array, bits: number): Uint32Array {
  const words = BigUint64Array.from(keys, (key, i) => (BigInt(key % 2 ** bits) << 32n) | BigInt(i));
  return Uint32Array.from(words.sort(), (word) => Number(word & 0xffffffffn));
}

/** Names the first word that differs: a report of all words would be too long. */
function expectEqual(words: Uint32Array, expected: Uint32Array): void {
  const wrong = words.findIndex((word, i) => word !== expected[i]);
  expect(wrong, `word ${wrong} is ${words[wrong]}, expected ${expected[wrong]}`).toBe(-1);
  expect(words.length).toBe(expected.length);
}

async function expectSorted(
  keys: Uint32Array,
  bits = 32,
  options: SortOptions = {},
  inPlace = false,
  on: Gpu = gpu(),
): Promise<void> {
  const { output, input } = await sorted(keys, bits, options, inPlace, on);
  const order = oracle(keys, bits);
  expectEqual(output.values, order);
  expectEqual(
    output.keys,
    order.map((i) => keys[i] ?? 0),
  );
  if (!inPlace) {
    expectEqual(input.keys, keys);
    expectEqual(input.values, Uint32Array.from(keys.keys()));
  }
}

/** On SwiftShader some of the inputs: the kernels are the same. */
const some = <T>(all: readonly T[], ...few: readonly T[]) => (spared ? few : all);

// The same text without the values: compiled on lavapipe alone.
test.skipIf(spared).each([0, 1, 33, 4097, 20_000])("%d keys without values", async (n) => {
  const keys = drawn(n);
  const sorter = await owned(gpu(), (own) => RadixSort.make(own, n, { keysOnly: true }));
  const [input, output] = [await upload(keys), await upload(new Uint32Array(n))];
  await gpu().run(sorter.steps({ keys: input.keys }, { keys: output.keys }, n));
  expectEqual((await download(output, n)).keys, keys.slice().sort());
  sorter.destroy();
  for (const { keys, values } of [input, output]) for (const buffer of [keys, values]) buffer.destroy();
});

function drawn(n: number, below = 2 ** 32): Uint32Array {
  const draw = uniform(n);
  return Uint32Array.from({ length: n }, () => Math.floor(draw() * below));
}

const SIZES = [0, 1, 2, 31, 33, 255, 4096, 5119, 5120, 5121, 10_240, 100_003];
test.each(some(SIZES, 0, 33, 10_240))("%i random pairs are sorted, and the input stays as it was", (n) =>
  expectSorted(drawn(n)),
);

test.skipIf(spared)("a million pairs are sorted", () => expectSorted(drawn(2 ** 20 + 17)));

const inputs: readonly (readonly [string, (n: number) => Uint32Array])[] = [
  ["one key, over and over", (n: number) => new Uint32Array(n).fill(0x12345678)],
  ["the largest key, over and over", (n: number) => new Uint32Array(n).fill(0xffffffff)],
  ["ascending keys", (n: number) => Uint32Array.from({ length: n }, (_, i) => i * 40_000)],
  ["descending keys", (n: number) => Uint32Array.from({ length: n }, (_, i) => (n - i) * 40_000)],
  ["one bit each", (n: number) => Uint32Array.from({ length: n }, (_, i) => 2 ** ((i * 7) % 32))],
];
test.each(spared ? inputs.slice(1, 2) : inputs)("%s are sorted", (_, make) => expectSorted(make(50_001)));

test.each(some([1, 2, 17, 300], 17))("of %i distinct keys, equal ones stay in their order", (distinct) =>
  expectSorted(drawn(50_001, distinct).map((i) => Math.imul(i + 1, 0x9e3779b1))),
);

test.each(some([1, 4, 8, 9, 13, 16, 20, 24, 31], 13))(
  "the lowest %i bits alone are ordered by, in place and not",
  async (bits) => {
    const keys = drawn(20_011);
    await expectSorted(keys, bits);
    await expectSorted(keys, bits, {}, true);
  },
);

test("pairs are sorted in place", () => expectSorted(drawn(50_001), 32, {}, true));

test.each(some([1, 2, 3, 7], 3))("%i workgroups count all keys", (maxSpans) =>
  expectSorted(drawn(2 ** 16 + 77), 32, { maxSpans }),
);

const warps: readonly (readonly [string, () => SortOptions])[] = [
  ["32 lanes without subgroups", () => ({ warps: "virtual" })],
  ["the adapter's subgroups", () => ({ warp: Math.min(32, gpu().info.subgroupMin), warps: "subgroups" })],
  ["8 lanes without subgroups", () => ({ warp: 8, warps: "virtual" })],
];
test.each(spared ? warps.slice(0, 1) : warps)("warps of %s sort", async (_, options) => {
  for (const n of some([1, 5119, 5121, 50_001], 5121)) await expectSorted(drawn(n), 32, options());
  await expectSorted(drawn(50_001), 13, options(), true);
  await expectSorted(new Uint32Array(50_001).fill(0xffffffff), 32, options());
});

// Whatever a silent tile would have told comes from others.
test.each(spared ? [5] : [1, 5])("every %i-th tile is counted by those who wait for it", async (silent) => {
  await expectSorted(drawn(5120 * (spared ? 6 : 23) + 17), 32, { silent });
  if (!spared) await expectSorted(new Uint32Array(5120 * 7).fill(0x12345678), 32, { silent });
});

test("a sorter sorts any number of pairs up to its capacity, again and again", async () => {
  const sorter = await owned(gpu(), (own) => RadixSort.make(own, 10_000));
  for (const n of [10_000, 1, 5000, 10_000]) {
    const keys = drawn(n);
    const pairs = await upload(keys);
    await gpu().run(sorter.steps(pairs, pairs, n));
    expectEqual((await download(pairs, n)).values, oracle(keys, 32));
    for (const buffer of [pairs.keys, pairs.values]) buffer.destroy();
  }
  const pairs = await upload(new Uint32Array(1));
  expect(() => sorter.steps(pairs, pairs, 10_001)).toThrow("10001 pairs; the scratch is for 10000");
  expect(() => sorter.steps(pairs, pairs, 1, 33)).toThrow("33 bits; 1 to 32");
  for (const buffer of [pairs.keys, pairs.values]) buffer.destroy();
  sorter.destroy();
});

test.skipIf(spared).each([4, 32])(
  "small tiles, of a device with 16 KiB of workgroup memory: warps of %d lanes",
  async (warp) => {
    const { info } = gpu();
    const limits = { ...info.limits, maxComputeWorkgroupStorageSize: 2 ** 14 };
    const small: Gpu = Object.create(gpu(), { info: { value: { ...info, limits } } });
    const draw = uniform(31);
    const keys = Uint32Array.from({ length: 20_001 }, () => draw() * 2 ** 32);
    await expectSorted(keys, 32, { warp }, false, small);
  },
);
