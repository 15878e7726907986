import { expect, test, vi } from "vitest";
import { dycuckoo } from "../../kernels/dycuckoo/dycuckoo.js";
import { RadixSort } from "../../kernels/radix-sort/sort.js";
import { altered } from "../../kernels/testing.js";
import { WebGpu } from "../device/gpu.js";
import { testGpu } from "../device/testing.js";
import { Shared } from "../measure/shared.js";
import { prepareCell } from "./benchmark.js";
import { dynamicBenchmark } from "./dynamic.js";
import { bytesOf } from "./index.js";
import { byName, cellOf, cellsOn, sampled } from "./testing.js";

const gpu = testGpu();
const { keys, measured, prepare } = cellsOn(gpu);
const cell = cellOf({
  bench: "dynamic",
  table: "slab-hash",
  op: "dynamic",
  loadFactor: 0.6,
  params: { batchSize: 700, r: 0.3 },
});

test.each(["random", "zipf:1.0"])("every answer of both phases on %s keys is right", async (dataset) => {
  const { wrong, operations } = await measured({ ...cell, dataset });
  expect(wrong).toBe("");
  // Both phases: 3,001 of one kind, as many searches, 900 of the other kind.
  expect(operations).toBe(2 * (2 * 3001 + 4 * 210 + 60));
});

test.each(["dycuckoo", "megakv"])("%s resizes itself, and every answer is right", async (table) => {
  const params = { ...cell.params, resize: true, beta: 0.85, alpha: 0.3 };
  const { wrong, metrics } = await measured({ ...cell, table, params });
  expect(wrong).toBe("");
  expect(metrics.upsizes).toBeGreaterThan(0);
  expect(metrics.downsizes).toBeGreaterThan(0);
  expect(metrics.failed_resizes).toBe(0);
  expect(metrics.resize_time).toBeGreaterThan(0);
  expect(metrics.filled_factor).toBeLessThanOrEqual(0.85);
  expect(metrics.most_table_bytes).toBeGreaterThan(metrics.table_bytes ?? 0);
  // Of its four sub-tables one is resized, of MegaKV's both.
  const whole = table === "megakv";
  expect(metrics.sub_table_ratio).toBe(whole ? 1 : 2);
  for (const share of [metrics.upsized_share ?? 0, metrics.downsized_share ?? 0]) {
    if (whole) expect(share).toBe(1);
    else expect([share > 0.2, share < 0.6]).toEqual([true, true]);
  }
});

/** A build: one batch of all pairs, of which none is erased. */
const build = {
  ...cell,
  table: "dycuckoo",
  n: 20_000,
  params: { batchSize: 20_000, r: 0, phase: 1, batch: 1, resize: true },
};

test.each([
  [false, 2],
  [true, 1],
])(
  "with alike=%s larger sub-tables have %d times the slots, and the cell says how much fuller they are",
  async (alike, ratio) => {
    let said: readonly { readonly pairs: number; readonly slots: number }[] = [];
    const type = altered(dycuckoo, ({ create }) => ({
      create: async (device, making) => {
        const table = await create(device, making);
        const { resizable } = table;
        const filling = resizable?.filling.bind(resizable);
        if (!resizable || !filling) throw new Error("dycuckoo resizes itself");
        resizable.filling = () => {
          const now = filling();
          said = now.subTables;
          return now;
        };
        return table;
      },
    }));
    const by = {
      prepare: (...args: Parameters<typeof dynamicBenchmark.prepare>) => dynamicBenchmark.prepareAs(type, ...args),
    };
    const { metrics } = await measured({ ...build, loadFactor: 0.4, params: { ...build.params, alike } }, by);
    const most = Math.max(...said.map(({ slots }) => slots));
    const of = (larger: boolean, what: "pairs" | "slots") =>
      said.reduce((sum, one) => sum + ((one.slots === most) === larger ? one[what] : 0), 0);
    expect(metrics.sub_table_ratio).toBe(ratio);
    const fuller = of(true, "pairs") / of(true, "slots") / (of(false, "pairs") / of(false, "slots"));
    if (ratio === 1) expect(metrics.sub_table_fill).toBeUndefined();
    else expect(metrics.sub_table_fill).toBeCloseTo(fuller, 9);
  },
);

