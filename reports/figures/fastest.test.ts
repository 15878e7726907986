import { expect, test } from "vitest";
import { printText } from "../../bench/base/document.js";
import { row } from "../../bench/results/testing.js";
import { fastest } from "./fastest.js";
import { experiment } from "./testing.js";

const at = (positive_ratio: number, table: string, value: number, half = 1) =>
  row({ positive_ratio, table, variant: table === "cuckoo" ? "1.25n" : "", value, lo: value - half, hi: value + half });

test("the first series is told with its factor over the next, where most series have a point", () => {
  const rows = [at(0, "gph", 90), at(0, "cuckoo", 100), at(0.5, "gph", 120), at(0.5, "cuckoo", 100), at(1, "gph", 900)];
  expect(printText(fastest(experiment(), rows, false), 100)).toBe(`Fastest (the one to take if nothing else matters):

Positive ratio (%)  first  value       beside the next
                50  GPH    120 M op/s  1.20 (1.18 to 1.22) × Cuckoo 1.25n
`);
});

test("series whose intervals overlap are level", () => {
  const rows = [at(0, "gph", 101, 5), at(0, "cuckoo", 100, 5)];
  expect(printText(fastest(experiment(), rows, false))).toContain("1.01 (0.91 to 1.12) ×, level with Cuckoo 1.25n");
});

test("of a software adapter the fewest transactions are told", () => {
  const rows = [at(0, "gph", 2), at(0, "cuckoo", 4)].map((one) => ({
    ...one,
    ...{ metric: "transactions", unit: "1/op", lo: null, hi: null },
  }));
  expect(printText(fastest(experiment(), rows, true))).toMatch(/^Fewest transactions[\s\S]* 0 +GPH +2 +0\.50 × Cuckoo/);
});

test("a single series, and a figure of another quantity, has none", () => {
  expect(fastest(experiment(), [at(0, "gph", 1)], false)).toEqual([]);
  const two = [at(0, "gph", 1), at(0, "cuckoo", 2)];
  expect(fastest(experiment({}, { metric: "probes" }), two, false)).toEqual([]);
});
