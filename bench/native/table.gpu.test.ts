/** Native tables of a workload that is large enough for its arrays to be known by their content. */
import { expect, test, vi } from "vitest";
import { createTable } from "../../kernels/create.js";
import { defineTable } from "../../kernels/define.js";
import { scoped } from "../../kernels/device/owned.js";
import { registerTable } from "../../kernels/index.js";
import type { Lookups, Params, RunSteps } from "../../kernels/table.js";
import { WebGpu } from "../device/gpu.js";
import { testGpu } from "../device/testing.js";
import { temporaryFolder } from "../results/testing.js";
import { cellOf, cellsOn } from "../scenarios/testing.js";
import { loadKeys } from "../scenarios/workload/keys.js";
import { devicePairs } from "../scenarios/workload/pairs.js";
import { checkEvery } from "../scenarios/workload/workload.js";
import { Program } from "./program.js";
import { keepArrays } from "./running.js";
import { SharedFile } from "./shared-files.js";
import { describe } from "./table.js";
import { manifestOf, running } from "./testing.js";

const gpu = testGpu();
const { measured, prepare } = cellsOn(gpu);

test("what one table's program was given, the next one's reads without its being written again", async () => {
  const write = vi.spyOn(SharedFile.prototype, "write");
  const written: number[] = [];
  for (const id of ["large-one", "large-two"]) {
    registerTable(defineTable(describe(manifestOf(temporaryFolder(), "", { id }))));
    write.mockClear();
    const { wrong } = await measured(cellOf({ table: id, n: 2 ** 20 }));
    expect(wrong).toBe("");
    written.push(write.mock.calls.length);
  }
  write.mockRestore();
  // Keys, values of two builds, two sets of queries; the room for answers, and twice what poisons it. Of the second table that room alone.
  expect(written).toEqual([8, 3]);
}, 120_000);

test.each(["", "filling"])(
  "answers that a program wrote once are not taken for those it did not write (%s)",
  async (filling) => {
    const id = `unwritten${filling}`;
    registerTable(defineTable(describe(manifestOf(temporaryFolder(), `unwritten ${filling}`, { id }))));
    const { wrong } = await measured(cellOf({ table: id, n: 2000, op: "find", positiveRatio: 1 }));
    expect(wrong).toMatch(/^2000 of 2000 results are wrong/);
  },
);

test("answers of a program that fills arrays by itself are not written before", async () => {
  const write = vi.spyOn(SharedFile.prototype, "write");
  registerTable(defineTable(describe(manifestOf(temporaryFolder(), "filling", { id: "filling" }))));
  expect((await measured(cellOf({ table: "filling", n: 2 ** 20 }))).wrong).toBe("");
  const { length } = write.mock.calls;
  write.mockRestore();
  // Keys, values of two builds, two sets of queries; the room for answers.
  expect(length).toBeLessThanOrEqual(6);
}, 120_000);

test.each([
  ["cuda", true],
  ["cpu", false],
] as const)("whether the memory of a program by %s is the device's", async (api, isDevice) => {
  const taken = vi.spyOn(WebGpu.prototype, "elsewhere");
  registerTable(defineTable(describe(manifestOf(temporaryFolder(), "", { id: `on-${api}`, api }))));
  const { wrong } = await measured(cellOf({ table: `on-${api}`, n: 2000 }));
  expect(wrong).toBe("");
  const bytes = taken.mock.calls.reduce((sum, [some]) => sum + some, 0);
  taken.mockRestore();
  // Its table, keys, values and queries at least.
  if (isDevice) expect(bytes).toBeGreaterThan(2000 * (8 + 3 * 4));
  else expect(bytes).toBe(0);
});

