import { afterEach, expect, test } from "vitest";
import { variant } from "../../../kernels/common/steps.js";
import { createTable } from "../../../kernels/create.js";
import { dispatch } from "../../../kernels/device/bind.js";
import { Owner } from "../../../kernels/device/owned.js";
import { tableType } from "../../../kernels/index.js";
import type { GpuTable, Params, RunSteps } from "../../../kernels/table.js";
import { addKernels } from "../../device/link.js";
import { spared, testGpu } from "../../device/testing.js";
import { loadKeys } from "../../scenarios/workload/keys.js";
import { deviceLookups, writeValues } from "../../scenarios/workload/workload.js";
import { COUNTED_OPERATIONS, countedOf, countingRunner, countMetrics, isUncounted } from "./counters.js";

const gpu = testGpu();
/** What the host makes of counters is the same whatever the subgroups: it is tested with 4 lanes. */
const elsewhere = process.env.HASHBENCH_LANES === "8";
const ofHost = test.skipIf(elsewhere);
const N = 3001;
const SEED = 5;

let owner: Owner | null = null;
afterEach(() => owner?.destroy());

/** A table of timed kernels that holds N pairs, and queries of which half are present. */
async function built(id: string, params: Params = {}) {
  const own = new Owner(gpu());
  owner = own;
  const data = await loadKeys(own, "random", N, SEED);
  const options = {
    n: N,
    loadFactor: Math.min(0.7, tableType(id).maxLoadFactor),
    seed: SEED,
    params,
    counting: false,
  };
  const table: GpuTable = await createTable(tableType(id), own, options);
  const values = await own.alloc("values", N * 4);
  await writeValues(own, data.keys, values, N, SEED);
  await table.clear();
  const time: RunSteps = (...pass) => gpu().time(...pass);
  const pairs = { keys: data.keys, values, n: N };
  await table.insert(time, pairs);
  const lookups = await deviceLookups(own, data, { lookups: N, positiveRatio: 0.5, seed: SEED, eachOnce: false });
  return { table, pairs, lookups };
}

const BY_WARPS = ["stash", "slab-hash"];
test.each(elsewhere ? BY_WARPS : [...BY_WARPS, "bucketed", "double-hashing", "cuckoo", "two-level"])(
  "%s's retrievals are counted on the table that is timed: equally each time, and their answers are right",
  async (id) => {
    const { table, lookups } = await built(id);
    const counted = async (n: number) => {
      const { run, counts } = countingRunner(gpu());
      await lookups.poison();
      await table.find(run, { keys: lookups.keys, results: lookups.results, n });
      return countMetrics(counts, n);
    };
    const all = await counted(N);
    expect(all.find(({ metric }) => metric === "probes")?.value).toBeGreaterThanOrEqual(1);
    expect(await lookups.check(SEED)).toBe("");
    expect(await counted(N)).toEqual(all);
    const [probes, some] = [all, await counted(1000)].map((metrics) => metrics.find((one) => one.metric === "probes"));
    expect((some?.value ?? 0) / (probes?.value ?? 1)).toBeCloseTo(1, 0);
  },
);

ofHost("a partitioned build of a timed table has a record of all lanes of its workgroups", async () => {
  const { table, pairs } = await built("bucketed", { partitioned: true });
  const { run, counts } = countingRunner(gpu());
  await table.clear();
  await table.insert(run, pairs);
  const { steps = 0, warpSteps = 0 } = counts.kernels.get("scatter") ?? {};
  // A lane has up to four pairs, so that a warp of 32 lanes has no more than four steps, and as many pairs as 32 lanes take.
  expect(steps).toBe(N);
  expect(warpSteps).toBeGreaterThanOrEqual(N / 32);
  expect(warpSteps).toBeLessThanOrEqual(4 * Math.ceil(N / 128));
});

/** Requests of N retrievals by the bytes of memory that they go to, and the other counts. */
async function requested(id: string, params: Params = {}) {
  const { table, lookups } = await built(id, params);
  const { run, counts } = countingRunner(gpu());
  await table.find(run, lookups);
  const metrics = countMetrics(counts, N, table);
  const of = (name: string) => metrics.find(({ metric }) => metric === name)?.value ?? 0;
  const requests = metrics.flatMap(({ metric, value }) => {
    const [, bytes] = /^requests_in_(\d+)$/.exec(metric) ?? [];
    return bytes === undefined ? [] : [{ bytes: Number(bytes), value }];
  });
  return { table, of, requests };
}

test("a retrieval's requests are of the table, as many as its sectors", async () => {
  const { table, of, requests } = await requested("cuckoo");
  expect(requests).toEqual([{ bytes: table.bytes, value: of("transactions") }]);
  expect([of("table_bytes"), of("dispatches"), of("block_requests")]).toEqual([table.bytes, 1, 0]);
  expect(of("warp_steps")).toBeCloseTo(of("probes") / (32 * of("warp_efficiency")), 6);
});

ofHost("requests of a ticket-board are of its bytes: one a probe", async () => {
  const { table, of, requests } = await requested("stash");
  const { bytes, storage: { reads: { indexBytes = 0 } = {} } = {} } = table;
  expect(requests).toEqual([
    { bytes: bytes - indexBytes, value: expect.closeTo(of("transactions") - of("probes"), 9) },
    { bytes: indexBytes, value: of("probes") },
  ]);
});

