import { expect, test } from "vitest";
import { groupsFor, nextPrime } from "./steps.js";

test.each([
  [0, 3],
  [3, 3],
  [4, 5],
  [8, 11],
  [90, 97],
  [2 ** 27, 134217757],
])("the next prime from %i is %i", (from, prime) => {
  expect(nextPrime(from)).toBe(prime);
});

test("every odd prime below 10,000 is found from every number since the one before", () => {
  const composite = new Uint8Array(10_000);
  for (let i = 2; i * i < composite.length; i++)
    for (let multiple = i * i; multiple < composite.length; multiple += i) composite[multiple] = 1;
  let expected = 0;
  for (let x = 9973; x >= 3; x--) {
    if (!composite[x]) expected = x;
    if (nextPrime(x) !== expected) expect(nextPrime(x), `from ${x}`).toBe(expected);
  }
  expect([0, 1, 2].map(nextPrime)).toEqual([3, 3, 3]);
});

test("the number of slots need not be whole", () => {
  expect(nextPrime(11.2)).toBe(13);
});

test.each([
  // Products of neighbouring primes and squares, which a search that ends too early takes for primes.
  [46_337 * 46_337, 2_147_117_617],
  [46_327 * 46_337, 2_146_654_201],
  [2 ** 31 - 1, 2 ** 31 - 1],
  [2 ** 32, 4_294_967_311],
])("from %i, near the largest numbers it is for and beyond, the next prime is %i", (from, prime) => {
  expect(nextPrime(from)).toBe(prime);
});

test("the grid covers every item and is never empty", () => {
  expect([0, 1, 256, 257].map(groupsFor)).toEqual([1, 1, 1, 2]);
});
