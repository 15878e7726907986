import { expect, test } from "vitest";
import { plainText, printMarkdown } from "../bench/base/document.js";
import type { ResultRow } from "../bench/results/record.js";
import { launchesIn, NCU_METRICS, pairsOf, shownPairs } from "./profile-table.js";

const N = 1000;
/** Warp instructions of a launch; every other metric is 16. */
const launch = (kernel: string, instructions: string) => [
  kernel,
  ...NCU_METRICS.map((name) => (name === "smsp__inst_executed.sum" ? instructions : "16")),
];
const LAUNCHES = [
  launch("void CudaHT::CuckooHashing::clear_table(unsigned int, (unsigned long long)7)", "1"),
  launch("void CudaHT::CuckooHashing::CuckooHash<(unsigned int)4>(unsigned int, const unsigned int *)", "9,000"),
  launch("void CudaHT::CuckooHashing::CuckooHash<(unsigned int)4>(unsigned int, const unsigned int *)", "21,000"),
  launch("void CudaHT::CuckooHashing::hash_retrieve<(unsigned int)4>(unsigned int, const unsigned int *)", "4,000"),
  launch("void CudaHT::CuckooHashing::hash_retrieve<(unsigned int)4>(unsigned int, const unsigned int *)", "5000"),
];
const line = (cells: readonly string[]) => cells.map((cell) => `"${cell}"`).join(",");
const CSV = [
  "==PROF== Connected to process 1",
  line(["ID", "Kernel Name", ...NCU_METRICS]),
  line(["", "", ...NCU_METRICS.map(() => "unit")]),
  ...LAUNCHES.map((cells, i) => line([String(i), ...cells])),
  "==PROF== Disconnected from process 1",
].join("\n");

const row = (op: string, positive_ratio: number | null, value: number, more: Partial<ResultRow> = {}) =>
  ({ table: "cuckoo", variant: "", op, positive_ratio, metric: "warp_operations", value, ...more }) as ResultRow;
const ROWS = [
  row("insert", null, 10),
  row("find", 1, 8),
  row("find", 0, 6),
  row("find", 0.5, 1),
  row("find", 1, 1, { table: "warpcore" }),
  row("find", 1, 0.5, { metric: "balance" }),
];

test("launches of the kernels are found by name, the last insertion and both searches", () => {
  const launches = launchesIn(CSV, "cuckoo");
  expect(launches.map(({ op, positiveRatio }) => [op, positiveRatio])).toEqual([
    ["insert", null],
    ["find", 1],
    ["find", 0],
  ]);
  expect(launches.map(({ counts }) => counts["smsp__inst_executed.sum"])).toEqual([21_000, 4_000, 5_000]);
  expect(launchesIn(CSV, "warpcore")).toEqual([]);
});

test("a number stands beside its stand-in of the same operation, and the order of both is told", () => {
  const pairs = pairsOf("cuckoo", launchesIn(CSV, "cuckoo"), ROWS, N);
  const of = (standIn: string) =>
    pairs.filter((one) => one.standIn === standIn).map(({ original, ours }) => [original, ours]);
  expect(of("warp_operations")).toEqual([
    [21, 10],
    [4, 8],
    [5, 6],
  ]);
  expect(of("balance")).toEqual([[0.16, 0.5]]);
  expect(of("transactions")).toEqual([]);
  const [said] = shownPairs(pairs);
  expect(said && "text" in said && plainText(said.text)).toContain("2 of 3 pairs of cells");
  expect(printMarkdown(shownPairs(pairs))).toMatch(/\| cuckoo *\| *\| find *\| 0 *\| 5 *\| 6 *\| 1\.2 *\|/);
});

test("a metric that ncu did not write is not taken for 0", () => {
  const without = CSV.replaceAll('"16"', '""');
  const pairs = pairsOf("cuckoo", launchesIn(without, "cuckoo"), ROWS, N);
  expect(pairs.map(({ standIn }) => standIn)).toEqual(["warp_operations", "warp_operations", "warp_operations"]);
});
