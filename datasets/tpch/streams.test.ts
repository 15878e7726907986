import { describe, expect, it } from "vitest";
import { drawn, orderKey, skip, step } from "./streams.js";

describe("dbgen's streams", () => {
  it("step as x -> 16807 x mod 2^31 - 1", () => {
    for (const x of [1, 2, 46831694, 2 ** 30, 2 ** 31 - 2]) {
      expect(step(x)).toBe(Number((BigInt(x) * 16807n) % 2147483647n));
    }
  });

  it("reach Park and Miller's check value after 10,000 steps from 1", () => {
    // S. Park and K. Miller, "Random number generators: good ones are hard to find", CACM 31(10), 1988.
    expect(skip(1, 10_000)).toBe(1043618065);
  });

  it("skip to where steps lead", () => {
    let x = 209208115;
    for (let i = 0; i < 1000; i++) {
      expect(skip(209208115, i)).toBe(x);
      x = step(x);
    }
  });

  it("begin each order at the same place, however many draws were used", () => {
    const used = Uint32Array.of(1, 7, 0, 3);
    const words = drawn(99, { first: 1, used, each: 7 }, 0, 2 ** 31 - 2);
    const of = (order: number, length: number) => Array.from({ length }, (_, i) => skip(99, 7 * order + i + 1));
    expect([...words]).toEqual([...of(1, 1), ...of(2, 7), ...of(4, 3)]);
  });

  it("number orders with the gaps of the specification", () => {
    expect([0, 6, 7, 8, 14, 15, 1_499_999].map(orderKey)).toEqual([1, 7, 32, 33, 39, 64, 6_000_000]);
  });
});
