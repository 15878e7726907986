import { describe, expect, test } from "vitest";
import type { WebGpu } from "../../bench/device/gpu.js";
import { spared, testGpu } from "../../bench/device/testing.js";
import { uniform } from "../../datasets/rng.js";
import { DELETED } from "../common/steps.js";
import type { Gpu } from "../device/gpu.js";
import { scoped } from "../device/owned.js";
import { STATUS_BYTES, statusOf } from "../device/status.js";
import { type HybridOptions, hybridSort } from "./hybrid.js";

const gpu = testGpu();
/** What lies behind the pairs, and has to stay. */
const BEHIND = 0xdeadbeef;
const ROOM = 5;

/** Different keys, evenly spread. */
function drawn(n: number, seed = n + 1): Uint32Array {
  const draw = uniform(seed);
  const keys = new Set<number>();
  while (keys.size < n) keys.add(Math.floor(draw() * 2 ** 32));
  return Uint32Array.from(keys);
}

/** Sorts each of the inputs by one sorter; whether it gave up, and if not, compares keys, values and the input. */
async function sorted(
  inputs: readonly Uint32Array[],
  options: HybridOptions = {},
  on: Gpu = gpu(),
): Promise<boolean[]> {
  return scoped(on, async (own) => {
    const sorter = await hybridSort(own, Math.max(...inputs.map(({ length }) => length)), options);
    const status = await own.alloc("status", STATUS_BYTES);
    const said: boolean[] = [];
    for (const keys of inputs) {
      const n = keys.length;
      const made = async (words: Uint32Array) => {
        const buffer = await own.alloc("test", (n + ROOM) * 4);
        own.write(buffer, 0, new Uint32Array(n + ROOM).fill(BEHIND));
        own.write(buffer, 0, words);
        return buffer;
      };
      const [none, places] = [new Uint32Array(), Uint32Array.from(keys.keys())];
      const [input, output] = [
        { keys: await made(keys), values: await made(places) },
        { keys: await made(none), values: await made(none) },
      ];
      await own.zero(status);
      await own.run(sorter.steps(input, output, n, status));
      const gaveUp = statusOf(await own.read(status, STATUS_BYTES / 4)).failed !== 0;
      said.push(gaveUp);
      const after = async (buffer: GPUBuffer) => own.read(buffer, n + ROOM);
      const behind = new Array(ROOM).fill(BEHIND);
      expect([...(await after(output.keys)).slice(n)]).toEqual(behind);
      expect([...(await after(output.values)).slice(n)]).toEqual(behind);
      expect(wrongAt(await after(input.keys), keys)).toBe(-1);
      if (gaveUp) continue;
      const order = places.slice().sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0));
      expect(wrongAt(await after(output.values), order)).toBe(-1);
      expect(wrongAt(await after(output.keys), keys.slice().sort())).toBe(-1);
    }
    return said;
  });
}

/** The first word that is another one, or -1: an element-wise report of many words helps nobody. */
const wrongAt = (words: Uint32Array, expected: Uint32Array) => expected.findIndex((word, i) => word !== words[i]);

test.each([0, 1, 2, 1000, 1700, 4095, 20_011])("%i different keys are sorted", async (n) => {
  expect(await sorted([drawn(n)])).toEqual([false]);
});

/** Parts of 16 pairs: of 9,000 pairs more than one pass makes. */
const SMALL = { perPart: 16 };

test("two passes sort, one sorter again and again, fewer pairs and more", async () => {
  const numbers = [30_000, 1, 20_011, 0, 30_000];
  expect(
    await sorted(
      numbers.map((n) => drawn(n)),
      SMALL,
    ),
  ).toEqual(numbers.map(() => false));
});

// Of 918,000 pairs there are 512 parts.
test.skipIf(spared)("two passes of full parts sort", async () => {
  expect(await sorted([drawn(1_000_003)])).toEqual([false]);
});

/** Keys of which each comes `copies` times, anywhere. */
const repeated = (n: number, copies: number) => {
  const keys = drawn(Math.ceil(n / copies));
  return Uint32Array.from({ length: n }, (_, i) => keys[(i * 7919) % keys.length] ?? 0);
};
const STABLE = { stable: true };

