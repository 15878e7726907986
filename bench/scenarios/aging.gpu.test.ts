import { expect, test, vi } from "vitest";
import { keyConstants, keyRange } from "../../datasets/random.js";
import { mix32 } from "../../kernels/common/random.js";
import { EMPTY } from "../../kernels/common/steps.js";
import { UsageError } from "../../kernels/device/errors.js";
import { scoped } from "../../kernels/device/owned.js";
import { type Lookups, MIXED_KINDS } from "../../kernels/table.js";
import { testGpu } from "../device/testing.js";
import { cellOf, cellsOn, sampled } from "./testing.js";
import { DeviceAging } from "./workload/aging.js";

const gpu = testGpu();
const { measured, prepare } = cellsOn(gpu);
const cell = cellOf({
  bench: "aging",
  table: "slab-hash",
  op: "aging",
  loadFactor: 0.6,
  params: { batch: 300, round: 12 },
});

test.each(["slab-hash", "stash"])("%s lives on through rounds of all kinds in one dispatch", async (table) => {
  const { wrong, metrics } = await measured({ ...cell, table, params: { ...cell.params, mixed: true } });
  expect(wrong).toBe("");
  expect(metrics.probes).toBeGreaterThan(0);
});

test("a table is asked, erased from and inserted into in dispatches of their own", async () => {
  const { wrong, metrics } = await measured(cell);
  expect(wrong).toBe("");
  expect(metrics.memory_utilisation).toBeGreaterThan(0.2);
});

test("slots of erased keys are counted: all of a table that uses none again, fewer of one that does", async () => {
  const options = { ...cell, table: "double-hashing", loadFactor: 0.5, params: { batch: 100, round: 9 } };
  const { metrics } = await measured(options);
  // Nine rounds before each sample, which begins anew, and one that was counted.
  expect(metrics.deleted_share).toBeCloseTo((10 * 100) / 6002, 2);
  const again = await measured({ ...options, params: { ...options.params, reuse: true } });
  expect(again.metrics.deleted_share).toBeGreaterThan(0);
  expect(again.metrics.deleted_share).toBeLessThan((10 * 100) / 6002);
  const slabs = await measured({ ...options, table: "slab-hash" });
  expect(slabs.metrics.deleted_share).toBeGreaterThan(0);
  // Its slots are as if no key had been there.
  const { metrics: none } = await measured({ ...options, table: "dycuckoo" });
  expect(none).not.toHaveProperty("deleted_share");
});

test("a table that is full soon is put back for every sample", async () => {
  const params = { batch: 300, round: 1 };
  const prepared = await prepare({ ...cell, table: "double-hashing", loadFactor: 0.8, params });
  for (let i = 0; i < 8; i++) {
    await sampled(prepared, 1);
    expect(await prepared.verify()).toBe("");
  }
});

test.each(["bucketed", "double-hashing"])("%s that uses slots again lives on where it would be full", async (table) => {
  const spec = { ...cell, table, loadFactor: 0.8, params: { ...cell.params, reuse: true } };
  const { wrong, metrics } = await measured(spec);
  expect(wrong).toBe("");
  expect(metrics.load_factor_reached).toBeCloseTo(0.8, 1);
});

test("a table that does not use slots again is full after so many rounds, and says in which", async () => {
  const prepared = await prepare({ ...cell, table: "double-hashing", loadFactor: 0.8 });
  // 3,001 of 3,761 slots at first, 300 more a round.
  const grown = prepared.mutates ? prepared.reset() : Promise.resolve();
  await expect(grown).rejects.toThrow(
    /^full in round 2: of 3761 slots 160 were never used; 300 pairs are to be inserted$/,
  );
  await expect(grown).rejects.toThrow(UsageError);
});

test("a table of which a round takes a hundred times as long as the fastest is worn out, and says in which", async () => {
  const prepared = await prepare(cell);
  const { timeNext } = gpu();
  let passes = 0;
  const timed = vi.spyOn(gpu(), "timeNext").mockImplementation(async (...work) => {
    const done = await timeNext.apply(gpu(), work);
    passes += 1;
    // The filling, and then a round's erasures and insertions; its searches take their own time, far less.
    return { ...done, ns: passes > 3 + 2 * 7 ? 1.05e11 : 1e9 };
  });
  try {
    const grown = prepared.mutates ? prepared.reset() : Promise.resolve();
    await expect(grown).rejects.toThrow(/^worn out in round 7: it took 10\d times as long as the fastest$/);
    await expect(grown).rejects.toThrow(UsageError);
  } finally {
    timed.mockRestore();
  }
});

