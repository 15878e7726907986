import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { LimitsStore } from "./limits-store.js";

const folder = mkdtempSync(join(tmpdir(), "hashbench-limits-"));
afterEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
});
afterAll(() => rmSync(folder, { recursive: true }));
const store = (...configuration: string[]) => new LimitsStore(configuration, folder);
const at = (tableBytes: number) => ({ pattern: "cas", tableBytes });

test("between two sizes an access takes a time that is linear in 1 / size, beyond them that of the nearest", () => {
  const limits = store("gpu");
  limits.set(at(2 ** 20), 100);
  limits.set(at(2 ** 24), 20);
  // 10 and 50 µs for a thousand; 2^22 is four fifths of the way from 1 / 2^20 to 1 / 2^24.
  expect(limits.rate(at(2 ** 22))).toBeCloseTo(1000 / 42);
  expect(limits.rate(at(2 ** 10))).toBe(100);
  expect(limits.rate(at(2 ** 30))).toBe(20);
});

test("a pattern may be known for small tables only", () => {
  const limits = store("gpu");
  limits.set(at(2 ** 30), 100);
  expect(limits.has("cas")).toBe(true);
  expect(limits.has("cas", 2 ** 31)).toBe(false);
  limits.set(at(2 ** 31 + 2 ** 20), 50);
  expect(limits.has("cas", 2 ** 31)).toBe(true);
  expect(limits.has("lookup4", 2 ** 31)).toBe(false);
});

test("a pattern that was never measured has no rate", () => {
  expect(store("gpu").rate(at(1024))).toBe(null);
});

test("rates are kept for the same device and driver only", () => {
  store("gpu", "driver 1").set(at(1024), 5);
  expect(store("gpu", "driver 1").rate(at(1024))).toBe(5);
  expect(store("gpu", "driver 2").has("cas")).toBe(false);
});

test("configurations that differ only far behind, or in odd characters, keep their own rates", () => {
  const long = "toggle ".repeat(60);
  store(`${long}a`).set(at(1024), 5);
  expect(store(`${long}b`).has("cas")).toBe(false);
  store("GPU (A)").set(at(1024), 6);
  expect(store("GPU [A]").has("cas")).toBe(false);
  store("a b", "c").set(at(1024), 7);
  expect(store("a", "b c").has("cas")).toBe(false);
});

test("file names are no longer than file systems take", () => {
  store("x".repeat(1000)).set(at(1024), 5);
  expect(store("x".repeat(1000)).rate(at(1024))).toBe(5);
  for (const name of readdirSync(folder)) expect(name.length).toBeLessThan(240);
});

test("at a measured size the rate is the measured one, in whatever order the sizes came", () => {
  const limits = store("gpu");
  for (const [size, rate] of [
    [4096, 3],
    [1024, 1],
    [2048, 2],
  ] as const)
    limits.set(at(size), rate);
  expect([1024, 2048, 4096].map((size) => limits.rate(at(size)))).toEqual([1, 2, 3]);
});

test("a size measured again has its newest rate", () => {
  store("gpu").set(at(1024), 5);
  store("gpu").set(at(1024), 6);
  expect(store("gpu").rate(at(1024))).toBe(6);
});

test.each(["{", "", "null", "[]", '{"cas":[[1024]]}', '{"cas":[[1024,null]]}', '{"cas":[[1024,-1]]}'])(
  "a file that holds %j is as good as none",
  (text) => {
    store("gpu").set(at(1024), 5);
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), text);
    expect(store("gpu").has("cas")).toBe(false);
    store("gpu").set(at(1024), 6);
    expect(store("gpu").rate(at(1024))).toBe(6);
  },
);

test("a folder that cannot be written costs later runs their rates, and nothing else", () => {
  writeFileSync(join(folder, "file"), "");
  const limits = new LimitsStore(["gpu"], join(folder, "file", "inner"));
  limits.set(at(1024), 5);
  expect(limits.rate(at(1024))).toBe(5);
});