// `sorted` compares with a stable sort.
test.each([
  ["one pass", STABLE, 20_011],
  ["two passes", { ...STABLE, ...SMALL }, 9001],
])("stable, %s: equal keys keep their order, one sorter again and again", async (_, options, n) => {
  const inputs = [
    drawn(n),
    repeated(n, 2),
    repeated(n - 1, 4),
    drawn(n)
      .with(1, 7)
      .with(n - 1, 7),
    drawn(1),
  ];
  expect(await sorted(inputs, options)).toEqual(inputs.map(() => false));
});

test("stable: as many equal keys as a sub-bucket may have are sorted, and one more is given up", async () => {
  const equal = (count: number) => drawn(1500).map((key, i) => (i % 40 === 3 && i < 40 * count ? 0x12345678 : key));
  expect(await sorted([equal(31), equal(36), repeated(1500, 2)], STABLE)).toEqual([false, true, false]);
});

test.skipIf(spared)("stable, where there are no subgroups, and no workgroups of more than 256 lanes", async () => {
  const { info } = gpu();
  const few = { ...info.limits, maxComputeInvocationsPerWorkgroup: 256 };
  for (const limits of [few, info.limits]) {
    const plain: WebGpu = Object.create(gpu(), { info: { value: { ...info, limits, features: [] } } });
    for (const options of [STABLE, { ...STABLE, ...SMALL }]) {
      expect(await sorted([repeated(9001, 3), drawn(777)], options, plain)).toEqual([false, false]);
    }
  }
});

test("reserved keys, and the smallest, are keys like others", async () => {
  const keys = Uint32Array.from([DELETED, ...drawn(3000).filter((key) => key > 1 && key < DELETED), 0, DELETED + 1, 1]);
  expect(await sorted([keys])).toEqual([false]);
});

test("keys at equal distances are sorted", async () => {
  // Two parts, and one pair in each second sub-bucket of either.
  expect(await sorted([Uint32Array.from({ length: 2048 }, (_, i) => 2 ** 32 - 2 ** 21 * (i + 1))])).toEqual([false]);
});

describe.each([
  ["one pass", {}, 20_011],
  ["two passes", SMALL, 9001],
])("%s", (_, options, n) => {
  const keys = drawn(n);
  test.each([
    ["two equal keys, far apart", () => keys.with(keys.length - 1, keys[0] ?? 0)],
    ["two equal keys, side by side", () => keys.with(1, keys[0] ?? 0)],
    ["equal keys", () => keys.map(() => 0x12345678)],
    ["a key that all have but a few", () => keys.map((key, i) => (i % 100 === 0 ? key : 77))],
    ["ascending dense keys", () => Uint32Array.from(keys.keys())],
    ["descending dense keys", () => keys.map((_, i) => 2 ** 31 + keys.length - i)],
    ["a part's room of keys too many", () => keys.map((key, i) => (i < 2500 ? Math.floor(key / 2 ** 14) : key))],
  ])("%s: it gives up, and sorts what comes next", async (_, make) => {
    expect(await sorted([make(), keys], options)).toEqual([true, false]);
  });
});

// Forty keys of one sub-bucket, and no part too full.
test("a sub-bucket of too many keys: it gives up", async () => {
  expect(await sorted([drawn(1500).map((key, i) => (i < 40 ? i : key))])).toEqual([true]);
});

test.skipIf(spared)("where there are no subgroups, and no workgroups of more than 256 lanes", async () => {
  const { info } = gpu();
  const limits = { ...info.limits, maxComputeInvocationsPerWorkgroup: 256 };
  const plain: WebGpu = Object.create(gpu(), { info: { value: { ...info, limits, features: [] } } });
  for (const options of [{}, SMALL]) {
    expect(await sorted([drawn(20_011), drawn(777)], options, plain)).toEqual([false, false]);
  }
});

test("more pairs than the scratch is for are refused", async () => {
  await scoped(gpu(), async (own) => {
    const sorter = await hybridSort(own, 100);
    const buffer = await own.alloc("test", 1000);
    const pairs = { keys: buffer, values: buffer };
    expect(() => sorter.steps(pairs, pairs, 101, buffer)).toThrow("101 pairs; the scratch is for 100");
  });
});
