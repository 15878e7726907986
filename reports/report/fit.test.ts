import { expect, test } from "vitest";
import type { ResultRow } from "../../bench/results/record.js";
import { row } from "../../bench/results/testing.js";
import { type FitPoint, fitOf, fits, missingText, modelled } from "./fit.js";

const MIB = 2 ** 20;

/** A row of an access pattern on a table of so many MiB, G accesses/s. */
function limit(table: string, tableMiB: number, rate: number): ResultRow {
  return row({
    experiment: "device/limits",
    bench: "limit",
    dataset: "",
    table,
    params: { tableMiB },
    metric: "mops",
    value: 1e3 * rate,
  });
}

/** Reads of 0.1 ns in 1 MiB and 0.5 ns in 4 MiB; 0.05 ns for key and result; 20 ns a launch. */
const device = [
  ...[limit("read4", 1, 10), limit("read4", 4, 2), limit("lookup4", 1, 1 / 0.15), limit("lookup4", 4, 1 / 0.55)],
  ...[limit("read128x4", 4, 1), limit("read128x32", 4, 0.5), limit("launch", 4, 256 / 20)],
];

/** A cell of 1000 retrievals in 1 µs. */
function cell(counts: Readonly<Record<string, number>>, changes: Partial<ResultRow> = {}): ResultRow[] {
  const metrics = { mops: 1000, dispatches: 1, warp_steps: 0.01, ...counts };
  return Object.entries(metrics).map(([metric, value]) => row({ table: "cuckoo", n: 1000, ...changes, metric, value }));
}

const predicted = (rows: readonly ResultRow[], rates: readonly ResultRow[] = device) =>
  modelled([...rates, ...rows]).points.map((point) => point.predicted);

test("a retrieval takes as long as its requests, each in memory of its size, with key, result and launch", () => {
  const rows = cell({ [`requests_in_${4 * MIB}`]: 2, [`requests_in_${MIB}`]: 3, transactions: 5 });
  expect(predicted(rows)).toEqual([expect.closeTo(0.05 + 2 * 0.5 + 3 * 0.1 + 20 / 1000, 9)]);
  const lookups = cell({ [`requests_in_${4 * MIB}`]: 2, transactions: 2 }, { params: { lookups: 100 } });
  expect(predicted(lookups)).toEqual([expect.closeTo(0.05 + 2 * 0.5 + 20 / 100, 9)]);
});

test("wide keys and values are read and written in proportion", () => {
  const counts = { [`requests_in_${4 * MIB}`]: 1, transactions: 1 };
  const rows = cell(counts, { params: { keyBytes: 16, valueBytes: 8 } });
  expect(predicted(rows)).toEqual([expect.closeTo(3 * 0.05 + 0.5 + 0.02, 9)]);
});

test("between two sizes a request takes a time between theirs", () => {
  const rows = cell({ [`requests_in_${2 * MIB}`]: 1, transactions: 1 });
  expect(predicted(rows)[0]).toBeGreaterThan(0.1 + 0.02);
  expect(predicted(rows)[0]).toBeLessThan(0.5 + 0.05 + 0.02);
});

test("several sectors at once are one request of a tile; of a lane, those beside the first take as long as in read128", () => {
  const counts = { table_bytes: 4 * MIB, block_requests: 2, transactions: 8 };
  expect(predicted(cell(counts, { table: "gph" }))).toEqual([expect.closeTo(0.05 + 2 * 1 + 0.02, 9)]);
  const rows = [...cell(counts, { table: "stash" }), limit("read128", 4, 1 / 0.8)];
  expect(predicted(rows)).toEqual([expect.closeTo(0.05 + 2 * 0.5 + 6 * 0.1 + 0.02, 9)]);
});

test("blocks are read by as many lanes as the table's parameters say, larger ones by several reads, in memory of their own size", () => {
  const counts = { table_bytes: 4 * MIB, block_requests: 2, transactions: 8 };
  const rows = [
    ...cell(counts, { table: "gph", params: { g: 2 } }),
    ...cell(counts, { table: "gph", params: { g: 1 } }),
    ...cell(counts, { table: "slab-hash", params: { tile: 32 } }),
  ];
  const rates = [...device, limit("read128x2", 4, 1 / 1.5), limit("read128", 4, 1 / 3)];
  expect(predicted(rows, rates)).toEqual([2 * 1.5, 2 * 3, 2 * 2].map((time) => expect.closeTo(0.05 + time + 0.02, 9)));
  // A block of 256 bytes; blocks in half of the table, which is as large as what read4 was measured on.
  const large = cell({ ...counts, block_requests: 1 }, { table: "gph" });
  const keys = cell({ ...counts, table_bytes: 8 * MIB, block_bytes: 4 * MIB }, { table: "dycuckoo" });
  expect(predicted([...large, ...keys])).toEqual([2, 2].map((time) => expect.closeTo(0.05 + time + 0.02, 9)));
});

