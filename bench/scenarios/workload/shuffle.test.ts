import { expect, test } from "vitest";
import { shuffled } from "./shuffle.js";

test.each([1, 2, 3, 64, 1000, 4097])("%d elements are permuted, otherwise with another seed", (count) => {
  const permuted = (seed: number) => Array.from({ length: count }, (_, i) => shuffled(i, count, seed));
  expect(new Set(permuted(0x9abcdef0)).size).toBe(count);
  expect(Math.max(...permuted(5))).toBe(count - 1);
  if (count > 60) expect(permuted(1)).not.toEqual(permuted(2));
});
