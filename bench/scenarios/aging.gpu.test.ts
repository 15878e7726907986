import { expect, test, vi } from "vitest";
import { UsageError } from "../../kernels/device/errors.js";
import { testGpu } from "../device/testing.js";
import { cellOf, cellsOn, sampled } from "./testing.js";
import { DeviceRounds } from "./workload/rounds.js";

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
    return { ...done, ns: passes > 1 + 2 * 7 ? 1.05e11 : 1e9 };
  });
  try {
    const grown = prepared.mutates ? prepared.reset() : Promise.resolve();
    await expect(grown).rejects.toThrow(/^worn out in round 7: it took 10\d times as long as the fastest$/);
    await expect(grown).rejects.toThrow(UsageError);
  } finally {
    timed.mockRestore();
  }
});

/** Numbers of rounds that were planned, but for the filling's. */
const numbersOf = ([rounds, first]: Parameters<DeviceRounds["plan"]>) =>
  rounds.map((_, i) => first + i).filter((number) => number >= 0);

test("a slab hash is put back as it was after its rounds: every sample is of the same one", async () => {
  const prepared = await prepare({ ...cell, n: 2000, params: { batch: 50, round: 4 } });
  const planned = vi.spyOn(DeviceRounds.prototype, "plan");
  try {
    await sampled(prepared, 3);
    // Nothing is aged twice, and nothing goes on.
    expect(planned.mock.calls.flatMap(numbersOf)).toEqual([0, 1, 2, 3, 4, 4, 4]);
    expect(await prepared.verify()).toBe("");
  } finally {
    planned.mockRestore();
  }
});

test("a slab hash that grew in a sample is aged anew, and put back from then on", async () => {
  const prepared = await prepare({ ...cell, n: 20_000, params: { batch: 9999, round: 5 } });
  const planned = vi.spyOn(DeviceRounds.prototype, "plan");
  try {
    await sampled(prepared, 4);
    const life = [0, 1, 2, 3, 4, 5];
    expect(planned.mock.calls.flatMap(numbersOf)).toEqual([...life, ...life, 5, 5]);
    expect(await prepared.verify()).toBe("");
  } finally {
    planned.mockRestore();
  }
});
