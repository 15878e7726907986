import { expect, test } from "vitest";
import type { CellSpec } from "../../bench/base/experiment.js";
import { testGpu } from "../../bench/device/testing.js";
import { prepareCell } from "../../bench/scenarios/benchmark.js";
import { tableBenchmark } from "../../bench/scenarios/table.js";
import { loadKeys } from "../../bench/scenarios/workload/keys.js";
import { Harness } from "../../bench/verify/harness.js";
import { DELETED, EMPTY } from "../common/steps.js";
import { createTable } from "../create.js";
import { scoped } from "../device/owned.js";
import type { Params, RunSteps } from "../table.js";
import { radixSort } from "./radix-sort.js";

const gpu = testGpu();
const on = (n: number, params: Params, work: (table: Harness) => Promise<void>) =>
  Harness.on(gpu(), radixSort, n, 1, work, { params });
const LSD = { sort: "lsd" };
const STABLE = { sort: "stable" };

test.each([{}, LSD, STABLE])(
  "of a key's values, the one that stands last in the input is found: %o",
  async (params) => {
    await on(10, params, async (table) => {
      const keys = Array.from({ length: 5000 }, (_, i) => (i * 7) % 1000);
      // The harness's Map keeps the last one too.
      await table.insert(
        keys,
        keys.map((_, i) => i),
      );
      await table.find(Array.from({ length: 1100 }, (_, key) => key));
      expect(table.table.slots).toBe(5000);
    });
  },
);

test("reserved keys are refused and counted, and no other key is lost", async () => {
  await on(300, {}, async (table) => {
    const keys = Array.from({ length: 300 }, (_, i) => (i % 100 === 7 ? EMPTY : i % 100 === 50 ? DELETED : i));
    expect(await table.refused(keys, keys)).toBe(6);
    const asked = [...keys, 300, EMPTY, DELETED];
    expect([...(await table.answers(asked))]).toEqual(asked.map((key) => (key < 300 ? key : EMPTY)));
    expect(await table.refused([EMPTY], [1])).toBe(1);
    expect([...(await table.answers([0, EMPTY]))]).toEqual([EMPTY, EMPTY]);
  });
});

test.each([{}, LSD, STABLE])(
  "pairs whose value is EMPTY are refused, and hide no other of their key: %o",
  async (params) => {
    await on(2003, params, async (table) => {
      // Of keys that come once, twice and so on; the last keys have no value.
      const keys = Array.from({ length: 2003 }, (_, i) => (i < 1003 ? 7 * i : 21 * (i % 30)));
      const values = keys.map((_, i) => (i % 3 === 2 || i > 1900 || keys[i] === 0 ? EMPTY : i));
      expect(await table.refused(keys, values)).toBe(values.filter((value) => value === EMPTY).length);
      table.knows(keys.flatMap((key, i) => (values[i] === EMPTY ? [] : [[key, values[i] ?? 0] as const])));
      await table.find([...new Set(keys), 1, 5]);
      // One that hybrid sorts do not give up for, beside a reserved key that is counted once.
      expect(await table.refused([4, 3, EMPTY, 2], [1, EMPTY, EMPTY, 8])).toBe(2);
      expect([...(await table.answers([2, 3, 4, EMPTY]))]).toEqual([8, EMPTY, 1, EMPTY]);
      expect(await table.refused([4, 3, 2], [1, EMPTY, 8])).toBe(1);
      expect([...(await table.answers([2, 3, 4]))]).toEqual([8, EMPTY, 1]);
    });
  },
);

test("an insertion takes the place of the one before it", async () => {
  await on(8, {}, async (table) => {
    await table.refused([1, 2, 3], [10, 20, 30]);
    await table.refused([3, 4], [31, 41]);
    expect([...(await table.answers([1, 2, 3, 4]))]).toEqual([EMPTY, EMPTY, 31, 41]);
  });
});

const cell: CellSpec = {
  experiment: "cuckoo/fig4.4-insert",
  bench: "table",
  table: "radix-sort",
  variant: "",
  op: "insert",
  dataset: "random",
  n: 5000,
  loadFactor: null,
  positiveRatio: null,
  seed: 5,
  params: {},
};

