import { expect, test } from "vitest";
import { printText, wrap } from "../../bench/base/document.js";
import { row } from "../../bench/results/testing.js";
import { plotData } from "./series.js";
import { experimentBlocks } from "./table.js";
import { experiment, failedRow, threeRows } from "./testing.js";

function experimentTable(...[declared, rows, { width = 80 } = {}]: Parameters<typeof experimentBlocks>): string {
  return printText(experimentBlocks(declared, rows, { width }), width);
}

const limits = threeRows().map((r) => ({ ...r, metric: "limit_mops", value: 400 }));

test("a cell shows median, interval and share of the limit", () => {
  const rows = [...threeRows({ value: 100, lo: 98, hi: 101 }), ...limits];
  expect(experimentTable(experiment(), rows)).toBe(`gph/test: A test
Throughput (M op/s), ± 95 % interval, share of the device's limit

Positive ratio (%)                0               50              100
GPH                 100.0 ±2.0% 25%  100.0 ±2.0% 25%  100.0 ±2.0% 25%

Limits: lookups of 128 B by 4 lanes (GPH).
`);
});

test("a cell without a number shows its status, and the reason is below", () => {
  const table = experimentTable(experiment(), [...threeRows(), failedRow({ table: "cuckoo", variant: "1.25n" })]);
  expect(table).toMatch(/^Cuckoo 1\.25n\s+timeout$/m);
  expect(table).toMatch(/^1 × timeout, no answer in 60 s$/m);
});

test("the paper's values are a block of their own", () => {
  const paper = [{ table: "gph", x: 0.5, value: 33 }];
  const table = experimentTable(experiment({}, { paper }), threeRows());
  expect(table).toMatch(/The paper's values\n.*\n?.*33\.0/);
});

test("the paper's values come last, behind panels whose cells all failed", () => {
  const panels = [
    { metric: "counted", title: "Counted" },
    { metric: "mops", title: "Measured" },
  ];
  const paper = [{ table: "gph", x: 0.5, value: 33 }];
  const rows = [...threeRows(), failedRow({ table: "cuckoo", variant: "1.25n" })];
  const heads = experimentTable(experiment({}, { metric: panels, paper }), rows).match(
    /^(Counted|Measured|The paper.*)$/gm,
  );
  expect(heads).toEqual(["Counted", "Measured", "The paper's values"]);
});

test("values much smaller than the largest keep two digits", () => {
  const table = experimentTable(experiment(), [row({ value: 30_000 }), row({ positive_ratio: 0, value: 3.14 })]);
  expect(table).toMatch(/0\.0031\s+30\.00/);
});

test.each([80, 120])("no line is longer than %i columns, whatever the number of x and the length of names", (width) => {
  const series = Array.from({ length: 12 }, (_, i) => ({
    table: `t${i}`,
    label: `a table with a very long name, variant ${i}`,
  }));
  const rows = series.flatMap(({ table }) =>
    Array.from({ length: 20 }, (_, i) => row({ table, positive_ratio: i / 20, value: 12_345, lo: 12_000, hi: 13_000 })),
  );
  const lines = experimentTable(experiment({ series }), rows, { width }).split("\n");
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
  expect(lines.join(" ")).not.toContain("…");
});

test("tells the paper's lines and bands below the numbers", () => {
  const paper = [{ label: "3×", value: 3 }];
  expect(experimentTable(experiment({}, { paper }), threeRows())).toContain("\nThe paper: 3×.\n");
});

test("without any row it says so", () => {
  expect(experimentTable(experiment(), [])).toContain("no row has the metric mops");
});

test("a terminal without a width still gets a table", () => {
  expect(wrap("ab c", 0)).toEqual(["a", "b", "c"]);
  expect(experimentTable(experiment(), threeRows(), { width: 0 })).toContain("1");
});

test("a label that series of several tables share for different places is one line, and for one place it is several", () => {
  const shared = experiment({
    series: [
      { table: "stash", label: "8 bits" },
      { table: "clstash", label: "8 bits" },
      { table: "stash", variant: "passed", label: "8 bits" },
    ],
  });
  const [at0 = row(), at50 = row()] = threeRows();
  const apart = [
    { ...at0, table: "stash", variant: "" },
    { ...at50, table: "clstash", variant: "" },
  ];
  expect(plotData(shared, apart).series.map(({ name }) => name)).toEqual(["8 bits"]);
  const failed = failedRow({ table: "stash", variant: "passed", positive_ratio: 0 });
  const { series, missing } = plotData(shared, [...apart, failed]);
  expect(series.map(({ name }) => name)).toEqual(["8 bits (stash)", "8 bits (clstash)"]);
  expect(missing.map((one) => one.series)).toEqual(["8 bits (stash passed)"]);
});

test("tables of one title are told apart by their ids, so that one's failure does not hide the other's numbers", () => {
  const named = (table: string) => ({ table, variant: "", system: { title: "Python dict" } });
  const rows = [...threeRows(named("pydict")), failedRow({ ...named("hang"), positive_ratio: 0 })];
  const table = experimentTable(experiment(), rows);
  expect(table).toMatch(/^Python dict \(pydict\) +100\.0/m);
  expect(table).toMatch(/^Python dict \(hang\) +timeout/m);
  expect(experimentTable(experiment(), threeRows(named("pydict")))).toMatch(/^Python dict +100\.0/m);
});

test("a rate whose interval is wider than was asked for is marked", () => {
  const rows = threeRows({ value: 100, lo: 50, hi: 200, stopped: "time" });
  expect(experimentTable(experiment(), rows)).toMatch(/^GPH +~100\.0 ±100%/m);
});
