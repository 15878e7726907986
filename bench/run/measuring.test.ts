import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { CellSpec } from "../base/experiment.js";
import type { Metric } from "../results/metrics.js";
import { metric } from "../results/testing.js";
import { HOST, PLAIN } from "../scenarios/allocation.js";
import type { Access } from "../scenarios/benchmark.js";
import { limitCell } from "../scenarios/limit.js";
import { LimitsStore } from "./limits-store.js";
import { type MeasuredDevice, Measuring } from "./measuring.js";
import type { Pool } from "./pool.js";
import { noResult } from "./reporter.js";

const folder = mkdtempSync(join(tmpdir(), "hashbench-measuring-"));
afterAll(() => rmSync(folder, { recursive: true }));

const cell = (n: number): CellSpec => ({
  experiment: "limit/table",
  bench: "table",
  table: "quotient",
  variant: "",
  op: "find",
  dataset: "random",
  n,
  loadFactor: 0.8,
  positiveRatio: 1,
  seed: 1,
  params: { lookups: 1000 },
});

const GPU: MeasuredDevice = { software: false, runs: () => true };

const LISTENER = { deadline: null, place: () => "", onPhase: () => undefined };
const MIB = 2 ** 20;

/** What a cell's row has that was measured at 50 M op/s, 45 to 55, with that unavoidable access. */
async function rowOf(limits: LimitsStore, access: Access, device = GPU, spec = cell(1000)): Promise<readonly Metric[]> {
  const mops = { ...metric("mops", 50), lo: 45, hi: 55 };
  const measure: Pool["measure"] = (_, { onResult }) => onResult(0, { ...noResult("ok", ""), access, metrics: [mops] });
  let row: readonly Metric[] = [];
  await new Measuring({ measure } as Pool, device, limits, () => undefined).cells([spec], {
    ...LISTENER,
    onResult: async (_, { metrics }) => {
      row = metrics;
    },
  });
  return row;
}
const namesOf = (metrics: readonly Metric[]) => metrics.map((one) => one.metric);

/** MiB of the tables of the limits that are measured before the cells, on a GPU or not. */
async function limitsBefore(cells: readonly CellSpec[], limits: LimitsStore, device = GPU): Promise<unknown[]> {
  const asked: CellSpec[][] = [];
  const measure = async (specs: readonly CellSpec[]) => {
    asked.push([...specs]);
  };
  const measuring = new Measuring({ measure } as unknown as Pool, device, limits, () => undefined);
  await measuring.cells(cells, { ...LISTENER, onResult: async () => undefined });
  return asked.slice(0, -1).flatMap((specs) => specs.map(({ params }) => params.tableMiB));
}

const SHORT = [1, 16, 64, 256, 1024, 2048];
const LARGE = [2560, 3072, 4032, 5120, 10240];

test("limits that are not known are measured first, on large tables only where cells have such", async () => {
  const limits = new LimitsStore(["gpu"], folder);
  expect(await limitsBefore([cell(1000)], limits)).toEqual(SHORT);
  expect(await limitsBefore([cell(1000), cell(2 ** 28)], limits)).toEqual([...SHORT, 2560, 3072, 4032]);
  expect(await limitsBefore([cell(2 ** 28), cell(2 ** 29)], limits)).toEqual([...SHORT, ...LARGE]);
  for (const mib of [1, 3073]) limits.set({ pattern: "lookup32", tableBytes: mib * 2 ** 20 }, 100);
  expect(await limitsBefore([cell(1000), cell(2 ** 28)], limits)).toEqual([]);
  expect(await limitsBefore([cell(2 ** 29)], limits)).toEqual(LARGE);
  const beyond = new LimitsStore(["after device/large"], folder);
  for (const mib of [2048, 10240]) beyond.set({ pattern: "lookup32", tableBytes: mib * 2 ** 20 }, 100);
  expect(await limitsBefore([cell(1000), cell(2 ** 29)], beyond)).toEqual(SHORT);
  const small = new LimitsStore(["other"], folder);
  small.set({ pattern: "lookup32", tableBytes: 2 ** 30 }, 100);
  expect(await limitsBefore([cell(2 ** 28)], small)).toEqual([2560, 3072, 4032]);
});

test("a software adapter has no limits: none is measured before the cells, kept, or a share's base", async () => {
  const limits = new LimitsStore(["software"], folder);
  expect(await limitsBefore([cell(1000)], limits, { ...GPU, software: true })).toEqual([]);
  const access = { pattern: "lookup32", tableBytes: MIB };
  limits.set(access, 100);
  expect(namesOf(await rowOf(limits, access))).toEqual(["mops", "limit_mops", "limit_share"]);
  expect(namesOf(await rowOf(limits, access, { ...GPU, software: true }))).toEqual(["mops"]);
});

