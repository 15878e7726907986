import { describe, expect, test } from "vitest";
import { testGpu } from "../../bench/device/testing.js";
import { countingRunner, countMetrics } from "../../bench/measure/counting/counters.js";
import { poisoned, upload } from "../../bench/verify/bulk.js";
import { Harness } from "../../bench/verify/harness.js";
import { casesFor, testCases } from "../../bench/verify/testing.js";
import { keyOf } from "../../datasets/random.js";
import { createTable } from "../create.js";
import { configure } from "../define.js";
import { scoped } from "../device/owned.js";
import type { Params } from "../table.js";
import { READS, warpcore } from "./warpcore.js";

const gpu = testGpu();
const keysFrom = (first: number, count: number) => Array.from({ length: count }, (_, i) => keyOf(first + i, 99));
const valuesOf = (keys: readonly number[], salt: number) => keys.map((key) => (key ^ salt) >>> 1);
const times = <T>(items: readonly T[], count: number) => Array.from({ length: count }, () => items).flat();

/** Every group size, each with another order and another read; some are tiles of a subgroup, of a virtual warp, or one lane. */
const configurations: readonly Params[] = [
  { group: 1, scheme: "linear" },
  { group: 2, scheme: "hybrid", read: "word" },
  { group: 4, scheme: "double", read: "word" },
  { group: 8, scheme: "linear", read: "word", warp: "virtual" },
  { group: 8, scheme: "hybrid", read: "2xvec4" },
  { group: 16, scheme: "hybrid", read: "2xvec4" },
  { group: 32, scheme: "double", read: "vec4" },
  { group: 1, scheme: "double", pairs: "beside" },
  { group: 8, scheme: "double", pairs: "beside" },
];

describe.each(configurations)("warpcore with %o", (params) => {
  const type = configure(warpcore, params);
  testCases(casesFor(type, "core"), gpu, type);

  test("keys that many lanes insert, beside slots of erased keys, are there once", async () => {
    await Harness.on(gpu(), type, 900, 0.9, async (table) => {
      const old = keysFrom(0, 600);
      await table.insert(old, valuesOf(old, 1));
      const [gone, kept] = [old.filter((_, i) => i % 2 === 0), old.filter((_, i) => i % 2 === 1)];
      await table.erase(gone);
      // Keys whose slots lie behind those that are free now, and new ones.
      const all = [...kept, ...keysFrom(1000, 500)];
      await table.insert(times(all, 4), times(valuesOf(all, 2), 4));
      await table.find([...old, ...all]);
      // A second copy would be found then. One of the neighbours that erase a key does, and is counted.
      await table.erase(all.flatMap((key) => times([key], 32)));
      await table.find([...old, ...all]);
    });
  });

  test("the last slots of a full table are shared by lanes with one key, and no other gets in", async () => {
    await Harness.on(gpu(), type, 300, 1, async (table) => {
      const { slots } = table.table;
      const keys = keysFrom(0, slots);
      await table.insert(times(keys.slice(0, slots - 3), 2), times(valuesOf(keys.slice(0, slots - 3), 3), 2));
      await table.insert(times(keys.slice(slots - 3), 200), times(valuesOf(keys.slice(slots - 3), 4), 200));
      expect(await table.refused(keysFrom(slots, 9), keysFrom(slots, 9))).toBe(9);
      await table.find([...keys, ...keysFrom(slots, 100)]);
    });
  });
});

/** Probes, sectors and RMWs an operation: 5,000 insertions at load factor 0.8, and searches for these and as many other keys. */
function counted(params: Params): Promise<Record<"insert" | "find", Record<string, number | undefined>>> {
  const n = 5000;
  return scoped(gpu(), async (own) => {
    const table = await createTable(warpcore, own, { n, loadFactor: 0.8, seed: 7, params, counting: true });
    await table.clear();
    const keys = keysFrom(0, n);
    const metricsOf = async (work: (run: ReturnType<typeof countingRunner>["run"]) => Promise<unknown>, of: number) => {
      const { run, counts } = countingRunner(gpu());
      await work(run);
      return Object.fromEntries(countMetrics(counts, of).map(({ metric, value }) => [metric, value ?? undefined]));
    };
    const pairs = { keys: await upload(own, keys), values: await upload(own, keys), n };
    const insert = await metricsOf((run) => table.insert(run, pairs), n);
    const lookups = { keys: await upload(own, keysFrom(0, 2 * n)), results: await poisoned(own, 2 * n), n: 2 * n };
    const find = await metricsOf((run) => table.find(run, lookups), 2 * n);
    table.destroy();
    return { insert, find };
  });
}

async function countedEach(several: readonly Params[]) {
  const all: Awaited<ReturnType<typeof counted>>[] = [];
  for (const params of several) all.push(await counted(params));
  return all;
}

test.each([8, 32])("how lanes read a window of %d slots changes neither probes nor sectors", async (group) => {
  const all = await countedEach(Object.keys(READS).map((read) => ({ group, read })));
  for (const { find } of all) {
    // Races of the insertion decide which keys are where.
    for (const metric of ["probes", "table_reads"]) {
      expect((find[metric] ?? 0) / (all[0]?.find[metric] ?? 0)).toBeCloseTo(1, 1);
    }
    // Each probe reads the keys' sectors, each hit a value.
    expect(find.table_reads).toBeCloseTo((find.probes ?? 0) * (group / 8) + 0.5, 6);
  }
});

test("an insertion takes one RMW, but for lost races; larger windows take fewer probes", async () => {
  const all = await countedEach([1, 8, 32].map((group) => ({ group })));
  for (const { insert } of all) {
    expect(insert.table_rmws).toBeGreaterThanOrEqual(1);
    expect(insert.table_rmws).toBeLessThan(1.05);
    expect(insert.table_writes).toBe(1);
  }
  const probes = all.map(({ find }) => find.probes ?? 0);
  expect(probes).toEqual([...probes].sort((a, b) => b - a));
  // At load 0.8 a search for an absent key looks at five single slots, one for a present key at two.
  expect(probes[0]).toBeCloseTo(3.5, 0);
  expect(probes[2]).toBeLessThan(1.2);
});