test("erasures go with the next insertions where the table is sure to keep its size, and are waited for elsewhere", async () => {
  const params = { ...cell.params, resize: true, beta: 0.85, alpha: 0.3 };
  const prepared = await prepare({ ...cell, table: "dycuckoo", params });
  const device = gpu();
  const deferred = vi.spyOn(device, "timeDeferred");
  const submit = vi.spyOn(device.device.queue, "submit");
  try {
    if (prepared.mutates) await prepared.reset();
    await prepared.sample();
    if (prepared.mutates) await prepared.reset();
    deferred.mockClear();
    submit.mockClear();
    await prepared.sample();
    // 5 batches of each phase. Each one's searches are deferred, and the erasures of most.
    const together = deferred.mock.calls.length - 10;
    expect(together).toBeGreaterThanOrEqual(4);
    expect(together).toBeLessThan(9);
    const { upsizes = 0, downsizes = 0 } = byName(await prepared.metrics(1));
    expect(downsizes).toBeGreaterThan(0);
    // One for the insertions of each batch, one for its erasures where these are waited for and another behind it, one a resize, and a few.
    expect(submit.mock.calls.length).toBeLessThan(10 + 2 * (10 - together) + 4 * (upsizes + downsizes) + 4);
    expect(await prepared.verify()).toBe("");
  } finally {
    deferred.mockRestore();
    submit.mockRestore();
  }
});

test("whether a table keeps its size is asked after the insertions of the round, and before its erasures", async () => {
  const told: string[] = [];
  const type = altered(dycuckoo, ({ create }) => ({
    create: async (device, making) => {
      const table = await create(device, making);
      const insert = table.insert.bind(table);
      table.insert = (...args) => insert(...args).finally(() => told.push("inserted"));
      const { resizable } = table;
      const stays = resizable?.stays.bind(resizable);
      if (!resizable || !stays) throw new Error("dycuckoo resizes itself");
      resizable.stays = (erased) => told.push("asked") > 0 && stays(erased);
      return table;
    },
  }));
  const by = {
    prepare: (...args: Parameters<typeof dynamicBenchmark.prepare>) => dynamicBenchmark.prepareAs(type, ...args),
  };
  const prepared = await prepare({ ...cell, table: "dycuckoo", params: { ...cell.params, resize: true } }, by);
  await sampled(prepared, 1);
  // Of 10 rounds; the last is followed by none.
  expect(told).toEqual([...Array.from({ length: 9 }, () => ["inserted", "asked"]).flat(), "inserted"]);
});