ofHost("the value of a wide pair that is found is a further sector of the table", async () => {
  const narrow = await requested("stash", { board: false });
  owner?.destroy();
  // In slots of 48 bytes the value has a sector of its own.
  const wide = await requested("stash", { board: false, valueBytes: 32 });
  // Half of the keys are there. Which pair got which slot may differ, and with it what is looked at in vain.
  const more = wide.of("transactions") - narrow.of("transactions");
  expect(Math.abs(more - 0.5)).toBeLessThan(0.1);
});

ofHost("a table of wide pairs tells the bytes of its index", async () => {
  const { table, requests } = await requested("stash", { valueBytes: 32 });
  const { bytes, storage: { reads: { indexBytes = 0 } = {} } = {} } = table;
  expect(indexBytes).toBeGreaterThan(0);
  expect(requests.map((one) => one.bytes)).toEqual([bytes - indexBytes, indexBytes]);
});

ofHost("DyCuckoo's blocks are of the keys", async () => {
  const { table, of } = await requested("dycuckoo");
  expect(of("block_requests")).toBeGreaterThan(0);
  expect(of("block_bytes")).toBe(table.storage?.reads?.blockBytes);
  expect(of("block_bytes") / of("table_bytes")).toBeCloseTo(0.5, 1);
});

ofHost("GPH asks the cell index once and reads one bucket at once", async () => {
  const { table, of, requests } = await requested("gph");
  expect(requests).toEqual([{ bytes: table.storage?.reads?.indexBytes, value: 1 }]);
  expect([of("block_requests"), of("table_reads")]).toEqual([1, 4]);
});

// What the host makes of counters; the sort takes SwiftShader ten seconds to compile.
test.skipIf(spared || elsewhere)("steps of a binary search choose from twice as many cache lines each", async () => {
  const { table, of, requests } = await requested("radix-sort");
  const searched = requests.filter(({ bytes }) => bytes < table.bytes / 2);
  expect(searched.map(({ bytes }) => bytes)).toEqual(searched.map((_, i) => 128 * 2 ** i));
  expect(requests.length).toBe(searched.length + 1);
  expect(requests.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(of("transactions"), 6);
});

test("an insertion is counted on the table that is timed", async () => {
  const { table, pairs } = await built("double-hashing");
  const { run, counts } = countingRunner(gpu());
  await table.clear();
  expect(await table.insert(run, pairs)).toMatchObject({ count: 0 });
  expect(countMetrics(counts, N).find(({ metric }) => metric === "table_writes")?.value).toBe(1);
});

test("of more operations than are counted the first ones are, and the row says how many", async () => {
  expect(countedOf(COUNTED_OPERATIONS)).toBe(COUNTED_OPERATIONS);
  expect(countedOf(COUNTED_OPERATIONS + 1)).toBe(COUNTED_OPERATIONS);
  const { table, lookups } = await built("cuckoo");
  const { run, counts } = countingRunner(gpu());
  await table.find(run, { keys: lookups.keys, results: lookups.results, n: 1000 });
  const said = (of: number) =>
    countMetrics(counts, 1000, table, of).filter((one) => one.metric === "counted_operations");
  expect(said(1000)).toEqual([]);
  expect(said(N)).toMatchObject([{ value: 1000 }]);
});

test("an operation whose kernels have no counting variant has no counters, and says so, which is not that they are 0", async () => {
  const own = new Owner(gpu());
  owner = own;
  addKernels({
    "test/silent.wgsl":
      "struct Sizes { word: u32 }\n@group(0) @binding(31) var<uniform> sizes: Sizes;\n" +
      "@group(0) @binding(0) var<storage, read_write> words: array<u32>;\n" +
      "@compute @workgroup_size(1) fn main() { words[0] = sizes.word; }",
  });
  const words = await own.alloc("words", 16);
  for (const fixed of [false, true]) {
    const kernel = await variant(own, { file: "test/silent.wgsl", sizes: { word: 7 }, fixed, takes: ["words"] }, false);
    const { run, counts } = countingRunner(gpu());
    await run([dispatch(kernel, 1, { words })]);
    const metrics = countMetrics(counts, N);
    expect(metrics).toMatchObject([{ metric: "counted_operations", value: 0 }]);
    expect(isUncounted(metrics)).toBe(true);
  }
  expect((await own.read(words, 1))[0]).toBe(7);
});

test("warp operations are the regions' operations times the warps that execute them", async () => {
  const { table, lookups } = await built("cuckoo");
  const { run, counts } = countingRunner(gpu());
  await table.find(run, lookups);
  const metrics = new Map(countMetrics(counts, N).map(({ metric, value }) => [metric as string, value]));
  const of = (metric: string) => metrics.get(metric) ?? Number.NaN;
  const warpSteps = (of("probes") * N) / (32 * of("warp_efficiency"));
  const operations = of("operations_prologue") * Math.ceil(N / 32) + of("operations_probe") * warpSteps;
  expect(of("warp_operations") * N).toBeCloseTo(operations, 3);
  expect(of("warp_operation_sectors")).toBeCloseTo((of("transactions") * N) / operations, 6);
});
