import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { LimitsStore } from "./limits-store.js";

const folder = mkdtempSync(join(tmpdir(), "hashbench-limits-"));
afterEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
});
const store = (...configuration: string[]) => new LimitsStore(configuration, folder);
const at = (tableBytes: number) => ({ pattern: "cas", tableBytes });

test("between two sizes the rate is interpolated in the size's logarithm, beyond them it is the nearest", () => {
  const limits = store("gpu");
  limits.set(at(2 ** 20), 100);
  limits.set(at(2 ** 24), 20);
  expect(limits.rate(at(2 ** 22))).toBeCloseTo(60);
  expect(limits.rate(at(2 ** 10))).toBe(100);
  expect(limits.rate(at(2 ** 30))).toBe(20);
});

test("a pattern that was never measured has no rate", () => {
  expect(store("gpu").rate(at(1024))).toBe(null);
});

test("rates are kept for the same device and driver only", () => {
  store("gpu", "driver 1").set(at(1024), 5);
  expect(store("gpu", "driver 1").rate(at(1024))).toBe(5);
  expect(store("gpu", "driver 2").has("cas")).toBe(false);
});

test("a broken file is as good as none", () => {
  store("gpu").set(at(1024), 5);
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), "{");
  expect(store("gpu").has("cas")).toBe(false);
});
