import { describe, expect, it } from "vitest";
import { keyOf } from "./random.js";
import { REPETITIONS, type Repetitions, repetitionKeys, shareOf, uniqueOf } from "./repetitions.js";

async function keysOf(set: Repetitions, n: number, seed = 3): Promise<Uint32Array> {
  const keys = new Uint32Array(n);
  let filled = 0;
  for await (const chunk of repetitionKeys(set, { n, seed }).chunks()) {
    keys.set(chunk, filled);
    filled += chunk.length;
  }
  expect(filled).toBe(n);
  return keys;
}

/** How often each key occurs, most frequent first. */
function frequencies(keys: Uint32Array): Uint32Array {
  const counts = new Map<number, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return Uint32Array.from(counts.values()).sort().reverse();
}

const com = REPETITIONS.find(({ name }) => name === "com") as Repetitions;

describe.each(REPETITIONS)("$name", (set) => {
  it("has the paper's numbers of pairs and keys, and at another n as many in proportion", async () => {
    expect(uniqueOf(set, set.pairs)).toBe(set.unique);
    const n = 300_000;
    expect(uniqueOf(set, n) / n).toBeCloseTo(set.unique / set.pairs, 5);
    expect(frequencies(await keysOf(set, n))).toHaveLength(uniqueOf(set, n));
    expect(repetitionKeys(set, { n, seed: 3 }).unique()).toBe(uniqueOf(set, n));
  });

  it("repeats keys as often as its skew says", async () => {
    const n = 400_000;
    const keys = await keysOf(set, n);
    const unique = uniqueOf(set, n);
    const rank = new Map(Array.from({ length: unique }, (_, i) => [keyOf(i, 3), i]));
    const copies = new Float64Array(unique).fill(-1);
    for (const key of keys) copies[rank.get(key) as number]!++;
    for (const share of [0.01, 0.2, 0.5]) {
      const top = copies.subarray(0, share * unique).reduce((sum, count) => sum + count, 0);
      // Binomial: the deviation of 40,000 draws or more is below 0.0025.
      expect(Math.abs(top / (n - unique) - shareOf(set, share))).toBeLessThan(0.01);
    }
  });

  it("spreads first occurrences over the stream", async () => {
    const keys = await keysOf(set, 100_000);
    const half = new Set(keys.subarray(0, 50_000)).size / uniqueOf(set, 100_000);
    expect(half).toBeGreaterThan(0.49);
    expect(half).toBeLessThan(0.75);
  });

  it("has absent keys, and others with another seed", async () => {
    const keys = new Set(await keysOf(set, 20_000));
    const absent = await repetitionKeys(set, { n: 20_000, seed: 3 }).absent(5000);
    expect(new Set(absent).size).toBe(5000);
    expect(absent.some((key) => keys.has(key))).toBe(false);
    expect(await keysOf(set, 1000)).toEqual(await keysOf(set, 1000));
    expect(await keysOf(set, 1000)).not.toEqual(await keysOf(set, 1000, 4));
  });
});

it("com has exactly the paper's different keys at the paper's size", async () => {
  const bits = new Uint32Array(2 ** 27);
  let unique = 0;
  for await (const chunk of repetitionKeys(com, { n: com.pairs, seed: 1 }).chunks()) {
    for (const key of chunk) {
      const bit = 1 << (key & 31);
      if (((bits[key >>> 5] as number) & bit) === 0) unique++;
      bits[key >>> 5]! |= bit;
    }
  }
  expect(unique).toBe(4_583_941);
});

it.each([1, 2, 3])("%d pairs are enough", async (n) => {
  expect(await keysOf(com, n)).toHaveLength(n);
});
