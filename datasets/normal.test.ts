import { expect, it } from "vitest";
import { DEVIATION, MEAN, normalKeys } from "./normal.js";

async function keysOf(n: number, seed = 5): Promise<Uint32Array> {
  const keys: number[] = [];
  for await (const chunk of normalKeys({ n, seed }).chunks()) for (const key of chunk) keys.push(key);
  return Uint32Array.from(keys);
}

it("has different keys, exactly n, the same for the same seed only", async () => {
  const keys = await keysOf(200_000);
  expect(keys).toHaveLength(200_000);
  expect(new Set(keys).size).toBe(200_000);
  expect(await keysOf(1000)).toEqual(keys.subarray(0, 1000));
  expect(await keysOf(1000, 6)).not.toEqual(keys.subarray(0, 1000));
});

it("is distributed normally", async () => {
  const n = 200_000;
  const scaled = Float64Array.from(await keysOf(n), (key) => (key - MEAN) / DEVIATION);
  const moment = (power: number) => scaled.reduce((sum, x) => sum + x ** power, 0) / n;
  // Standard errors are 0.002, 0.003 and 0.02.
  expect(Math.abs(moment(1))).toBeLessThan(0.01);
  expect(Math.abs(moment(2) - 1)).toBeLessThan(0.015);
  expect(Math.abs(moment(4) - 3)).toBeLessThan(0.1);
  // Between -1 and 1, and beyond 2: 0.6827 and 0.0455.
  expect(scaled.filter((x) => Math.abs(x) < 1).length / n).toBeCloseTo(0.683, 2);
  expect(scaled.filter((x) => Math.abs(x) > 2).length / n).toBeCloseTo(0.0455, 2);
});

it("has absent keys, once it was read", async () => {
  const source = normalKeys({ n: 5000, seed: 1 });
  await expect(source.absent(1)).rejects.toThrow("before chunks()");
  const keys = new Set<number>();
  for await (const chunk of source.chunks()) for (const key of chunk) keys.add(key);
  const absent = await source.absent(3000);
  expect(new Set(absent).size).toBe(3000);
  expect(absent.some((key) => keys.has(key))).toBe(false);
});

it("refuses more keys than it can draw", () => {
  expect(() => normalKeys({ n: 2 ** 30, seed: 0 })).toThrow("normal: n = 1073741824 is more than 536870912");
});
