import { afterEach, expect, test, vi } from "vitest";
import type { CellSpec } from "../../bench/base/experiment.js";
import { testGpu } from "../../bench/device/testing.js";
import { type KeyCache, prepareCell } from "../../bench/scenarios/benchmark.js";
import { hostMemoryBenchmark, hostMemoryMixedBenchmark } from "../../bench/scenarios/host-memory.js";
import { loadKeys } from "../../bench/scenarios/workload/keys.js";
import { hostTableIds } from "../host-memory.js";
import { HostMemory } from "./host-memory.js";

const gpu = testGpu();
const keys: KeyCache = { get: (dataset, n, seed) => loadKeys(gpu(), dataset, n, seed) };
afterEach(() => vi.restoreAllMocks());

const usual: CellSpec = {
  experiment: "stadium/fig17a",
  bench: "host",
  table: "stash",
  variant: "",
  op: "insert",
  dataset: "random",
  n: 20_000,
  loadFactor: 0.8,
  positiveRatio: null,
  seed: 5,
  params: {},
};

/** Samples a cell twice; what its verification says, and its metrics. */
async function measured(change: Partial<CellSpec>) {
  const cell = { ...usual, ...change };
  const benchmark = cell.op === "mixed" ? hostMemoryMixedBenchmark : hostMemoryBenchmark;
  const prepared = await prepareCell(benchmark, cell, gpu(), keys);
  try {
    for (let i = 0; i < 2; i++) {
      if (prepared.mutates) await prepared.reset();
      expect(await prepared.sample()).toBeGreaterThan(0);
    }
    const wrong = await prepared.verify();
    const metrics = Object.fromEntries((await prepared.metrics(1)).map(({ metric, value }) => [metric, value]));
    return { wrong, metrics };
  } finally {
    prepared.destroy();
  }
}

/** Metrics of a cell whose answers are right. */
async function counted(change: Partial<CellSpec>) {
  const { wrong, metrics } = await measured(change);
  expect(wrong).toBe("");
  return metrics;
}

test.each(["stash", "clstash", "stash-hybrid"])("%s inserts a pair by one write, and reads nothing", async (table) => {
  const { host_reads, host_writes, host_rounds, counted_mops } = await counted({ table });
  expect([host_reads, host_writes, host_rounds]).toEqual([0, 1, 1]);
  expect(counted_mops).toBeCloseTo(281.25);
});

test("cuckoo inserts a pair by an exchange, which is a read and a write, and one more for every eviction", async () => {
  const { host_reads = 0, host_writes, host_rounds } = await counted({ table: "cuckoo" });
  expect(host_reads).toBe(host_writes);
  // At load factor 0.8, one by one: 1 + what finds its first place taken.
  expect(host_reads).toBeGreaterThan(1.4);
  expect(host_reads).toBeLessThan(3);
  expect(host_rounds).toBeGreaterThan(10);
});

test("cuckoo looks for an absent key until a place is empty, or at all four, in four rounds", async () => {
  const absent = { table: "cuckoo", op: "find", positiveRatio: 0 };
  const all = await counted({ ...absent, params: { earlyExit: false } });
  expect([all.host_reads, all.host_writes, all.host_rounds]).toEqual([4, 0, 4]);
  const { host_reads, host_rounds } = await counted(absent);
  // A place is empty with probability 1 - 0.8.
  expect(host_reads).toBeCloseTo(1 + 0.8 + 0.64 + 0.512, 1);
  expect(host_rounds).toBe(4);
});

// Uniform hashing at load factor 0.8 (Knuth, TAOCP 3, 6.4): a search for an absent key looks at 1 / (1 - 0.8) = 5 slots, of
// which 4 are taken; one for a present key at ln(1 / (1 - 0.8)) / 0.8 = 2.01 slots, the last of which has the key.
const TAKEN = 4;
const OTHERS = Math.log(5) / 0.8 - 1;

