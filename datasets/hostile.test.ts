import { expect, test } from "vitest";
import { mix32 } from "../kernels/common/random.js";
import { nextPrime } from "../kernels/common/steps.js";
import { hostileKeys } from "./hostile.js";

const [n, seed] = [20_000, 7];

async function keysOf(kind: string, count = n): Promise<number[]> {
  const source = hostileKeys(kind, { n: count, seed });
  const keys: number[] = [];
  for await (const chunk of source.chunks()) keys.push(...chunk);
  expect(new Set(keys).size).toBe(count);
  expect(source.unique()).toBe(count);
  return keys;
}

test.each(["bucketed", "quotient"])("keys for %s begin in one bucket", async (kind) => {
  const buckets = BigInt(Math.ceil(n / 0.8 / 4));
  const places = (await keysOf(kind)).map((key) => (BigInt(mix32(key ^ seed)) * buckets) >> 32n);
  expect(new Set(places)).toEqual(new Set([0n]));
});

test.each(["crystal", "double-hashing"])("keys for %s begin in one slot, as far as there are so many", async (kind) => {
  const placesOf = async (count: number) =>
    new Set((await keysOf(kind, count)).map((key) => mix32(key ^ seed) % nextPrime(count / 0.8)));
  expect(await placesOf(n)).toEqual(new Set([0]));
  expect([...(await placesOf(100_000))]).toEqual([0, 1, 2]);
});

test("multiples are of a power of two, and bits are few", async () => {
  expect((await keysOf("multiples")).every((key) => key % 2 ** 17 === 0)).toBe(true);
  const bits = (await keysOf("bits")).map((key) => key.toString(2).replaceAll("0", "").length);
  expect(bits).toEqual(bits.toSorted((a, b) => a - b));
  expect(bits.at(-1)).toBe(4);
  expect(bits.filter((count) => count === 3)).toHaveLength(4960);
});
