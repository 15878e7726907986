import { expect, test } from "vitest";
import type { ResultRow } from "../../bench/results/record.js";
import { row } from "../../bench/results/testing.js";
import { columnsOf } from "./columns.js";
import { limitRates } from "./environment.js";
import { PatternRates } from "./retrieval-model.js";

const access = (allocation: string, value: number, more: Partial<ResultRow> = {}) =>
  row({
    bench: "limit",
    experiment: "device/limits",
    table: "read4",
    metric: "mops",
    value,
    params: { tableMiB: 1024, ...(allocation !== "" && { allocation }) },
    ...more,
  });
const rates = (rows: readonly ResultRow[]) => columnsOf(rows).flatMap((column) => limitRates(column).lines);

test.each(["host", "plain"])("what %s memory does is no limit of the device's", (allocation) => {
  const rows = [access("", 40_000), access(allocation, 115)];
  expect(rates(rows).map((line) => line.rates)).toEqual([["40"]]);
  expect(new PatternRates(rows).time("read4", 2 ** 30)).toBeCloseTo(0.025);
});

test("a chain of reads is that of one lane, not of many at once", () => {
  const chain = (lanes: object, value: number) =>
    access("", value, { table: "chain4", op: "chain", params: { tableMiB: 1024, ...lanes } });
  const rows = [chain({}, 2), chain({ lanes: 2 ** 14 }, 20_000)];
  expect(rates(rows).map((line) => line.rates)).toEqual([["0.002"]]);
  expect(new PatternRates(rows).time("chain4", 2 ** 30)).toBeCloseTo(500);
});

test("a copy has its bytes, not its accesses", () => {
  const copy = { table: "copy", op: "copy" };
  const rows = [access("", 133_000, copy), access("", 4266, { ...copy, metric: "bandwidth", unit: "GB/s" })];
  expect(rates(rows)).toEqual([{ kind: "copy", title: "Coalesced copy, TB/s read and written", rates: ["4.27"] }]);
});