/** What the counters say of a cell without a load factor, whose answers are right. */
async function counted(spec: CellSpec): Promise<Record<string, number>> {
  const keys = { get: (dataset: string, n: number, seed: number) => loadKeys(gpu(), dataset, n, seed) };
  const prepared = await prepareCell(tableBenchmark, spec, gpu(), keys);
  try {
    if (prepared.mutates) await prepared.reset();
    await prepared.sample();
    expect(await prepared.verify()).toBe("");
    return Object.fromEntries((await prepared.metrics(1)).map(({ metric, value }) => [metric, value]));
  } finally {
    prepared.destroy();
  }
}

test("lsd: each key is looked at once for all passes and once in each of four, which read 8 bytes a pair", async () => {
  const { probes, table_reads = 0, table_writes = 0, load_factor_reached } = await counted({ ...cell, params: LSD });
  expect(probes).toBe(5);
  // In sectors of 32 bytes; the ends of the array and of the digits' parts are no whole ones.
  expect(table_reads).toBeCloseTo((4 + 4 * 8) / 32, 2);
  expect(table_writes).toBeGreaterThan((4 * 8) / 32);
  expect(load_factor_reached).toBe(1);
});

test("hybrid: each key is looked at once in one pass and once in its part, and no sort begins again", async () => {
  const { probes, table_reads = 0, table_writes = 0, restarts } = await counted(cell);
  expect(probes).toBe(2);
  expect(table_reads).toBeCloseTo((2 * 8) / 32, 2);
  expect(table_writes).toBeGreaterThan((2 * 8) / 32);
  expect(table_writes).toBeLessThan(1.1 * ((2 * 8) / 32));
  expect(restarts).toBe(0);
});

test("stable: each key is looked at as often, and pairs are read and written without their numbers being counted", async () => {
  const { probes, table_reads = 0, restarts } = await counted({ ...cell, params: STABLE });
  expect(probes).toBe(2);
  expect(table_reads).toBeCloseTo((2 * 8) / 32, 2);
  expect(restarts).toBe(0);
});

test("hybrid: what has equal keys is sorted again, and that is timed and counted", async () => {
  const words = Uint32Array.from({ length: 3000 }, (_, i) => Math.imul(i % 2999, 0x9e3779b1));
  const ofRuns = async (params: Params) =>
    scoped(gpu(), async (own) => {
      const table = await createTable(radixSort, own, {
        n: words.length,
        loadFactor: 1,
        seed: 1,
        params,
        counting: false,
      });
      const keys = await own.alloc("keys", words.byteLength);
      own.write(keys, 0, words);
      const ns: number[] = [];
      const run: RunSteps = async (steps, ...read) => {
        const pass = await own.time(steps, ...read);
        ns.push(pass.ns);
        return pass;
      };
      const result = await table.insert(run, { keys, values: keys, n: words.length });
      expect(result.ns).toBe(ns.reduce((sum, one) => sum + one, 0));
      return { runs: ns.length, restarts: result.restarts };
    });
  expect(await ofRuns({ sort: "hybrid" })).toEqual({ runs: 2, restarts: 1 });
  expect(await ofRuns(STABLE)).toEqual({ runs: 1, restarts: 0 });
  expect(await ofRuns(LSD)).toEqual({ runs: 1, restarts: 0 });
});

test("a search probes as often as the array can be halved, and reads one value if it finds the key", async () => {
  const find = { ...cell, op: "find", n: 4095 };
  // A full tree of 12 levels, gone through to its leaves.
  const present = await counted({ ...find, positiveRatio: 1 });
  expect(present.probes).toBe(12);
  expect(present.table_reads).toBe(13);
  expect((await counted({ ...find, positiveRatio: 0 })).table_reads).toBe(12);
});

test("duplicates of a data set are sorted in with the others", async () => {
  const { load_factor_reached } = await counted({ ...cell, dataset: "zipf:1" });
  expect(load_factor_reached).toBeLessThan(1);
});
