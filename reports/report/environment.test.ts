import { expect, test } from "vitest";
import { row } from "../../bench/results/testing.js";
import { columnsOf } from "./columns.js";
import { limitRates } from "./environment.js";
import { PatternRates } from "./retrieval-model.js";

const access = (allocation: string, value: number) =>
  row({
    bench: "limit",
    experiment: "device/limits",
    table: "read4",
    metric: "mops",
    value,
    params: { tableMiB: 1024, ...(allocation !== "" && { allocation }) },
  });

test.each(["host", "plain"])("what %s memory does is no limit of the device's", (allocation) => {
  const rows = [access("", 40_000), access(allocation, 115)];
  const [column] = columnsOf(rows);
  if (!column) throw new Error("no column");
  expect(limitRates(column).lines.map(({ rates }) => rates)).toEqual([["40"]]);
  expect(new PatternRates(rows).time("read4", 2 ** 30)).toBeCloseTo(0.025);
});