test("of the programs of one table a single one waits for the next, and what the others had of the device is given back", async () => {
  const fixedBytes = 2 ** 30;
  const { elsewhere } = WebGpu.prototype;
  let held = 0;
  const spy = vi.spyOn(WebGpu.prototype, "elsewhere").mockImplementation(async function (this: WebGpu, bytes) {
    const end = await elsewhere.call(this, bytes);
    held += bytes;
    return () => {
      held -= bytes;
      end();
    };
  });
  try {
    const named = "several-at-once";
    const manifest = manifestOf(temporaryFolder(), named, { id: "several", api: "cuda", fixedBytes });
    registerTable(defineTable(describe(manifest)));
    const cells = await Promise.all([1, 2, 3].map((seed) => prepare(cellOf({ table: "several", n: 2000, seed }))));
    expect(held).toBeGreaterThan(3 * fixedBytes);
    for (const cell of cells) cell.destroy();
    await vi.waitFor(() => expect(running(named)).toHaveLength(1), 60_000);
    expect(held).toBe(fixedBytes);
    (await prepare(cellOf({ table: "several", n: 2000 }))).destroy();
    expect(running(named)).toHaveLength(1);
    expect(held).toBe(fixedBytes);
  } finally {
    spy.mockRestore();
  }
});

/** Requests of this kind that programs were sent while `work` was done. */
async function asked(what: string, work: () => Promise<unknown>): Promise<number> {
  const ask = vi.spyOn(Program.prototype, "ask");
  await work();
  const count = ask.mock.calls.filter(([kind]) => kind === what).length;
  ask.mockRestore();
  return count;
}

test("a program's next table has the keys, values and queries that it was given for the one before, until another table is measured", async () => {
  registerTable(defineTable(describe(manifestOf(temporaryFolder(), "", { id: "again" }))));
  const measure = async (loadFactor: number) => {
    const cell = await prepare(cellOf({ table: "again", n: 2 ** 20, loadFactor }));
    if (cell.mutates) await cell.reset();
    await cell.sample();
    expect(await cell.verify()).toBe("");
    cell.destroy();
  };
  const first = await asked("share", () => measure(0.5));
  await keepArrays(new Set(["again"]));
  // Room for answers alone.
  expect(await asked("share", () => measure(0.8))).toBe(1);
  expect(await asked("drop", () => keepArrays(new Set(["other"])))).toBeGreaterThanOrEqual(3);
  expect(await asked("share", () => measure(0.5))).toBe(first);
}, 120_000);

test.each([
  { bench: "aging", op: "aging", params: { batch: 100, round: 3 } },
  { bench: "dynamic", op: "dynamic", params: { batchSize: 700, r: 0.3 } },
  { bench: "incremental", op: "insert", params: { batch: 1000, total: 3000 } },
])("a table outside takes part in $bench, whose passes it does not run", async (cell) => {
  const id = `in-${cell.bench}`;
  const described = describe(manifestOf(temporaryFolder(), "", { id, incremental: true }));
  // Insertions replace values, whatever the cell says.
  const configure = (params: Params) => described.configure({ ...params, upsert: true });
  registerTable(defineTable({ ...described, configure }));
  const { wrong, metrics } = await measured(cellOf({ ...cell, table: id, n: 3000 }));
  expect(wrong).toBe("");
  expect(Object.keys(metrics)).not.toEqual([]);
});

test("a table outside gets the later pairs of a large buffer, and not its first ones again", async () => {
  const type = defineTable(describe(manifestOf(temporaryFolder(), "", { id: "later", incremental: true })));
  const n = 2 ** 21;
  await scoped(gpu(), async (own) => {
    const data = await loadKeys(own, "random", n, 1);
    const table = await createTable(type, own, { n, loadFactor: 0.5, seed: 1, counting: false });
    await table.clear();
    const pairs = await devicePairs(own, data);
    await pairs.renew(3);
    const run: RunSteps = (...pass) => own.time(...pass);
    for (const first of [0, n / 2]) await table.insert(run, { ...pairs.all, first, n: n / 2 });
    const find = (lookups: Lookups) => table.find(run, lookups);
    expect(await checkEvery(own, data, find, { seed: 1, salt: 3 })).toBe("");
  });
}, 120_000);