/** The same device by the host's clock, as where there are no timestamps. */
function withoutTimestamps({ device, info }: WebGpu): WebGpu {
  const features = new Set([...device.features].filter((feature) => feature !== "timestamp-query"));
  const blind = new Proxy(device, {
    get(target, name) {
      if (name === "features") return features;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
    set: (target, name, value) => Reflect.set(target, name, value, target),
  });
  return new WebGpu(blind, { ...info, clock: { kind: "wall", resolutionNs: 1000 } });
}

test.each(["dycuckoo", "slab-hash"])("without timestamps every answer of %s is right too", async (table) => {
  const device = gpu();
  const { onuncapturederror } = device.device;
  const own = withoutTimestamps(device);
  const params = { ...cell.params, ...(table === "dycuckoo" && { resize: true }) };
  const prepared = await prepareCell(dynamicBenchmark, { ...cell, table, params }, own, keys);
  try {
    await sampled(prepared, 2);
    expect(await prepared.verify()).toBe("");
  } finally {
    prepared.destroy();
    device.device.onuncapturederror = onuncapturederror;
  }
});

test("the first run is checked: searches that it did not make are wrong, whatever later runs do", async () => {
  const prepared = await prepare(cell);
  const device = gpu();
  const { timeDeferred } = device;
  let passes = 0;
  // The first are the first batch's searches.
  const spy = vi.spyOn(device, "timeDeferred").mockImplementation((steps, ...read) => {
    passes += 1;
    return timeDeferred.call(device, passes === 1 ? [] : steps, ...read);
  });
  try {
    for (let i = 0; i < 2; i++) {
      if (prepared.mutates) await prepared.reset();
      await prepared.sample();
    }
    expect(await prepared.verify()).toMatch(/^round 0: 700 of 700 results are wrong/);
  } finally {
    spy.mockRestore();
  }
});

test("a table of lists that has a pair too many is wrong, whatever it answers", async () => {
  const prepared = await prepare(cell);
  const device = gpu();
  const { timeNext } = device;
  const spy = vi.spyOn(device, "timeNext").mockImplementation(async (steps, status, counted) => {
    const pass = await timeNext.call(device, steps, status, counted);
    return counted ? { ...pass, more: pass.more.map((word, i) => (i === 0 ? word + 1 : word)) } : pass;
  });
  try {
    if (prepared.mutates) await prepared.reset();
    await prepared.sample();
    expect(await prepared.verify()).toMatch(/^round 0: the table has \d+ pairs, not \d+$/);
  } finally {
    spy.mockRestore();
  }
});

test("a cell may end with a batch of the first phase; the filled factor is of that moment", async () => {
  const params = { ...cell.params, r: 0, phase: 1, batch: 2, start: 3001 };
  const { wrong, metrics } = await measured({ ...cell, table: "bucketed", params });
  expect(wrong).toBe("");
  expect(metrics.filled_factor).toBeCloseTo((0.6 * 1400) / 3001, 2);
  expect(metrics.filled_factor_step).toBeCloseTo((0.6 * 700) / 3001, 2);
  expect(metrics.table_bytes).toBe(metrics.most_table_bytes);
});

test("after the second phase only what it inserted last is left", async () => {
  const { wrong, metrics } = await measured({ ...cell, params: { ...cell.params, r: 0 } });
  expect(wrong).toBe("");
  expect(metrics.filled_factor).toBe(0);
});

test.each(["slab-hash", "dycuckoo"])("a stage of %s has what a cell of its own has", async (table) => {
  const params = { ...cell.params, ...(table === "dycuckoo" && { resize: true }) };
  const stageCell = { ...cell, table, params: { ...params, phase: 1, batch: 3 } };
  const own = await measured(stageCell);
  const prepared = await prepare({ ...cell, table, params });
  const runs = await sampled(prepared, 2);
  const stage = prepared.stage?.(stageCell);
  if (!stage) throw new Error("no stage");
  expect(stage.operations).toBe(own.operations);
  for (const [i, ns] of runs.entries()) {
    expect(stage.ns(i)).toBeGreaterThan(0);
    expect(stage.ns(i)).toBeLessThan(ns);
    expect(prepared.stage?.({ ...cell, table, params })?.ns(i)).toBe(ns);
  }
  expect(stage.ns(2)).toBeNaN();
  const metrics = byName(await stage.metrics());
  const { resize_time: _, ...counted } = own.metrics;
  // Which lane comes first decides the sub-table of some of 2,100 pairs.
  const digits = (metric: string) => (metric === "sub_table_fill" ? 1 : 2);
  for (const [metric, value] of Object.entries(counted))
    expect(metrics[metric], metric).toBeCloseTo(value, digits(metric));
  const last = byName(await prepared.metrics(1));
  expect(last.filled_factor).not.toBeCloseTo(metrics.filled_factor ?? 0, 2);
});

test("a rehearsal is no run of its own, and leaves nothing that the first run sees", async () => {
  const params = { ...cell.params, resize: true };
  const resizing = { ...cell, table: "dycuckoo", params };
  const own = await measured(resizing);
  const prepared = await prepare(resizing);
  await prepared.rehearse?.();
  const [ns] = await sampled(prepared, 1);
  expect(prepared.stage?.(resizing).ns(0)).toBe(ns);
  expect(await prepared.verify()).toBe("");
  const { filled_factor, upsizes, table_bytes } = byName(await prepared.metrics(1));
  const { metrics } = own;
  expect({ upsizes, table_bytes }).toEqual({ upsizes: metrics.upsizes, table_bytes: metrics.table_bytes });
  expect(filled_factor).toBeCloseTo(metrics.filled_factor ?? 0, 2);
  // With what a rehearsal left the same keys would come and go another way.
  expect(metrics.upsizes).toBeGreaterThan(0);
});

test("cells of one data set share the numbers of its keys, which outlive the cell that made them", async () => {
  const shared = new Shared(gpu());
  const sorts = vi.spyOn(RadixSort, "make");
  try {
    const cells = [0.3, 0.1].map((r) => ({ ...cell, dataset: "zipf:1.0", params: { ...cell.params, r } }));
    const [first, second] = await Promise.all(
      cells.map((one) => prepareCell(dynamicBenchmark, one, gpu(), keys, shared)),
    );
    expect(sorts).toHaveBeenCalledTimes(1);
    first?.destroy();
    expect(await second?.verify()).toBe("");
    second?.destroy();
    const again = await prepareCell(dynamicBenchmark, { ...cell, seed: 6 }, gpu(), keys, shared);
    expect(sorts).toHaveBeenCalledTimes(2);
    again.destroy();
    const [{ shared: one } = { shared: {} }, { shared: other } = { shared: {} }] = cells.map(bytesOf);
    expect(Object.values(one)).toEqual([4 * cell.n]);
    expect(Object.keys(other)).toEqual(Object.keys(one));
    expect(Object.keys(bytesOf({ ...cell, seed: 6 }).shared)).not.toEqual(Object.keys(one));
  } finally {
    sorts.mockRestore();
  }
});

test("there is no batch beyond the last one", async () => {
  const params = { ...cell.params, batch: 6 };
  await expect(prepare({ ...cell, params })).rejects.toThrow("there are 5");
});