test.each([true, false])("the check misses no wrong answer; mixed %s", async (mixed) => {
  await scoped(gpu(), async (own) => {
    const workload = await DeviceAging.make(own, { live: 1000, batch: 100, seed: 7, mixed });
    await workload.fill(3, 9);
    const of = mixed ? [workload.mixed] : [workload.byKind.present, workload.byKind.absent];
    const count = mixed ? 400 : 200;
    expect(await workload.check(3, 9)).toMatch(new RegExp(`^${count} of ${count} results are wrong`));
    const write = async (answer: (key: number, at: number) => number) => {
      for (const { keys, results } of of) {
        const asked = await own.read(keys, mixed ? 400 : 100);
        own.write(results, 0, asked.map(answer));
      }
    };
    if (!mixed) {
      const [present, absent] = of;
      if (!present || !absent) throw new Error("no searches");
      own.write(absent.results, 0, new Uint32Array(100).fill(0xffffffff));
      own.write(
        present.results,
        0,
        (await own.read(present.keys, 100)).map((key) => mix32(key ^ 9) >>> 1),
      );
      expect(await workload.check(3, 9)).toBe("");
      own.write(absent.results, 4 * 55, Uint32Array.of(3));
      expect(await workload.check(3, 9)).toMatch(/^1 of 200 results are wrong, the first is number 155 /);
      return;
    }
    const kinds = await own.read(workload.mixed.kinds, 400);
    expect([...kinds].filter((kind) => kind === MIXED_KINDS.find)).toHaveLength(200);
    await write((key, at) => (kinds[at] === MIXED_KINDS.find ? mix32(key ^ 9) >>> 1 : 1));
    // Absent keys have no value.
    expect(await workload.check(3, 9)).toMatch(/^100 of 400 results are wrong/);
  });
});

test("the check of all keys misses none that is lost, and none of those that were erased last", async () => {
  const numbers = (first: number, count: number) => [...keyRange(first, count, keyConstants(7))];
  const there = new Set(numbers(3 * 100, 1000));
  const erased = numbers(0, 3 * 100);
  await scoped(gpu(), async (own) => {
    const workload = await DeviceAging.make(own, { live: 1000, batch: 100, seed: 7, mixed: true });
    /** What is said of a table that has the keys, but for this one, or this one too. */
    const said = (wrong?: number) => {
      const answer = (key: number) => (there.has(key) !== (key === wrong) ? mix32(key ^ 9) >>> 1 : EMPTY);
      const find = async ({ keys, results, n }: Lookups) =>
        own.write(results, 0, (await own.read(keys, n)).map(answer));
      return workload.checkAll(3, find, 9);
    };
    expect(await said()).toBe("");
    expect(await said([...there].at(-1))).toMatch(/^1 of 200 results are wrong, the first is number 199 /);
    for (const key of [erased.at(0), erased.at(-1)]) expect(await said(key)).toMatch(/^1 of 300 results are wrong/);
  });
});

test("a slab hash is put back as it was after its rounds: every sample is of the same one", async () => {
  const prepared = await prepare({ ...cell, n: 2000, params: { batch: 50, round: 4 } });
  const filled = vi.spyOn(DeviceAging.prototype, "fill");
  try {
    await sampled(prepared, 3);
    // Nothing is aged twice, and nothing goes on.
    expect(filled.mock.calls.map(([round]) => round)).toEqual([0, 1, 2, 3, 4, 4, 4]);
    expect(await prepared.verify()).toBe("");
  } finally {
    filled.mockRestore();
  }
});

test("a slab hash that grew in a sample is aged anew, and put back from then on", async () => {
  const prepared = await prepare({ ...cell, n: 20_000, params: { batch: 9999, round: 5 } });
  const filled = vi.spyOn(DeviceAging.prototype, "fill");
  try {
    await sampled(prepared, 4);
    const life = [0, 1, 2, 3, 4, 5];
    expect(filled.mock.calls.map(([round]) => round)).toEqual([...life, ...life, 5, 5]);
    expect(await prepared.verify()).toBe("");
  } finally {
    filled.mockRestore();
  }
});