test("where blocks take no longer than single sectors, addresses are translated, and all else goes on beside", () => {
  const rates = [
    ...[limit("read4", 1, 10), limit("read4", 4, 2), limit("lookup4", 1, 1 / 0.15), limit("lookup4", 4, 2)],
    ...[limit("read128x4", 1, 5), limit("read128x4", 4, 2), limit("read128x32", 4, 0.5), limit("launch", 4, 256 / 20)],
  ];
  const table = { [`requests_in_${4 * MIB}`]: 2, transactions: 5 };
  expect(predicted(cell({ ...table, [`requests_in_${MIB}`]: 3 }), rates)).toEqual([expect.closeTo(2 * 0.5 + 0.02, 9)]);
  // So many requests beside them that these take longer, each as long as in 1 MiB.
  const many = { ...table, [`requests_in_${MIB}`]: 30, transactions: 32 };
  expect(predicted(cell(many), rates)).toEqual([expect.closeTo(0.05 + 32 * 0.1 + 0.02, 9)]);
  const blocks = cell({ table_bytes: 4 * MIB, block_requests: 3, transactions: 12 }, { table: "gph" });
  expect(predicted(blocks, rates)).toEqual([expect.closeTo(3 * 0.5 + 0.02, 9)]);
});

test("the warps' steps count where they take longer than the memory", () => {
  const counts = { [`requests_in_${4 * MIB}`]: 1, transactions: 1 };
  expect(predicted(cell({ ...counts, warp_steps: 3 }))).toEqual([expect.closeTo(3 * 2 + 0.02, 9)]);
});

test("the reads of the longest lane count where they take longer than all others", () => {
  const counts = { [`requests_in_${4 * MIB}`]: 1, transactions: 1, longest_steps: 50 };
  const rows = [...cell(counts), limit("chain4", 4, 1 / 400)];
  // 50 reads of 400 ns, for a thousand retrievals.
  expect(predicted(rows)).toEqual([expect.closeTo(20 + 0.02, 9)]);
});

test("cells that the model says no time of are left out, with the reason", () => {
  const one = { [`requests_in_${4 * MIB}`]: 1, transactions: 1 };
  const found = modelled([
    ...device,
    ...cell(one).filter(({ metric }) => metric !== "dispatches"),
    ...cell({ ...one, dispatches: 2 }, { seed: 2 }),
    ...cell({ [`requests_in_${8 * MIB}`]: 1 }, { seed: 3 }),
    ...cell(one, { seed: 4, params: { allocation: "host" } }),
  ]);
  expect(found.points).toEqual([]);
  expect(missingText(found)).toBe(
    "Left out: 1 × requests were not counted; 1 × several passes over parts of the table, whose warps are not full; " +
      "1 × no reads were measured on a table as large; 1 × the table is in host memory, or in plain allocations.",
  );
  const [missing] = modelled([...device.filter(({ table }) => table !== "launch"), ...cell(one)]).missing.keys();
  expect(missing).toBe("an access pattern of the model has no rows");
  expect(missingText(modelled([...device, ...cell(one)]))).toBe("");
});

test("failed cells, skewed keys, other operations and benchmarks have no part in it", () => {
  const one = { [`requests_in_${4 * MIB}`]: 1, transactions: 1 };
  for (const changes of [{ status: "failed" }, { dataset: "zipf:1" }, { op: "insert" }, { bench: "repeated" }] as const)
    expect(modelled([...device, ...cell(one, changes)])).toEqual({ points: [], missing: new Map() });
});

/** Points of which the modelled time is `factor` times the measured one. */
function points(times: readonly number[], factor: number, changes: Partial<FitPoint> = {}): FitPoint[] {
  const place = {
    table: "gph",
    op: "find",
    dataset: "random",
    experiment: "gph/test",
    n: 1000,
    loadFactor: 0.5,
    samples: 5,
  };
  return times.map((time) => ({ ...place, measured: time, predicted: factor * time, ...changes }));
}

test("r is 1 for times in proportion, and errors are relative to the measured time", () => {
  const fit = fitOf(points([1, 2, 4], 1.5));
  expect(fit?.r).toBeCloseTo(1, 12);
  expect(fit?.medianError).toBeCloseTo(0.5, 12);
  expect(fitOf([])).toBeNull();
  expect(fitOf(points([1, 2], 1.5))?.r).toBeNull();
});

test("tables come first, the largest error in front, then large inputs and all, where there are others", () => {
  expect(fits(points([1, 2], 1)).map((f) => f.name)).toEqual(["all"]);
  const two = [...points([1, 2], 1), ...points([1], 1, { table: "cuckoo", n: 10_000_000 })];
  expect(fits(two).map(({ name, fit }) => [name, fit.cells])).toEqual([
    ...[["gph", 2] as const, ["cuckoo", 1] as const],
    ...[["n ≥ 10 M", 1] as const, ["all", 3] as const],
  ]);
});
