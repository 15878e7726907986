import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../bench/base/paths.js";
import { extraProbe, planted, slowerFind, slowerInsert, strengthFor } from "./plant.js";

test.each([slowerFind, slowerInsert, extraProbe])("the kernel still has the place of the plant in $file", (plant) => {
  const text = readFileSync(join(packageRoot, plant.file), "utf8");
  const lines = planted(text, plant, 0.5).split("\n");
  expect(lines.indexOf(plant.after)).toBe(text.split("\n").indexOf(plant.after));
  expect(lines.join("\n")).toContain(`${plant.after}\n${plant.code(0.5)}`);
});

test("a kernel without the place, or with two, is refused", () => {
  expect(() => planted("fn main() {}", slowerFind, 1)).toThrow("no single line");
  expect(() => planted(`${slowerFind.after}\n${slowerFind.after}`, slowerFind, 1)).toThrow("no single line");
});

test("calibration ends at the wanted slow-down, also where the effect is not proportional", () => {
  for (const effect of [
    (s: number) => 0.8 * s,
    (s: number) => 0.3 * s * s,
    (s: number) => Math.max(0, 0.4 * s - 0.05),
  ]) {
    const points = [{ strength: 0, change: 0 }];
    for (let step = 0; step < 10; step++) {
      const strength = strengthFor(points, 0.05);
      points.push({ strength, change: effect(strength) });
      if (Math.abs(effect(strength) / 0.05 - 1) < 0.04) break;
    }
    expect(points.at(-1)?.change).toBeCloseTo(0.05, 2);
  }
});
