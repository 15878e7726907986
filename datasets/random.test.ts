import { describe, expect, it } from "vitest";
import { KEY_SPACE, keyConstants, keyOf, keyOfWith, randomKeys } from "./random.js";

describe("random", () => {
  it("gives these words for these arguments, in every implementation", () => {
    expect([0, 1, 2, 0xfffffffd].map((i) => keyOf(i, 0))).toMatchInlineSnapshot(`
      [
        590720263,
        1357806995,
        3586865800,
        2548906030,
      ]
    `);
    expect([0, 1, 2, 0xfffffffd].map((i) => keyOf(i, 0xffffffff))).toMatchInlineSnapshot(`
      [
        752424234,
        939981602,
        3845465457,
        3082974572,
      ]
    `);
  });

  it("never makes a reserved key, even where a single pass over the bijection would", () => {
    // k2 is chosen so that one pass turns `i` into EMPTY; cycle-walking must go on.
    const [k0, k1] = keyConstants(7);
    for (const i of [0, 1, 123456789, KEY_SPACE - 1]) {
      const plain = keyOfWith(i, [k0, k1, 0]);
      for (const reserved of [0xffffffff, 0xfffffffe]) {
        expect(keyOfWith(i, [k0, k1, (reserved - plain) >>> 0])).toBeLessThan(KEY_SPACE);
      }
    }
  });

  it("makes every key once", async () => {
    const keys = new Set<number>();
    for await (const chunk of randomKeys({ n: 300_000, seed: 3 }).chunks()) for (const key of chunk) keys.add(key);
    expect(keys.size).toBe(300_000);
  });

  it("takes its absent keys from beyond the stream", async () => {
    const absent = await randomKeys({ n: 10, seed: 5 }).absent(3);
    expect([...absent]).toEqual([10, 11, 12].map((i) => keyOf(i, 5)));
  });

  it("makes other keys for another seed", () => {
    const same = Array.from({ length: 1000 }, (_, i) => i).filter((i) => keyOf(i, 1) === keyOf(i, 2));
    expect(same).toEqual([]);
  });

  it("spreads its keys evenly over the key space", () => {
    const counts = new Float64Array(256);
    for (let i = 0; i < 256_000; i++) counts[keyOf(i, 11) >>> 24]!++;
    const chiSquare = counts.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
    // 255 degrees of freedom: 99.99 % lie between 180 and 345.
    expect(chiSquare).toBeGreaterThan(180);
    expect(chiSquare).toBeLessThan(345);
  });

  it("refuses more keys than there are", () => {
    expect(() => randomKeys({ n: 2 ** 32 - 1, seed: 0 })).toThrow("more than the 4294967294 keys there are");
  });
});
