import { expect, it } from "vitest";
import { keyOf } from "./random.js";
import { ranksOf, taobenchKeys } from "./taobench.js";

it.each([1000, 100_000, 165_000_000])(
  "of %d keys the fifth that is asked for most draws 82.14 %% of the lookups",
  (n) => {
    const rankAt = ranksOf(n);
    expect(rankAt(0.8214) / n).toBeCloseTo(0.2, 2);
    expect(rankAt(0)).toBe(0);
    expect(rankAt(1 - 2 ** -53)).toBe(n - 1);
    const ranks = Array.from({ length: 1001 }, (_, i) => rankAt(i / 1000));
    expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
  },
);

it("gives the first of 165,000,000 keys one lookup in a hundred", () => {
  const rankAt = ranksOf(165_000_000);
  expect(rankAt(0.009)).toBe(0);
  expect(rankAt(0.015)).toBeGreaterThan(0);
});

it.each([1, 2, 7])("has ranks for %d keys", (n) => {
  for (const u of [0, 0.5, 0.999999]) expect(ranksOf(n)(u)).toBeLessThan(n);
});

it("has the keys of random", async () => {
  const source = taobenchKeys({ n: 100, seed: 2 });
  for await (const chunk of source.chunks()) expect([...chunk]).toEqual(Array.from(chunk, (_, i) => keyOf(i, 2)));
  expect([...(await source.absent(2))]).toEqual([keyOf(100, 2), keyOf(101, 2)]);
});
