import { describe, expect, test } from "vitest";
import { decadeTicks, displayUnit, niceTicks, octaveTicks, titleWithUnit } from "./units.js";

describe("display unit", () => {
  test("of a rate has the prefix that keeps labels short", () => {
    expect(displayUnit("MOPS", 900)).toEqual({ factor: 1, unit: "M op/s" });
    expect(displayUnit("M op/s", 37_000)).toEqual({ factor: 1e-3, unit: "G op/s" });
    expect(displayUnit("M op/s", 0.07)).toEqual({ factor: 1e3, unit: "k op/s" });
    expect(displayUnit("accesses/s", 4.4e10)).toEqual({ factor: 1e-9, unit: "G accesses/s" });
  });

  test("of a time likewise", () => {
    expect(displayUnit("ns", 41_000_000)).toEqual({ factor: 1e-6, unit: "ms" });
  });

  test.each([
    [0.499, 1e3, "k op/s"],
    [0.5, 1, "M op/s"],
    [1999, 1, "M op/s"],
    [2000, 1e-3, "G op/s"],
    [-2000, 1e-3, "G op/s"],
    [0, 1, "M op/s"],
    [2e7, 1e-3, "G op/s"],
    [1e-9, 1e6, "op/s"],
  ])("changes at values of 0.5 and of 2000, and at no others: %f M op/s", (value, factor, unit) => {
    expect(displayUnit("M op/s", value)).toEqual({ factor, unit });
  });

  test("of a bandwidth likewise", () => {
    expect(displayUnit("GB/s", 4266)).toEqual({ factor: 1e-3, unit: "TB/s" });
    expect(displayUnit("GB/s", 102)).toEqual({ factor: 1, unit: "GB/s" });
  });

  test("of anything else is the rows' own", () => {
    expect(displayUnit("", 0.5)).toEqual({ factor: 1, unit: "" });
  });
});

test("a title names the unit once, in the prefix that is drawn", () => {
  expect(titleWithUnit("Rate", "G op/s")).toBe("Rate (G op/s)");
  expect(titleWithUnit("Buckets accessed", "buckets")).toBe("Buckets accessed");
  expect(titleWithUnit("Rate (M op/s)", "G op/s")).toBe("Rate (G op/s)");
  expect(titleWithUnit("Share (%)", "ratio")).toBe("Share (%)");
  expect(titleWithUnit("T(a) − T(b)", "µs")).toBe("T(a) − T(b) (µs)");
});

describe("ticks", () => {
  test("have a round step and cover the values", () => {
    expect(niceTicks(0, 10.4)).toEqual([0, 2.5, 5, 7.5, 10, 12.5]);
    expect(niceTicks(-350, 240)).toEqual([-400, -200, 0, 200, 400]);
    expect(niceTicks(0, 0.07)).toEqual([0, 0.02, 0.04, 0.06, 0.08]);
  });

  test("of a log axis are powers, with steps between them where decades are few", () => {
    expect(decadeTicks(0.003, 42)).toEqual({ domain: [0.001, 100], ticks: [0.001, 0.01, 0.1, 1, 10, 100] });
    expect(decadeTicks(0.27, 16)).toEqual({ domain: [0.2, 20], ticks: [0.2, 0.5, 1, 2, 5, 10, 20] });
    expect(decadeTicks(0.34, 0.78).ticks).toEqual([0.3, 0.4, 0.5, 0.6, 0.8]);
    expect(decadeTicks(5, 5).domain).toEqual([3, 8]);
    expect(octaveTicks(2 ** 14, 2 ** 25, 6)).toEqual([14, 16, 18, 20, 22, 24].map((e) => 2 ** e));
  });
});