test.each([
  ["an operation of one access", { tableBytes: MIB }, 100, [0.5, 0.45, 0.55]],
  ["an operation of four accesses", { tableBytes: MIB, times: 4 }, 25, [2, 1.8, 2.2]],
  ["an operation of a quarter of an access", { tableBytes: MIB, times: 0.25 }, 400, [0.125, 0.1125, 0.1375]],
  ["two accesses", { tableBytes: MIB, beside: { pattern: "lookup32", tableBytes: MIB, times: 4 } }, 25, [2, 1.8, 2.2]],
  [
    "two accesses, of which the first takes longer",
    { tableBytes: MIB, times: 4, beside: { pattern: "lookup32", tableBytes: MIB } },
    25,
    [2, 1.8, 2.2],
  ],
  // Of 10 and 50 ns an access four fifths of the way (Limits.rate).
  ["a size between two", { tableBytes: 4 * MIB, times: 2 }, 500 / 42, [4.2, 3.78, 4.62]],
])("the limit of %s and its share are what the access was measured at", async (_, access, limit, [share, lo, hi]) => {
  const limits = new LimitsStore([JSON.stringify(access)], folder);
  for (const [mib, mops] of [
    [1, 100],
    [16, 20],
    [2048, 20],
  ] as const)
    limits.set({ pattern: "lookup32", tableBytes: mib * MIB }, mops);
  const [, ofLimit, ofShare] = await rowOf(limits, { pattern: "lookup32", ...access });
  expect(ofLimit).toEqual({
    metric: "limit_mops",
    unit: "M op/s",
    value: expect.closeTo(limit, 6),
    lo: null,
    hi: null,
  });
  expect([ofShare?.value, ofShare?.lo, ofShare?.hi]).toEqual([share, lo, hi].map((one) => expect.closeTo(one ?? 0, 6)));
});

test("limits are learnt from cells of device/large, but not from those of plain allocations", async () => {
  const access = { pattern: "lookup32", tableBytes: 4096 * MIB };
  const large = { ...limitCell("lookup32", 4096, 2 ** 26), experiment: "device/large" };
  const learnt = async (params: CellSpec["params"]) => {
    const limits = new LimitsStore([JSON.stringify(params)], folder);
    await rowOf(limits, access, GPU, { ...large, params });
    return limits.rate(access);
  };
  expect(await learnt({ tableMiB: 4096 })).toBe(50);
  expect(await learnt({ tableMiB: 4096, ...PLAIN })).toBe(null);
});

test("what finds every key in host memory has limits of host memory, which each worker measures that does not know them", async () => {
  const inHost = (n: number, positiveRatio = 1) => ({
    ...cell(n),
    positiveRatio,
    params: { ...cell(n).params, ...HOST },
  });
  const limits = new LimitsStore(["host"], folder);
  expect(await limitsBefore([inHost(2 ** 26, 0.5)], limits)).toEqual([]);
  expect(await limitsBefore([inHost(2 ** 24), inHost(2 ** 26)], limits)).toEqual([64, 256, 1024]);
  expect(await limitsBefore([inHost(2 ** 28)], limits)).toEqual([64, 256, 1024, 4096]);
  const access = { pattern: "lookup32", tableBytes: 2048 * MIB };
  // Which measures the limit first.
  const row = await rowOf(limits, access, GPU, inHost(2 ** 26));
  expect(row.map(({ metric: name, value }) => [name, value])).toEqual([
    ["mops", 50],
    ["limit_mops", 50],
    ["limit_share", 1],
  ]);
  expect([limits.has("lookup32"), limits.has("host: lookup32")]).toEqual([false, true]);
  expect(await limitsBefore([inHost(2 ** 26)], limits)).toEqual([]);
});

test.each([
  [0, [64, 256], 50],
  [0.5, [...SHORT, 64, 256], 100],
  [0.75, [...SHORT, 64], 200],
  // The device's memory serves 1000 M/s.
  [1, SHORT, 1000],
])(
  "the limit of a table with a share of %d in the device's memory is that of the memory that takes longer",
  async (deviceShare, before, limit) => {
    const limits = new LimitsStore([`both ${deviceShare}`], folder);
    const placed = { ...cell(2 ** 24), params: { lookups: 1000, deviceShare } };
    expect(await limitsBefore([placed], limits)).toEqual(before);
    const tableBytes = 8192 * MIB;
    // No other size is measured first.
    limits.set({ pattern: "lookup32", tableBytes: MIB }, 1000);
    limits.set({ pattern: "lookup32", tableBytes }, 1000);
    limits.set({ pattern: "host: lookup32", tableBytes }, 50);
    const row = await rowOf(limits, { pattern: "lookup32", tableBytes }, GPU, placed);
    expect(row.find((one) => one.metric === "limit_mops")?.value).toBe(limit);
  },
);

test("limits are of tables that run on the device", async () => {
  const elsewhere = { ...GPU, runs: () => false };
  expect(await limitsBefore([cell(1000)], new LimitsStore(["elsewhere"], folder), elsewhere)).toEqual([]);
  const limits = new LimitsStore(["known"], folder);
  for (const mib of [1, 2048]) limits.set({ pattern: "lookup32", tableBytes: mib * MIB }, 100);
  const access = { pattern: "lookup32", tableBytes: MIB };
  expect(namesOf(await rowOf(limits, access, elsewhere))).toEqual(["mops"]);
  expect(namesOf(await rowOf(limits, access))).toEqual(["mops", "limit_mops", "limit_share"]);
});

test("a table in host memory is limited by accesses there, or by those to its index for absent keys", async () => {
  const limits = new LimitsStore(["host"], folder);
  const access = { pattern: "lookup32", tableBytes: 2048 * MIB };
  limits.set(access, 1000);
  limits.set({ ...access, pattern: "host: lookup32" }, 100);
  const limitOf = async (positiveRatio: number, own: Access) => {
    const row = await rowOf(limits, own, GPU, { ...cell(1000), positiveRatio, params: HOST });
    return row.find((one) => one.metric === "limit_mops")?.value;
  };
  const index = { ...access, ofIndex: true } as const;
  expect([await limitOf(1, access), await limitOf(0.5, access), await limitOf(0, access)]).toEqual([
    100,
    undefined,
    undefined,
  ]);
  expect([await limitOf(0.5, index), await limitOf(0, index)]).toEqual([undefined, 1000]);
  // Below 2 GiB the rate falls too fast with the size for an interpolation.
  expect(await limitOf(1, { ...access, tableBytes: 2047 * MIB })).toBeUndefined();
});
