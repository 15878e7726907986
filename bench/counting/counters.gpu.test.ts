import { afterEach, expect, test } from "vitest";
import { createTable } from "../../kernels/create.js";
import { Owner } from "../../kernels/device/owned.js";
import { tableType } from "../../kernels/index.js";
import type { GpuTable, RunSteps } from "../../kernels/table.js";
import { testGpu } from "../gpu/testing.js";
import { DeviceLookups, loadKeys, writeValues } from "../workload/workload.js";
import { COUNTED_OPERATIONS, countedOf, countingRunner, countMetrics } from "./counters.js";

const gpu = testGpu();
const N = 3001;
const SEED = 5;

let owner: Owner | null = null;
afterEach(() => owner?.destroy());

/** A table of timed kernels that holds N pairs, and queries of which half are present. */
async function built(id: string) {
  const own = new Owner(gpu());
  owner = own;
  const data = await loadKeys(own, "random", N, SEED);
  const options = { n: N, loadFactor: 0.7, seed: SEED, params: {}, counting: false };
  const table: GpuTable = await createTable(tableType(id), own, options);
  const values = await own.alloc("values", N * 4);
  await writeValues(own, data.keys, values, N, SEED);
  await table.clear();
  const time: RunSteps = (steps, status) => gpu().time(steps, status);
  const pairs = { keys: data.keys, values, n: N };
  await table.insert(time, pairs);
  const lookups = await DeviceLookups.make(own, data, { lookups: N, positiveRatio: 0.5, seed: SEED, eachOnce: false });
  return { table, pairs, lookups };
}

test.each(["bucketed", "double-hashing", "cuckoo", "stash", "two-level", "slab-hash"])(
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

test("an insertion is counted on the table that is timed", async () => {
  const { table, pairs } = await built("double-hashing");
  const { run, counts } = countingRunner(gpu());
  await table.clear();
  expect(await table.insert(run, pairs)).toMatchObject({ count: 0 });
  expect(countMetrics(counts, N).find(({ metric }) => metric === "table_writes")?.value).toBe(1);
});

test("of more operations than are counted the first ones are, and the row says how many", () => {
  expect(countedOf(COUNTED_OPERATIONS)).toEqual({ n: COUNTED_OPERATIONS, metrics: [] });
  const [said] = countedOf(COUNTED_OPERATIONS + 1).metrics;
  expect(said).toMatchObject({ metric: "counted_operations", value: COUNTED_OPERATIONS });
  expect(countedOf(COUNTED_OPERATIONS + 1).n).toBe(COUNTED_OPERATIONS);
});