test.each([1, 2, 4, 8])("with tickets of %i bits, a taken slot is read if its info bits agree", async (ticket) => {
  const agree = 1 / 2 ** (ticket - 1);
  const absent = await counted({ op: "find", positiveRatio: 0, params: { ticket } });
  expect(absent.host_reads).toBeGreaterThan(0.85 * TAKEN * agree);
  expect(absent.host_reads).toBeLessThan(1.15 * TAKEN * agree);
  const present = await counted({ op: "find", positiveRatio: 1, params: { ticket } });
  expect(present.host_reads).toBeCloseTo(1 + OTHERS * agree, 1);
  expect(present.host_writes).toBe(0);
});

test("without ticket-board every slot that a search looks at is read", async () => {
  const { host_reads } = await counted({ op: "find", positiveRatio: 0, params: { board: false } });
  expect(host_reads).toBeGreaterThan(0.95 * (TAKEN + 1));
  expect(host_reads).toBeLessThan(1.05 * (TAKEN + 1));
});

test("an erasure reads as a search does, and writes nothing to the host", async () => {
  const { host_reads, host_writes } = await counted({ op: "erase", params: { ticket: 4 } });
  expect(host_reads).toBeCloseTo(1 + OTHERS / 8, 1);
  expect(host_writes).toBe(0);
});

const WIDE = [
  { keyBytes: 4, valueBytes: 64, bytes: 96 },
  { keyBytes: 32, valueBytes: 4, bytes: 64 },
  { keyBytes: 8, valueBytes: 8, bytes: 32 },
] as const;
test.each(WIDE)("pairs of $keyBytes + $valueBytes bytes come back, and cost $bytes bytes", async (size) => {
  const { bytes, ...params } = size;
  const { counted_mops } = await counted({ n: 3001, params });
  expect(counted_mops).toBeCloseTo(15_750 / (bytes + 24));
  await counted({ n: 3001, op: "find", positiveRatio: 0.5, params });
  await counted({ n: 3001, op: "erase", params });
});

test.each(hostTableIds)("%s's mixed slices are verified and counted", async (table) => {
  const params = { slice: 1000, ...(table === "cuckoo" ? { earlyExit: false } : {}) };
  const change = { table, op: "mixed", n: 3001, positiveRatio: 0, params };
  const { host_reads = 0, host_writes = 0, host_rounds } = await counted(change);
  // Of two operations one is an insertion; the other one of an absent key.
  const exchanges = table === "cuckoo" ? host_writes : 0;
  expect(host_writes - exchanges).toBe(table === "cuckoo" ? 0 : 0.5);
  if (table === "cuckoo") expect(host_reads - exchanges).toBeCloseTo(0.5 * 4, 10);
  else expect(host_reads).toBeLessThan((0.5 * TAKEN) / 128);
  // Seven slices.
  expect(host_rounds).toBeGreaterThanOrEqual(7);
});

const faults = ["stash", "cuckoo"].flatMap((table) => [
  { table, fault: "another key", plant: (keys: Uint32Array) => keys.fill(7, 0, 1) },
  { table, fault: "another value", plant: (_: Uint32Array, values: Uint32Array) => values.fill(7, 0, 1) },
]);
test.each(faults)("$table's host memory answers $fault: the cell is wrong", async ({ table, plant }) => {
  const { load } = HostMemory.prototype;
  vi.spyOn(HostMemory.prototype, "load").mockImplementation(function (this: HostMemory, jobs, keys, values) {
    const read = load.call(this, jobs, keys, values);
    plant(keys, values);
    return read;
  });
  expect((await measured({ table, op: "find", positiveRatio: 1 })).wrong).toMatch(/results are wrong/);
});

test("a table that cannot be in host memory says so", async () => {
  await expect(prepareCell(hostMemoryBenchmark, { ...usual, table: "bucketed" }, gpu(), keys)).rejects.toThrow(
    /cannot be in host/,
  );
});
