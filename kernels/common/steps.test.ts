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

test("the grid covers every item and is never empty", () => {
  expect([0, 1, 256, 257].map(groupsFor)).toEqual([1, 1, 1, 2]);
});
