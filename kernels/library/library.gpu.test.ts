import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { openDawn } from "../../bench/device/dawn.js";
import { testGpu } from "../../bench/device/testing.js";
import { uniform } from "../../datasets/rng.js";
import { compareWithMap } from "../../scripts/against-map.js";
import { roundKeys, roundKeysFor } from "../common/keyed.js";
import * as library from "./index.js";
import {
  DeviceLost,
  DoesNotFit,
  EMPTY,
  type ErasableTable,
  type ExportableTable,
  type FlushableTable,
  loadTable,
  type MixedTable,
  type Table,
  type TableName,
  type TableOptions,
  tableNames,
  UsageError,
} from "./index.js";
import { partitioned } from "./tables/partitioned.js";
import { quotient } from "./tables/quotient.js";
import { operations } from "./tables/quotient-operations.js";
import { recording } from "./tables/recording.js";
import { routed } from "./tables/routed.js";
import { twoLevel } from "./tables/two-level.js";
import { warm } from "./tables/warm.js";
import { buffersOn, createTable, having, keysFrom, watched } from "./testing.js";

const gpu = testGpu();
/** Of the tests that run; another one in some of them. */
let other: GPUDevice | null = null;
const device = () => other ?? gpu().device;

const { wordsOf, using } = buffersOn(device);

/** A table with all that some have. */
type Whole = Table & Partial<ErasableTable & MixedTable & FlushableTable & ExportableTable>;

/** Random batches, of which a table with slots for 30,000 pairs takes as many as the operations say. */
const long = async (name: TableName, operations: number) => {
  const done = await compareWithMap(device(), { library, name, capacity: 30_000, operations, random: uniform(11) });
  expect(done).toBeGreaterThanOrEqual(operations);
};

test("a million random operations leave what they leave in a Map", () => long("quotient", 1_000_000));

test.each(tableNames.filter((name) => name !== "quotient"))(
  "random operations of %s leave what they leave in a Map",
  (name) => long(name, 60_000),
);

/** Inserts, finds, erases and clears. */
async function storesAndFinds(name: TableName): Promise<void> {
  const n = 5000;
  const keys = Uint32Array.from({ length: 2 * n }, (_, i) => Math.imul(i + 1, 0x85ebca6b) >>> 0);
  const values = keys.map((key) => key >>> 1);
  const table = await createTable(device(), name, { capacity: n });
  try {
    await using([keys, values, 2 * n], async (...[k, v, results]) => {
      expect(await table.insert({ keys: k!, values: v!, n })).toEqual({ stored: n, refused: 0 });
      await table.find({ keys: k!, results: results!, n: 2 * n });
      expect(await wordsOf(results!)).toEqual(values.map((value, i) => (i < n ? value : EMPTY)));
      const { erase } = table as Partial<ErasableTable>;
      if (erase) {
        expect(await erase({ keys: k!, n: n / 2 })).toEqual({ erased: n / 2 });
        await table.find({ keys: k!, results: results!, n });
        expect(await wordsOf(results!, n)).toEqual(values.slice(0, n).map((value, i) => (i < n / 2 ? EMPTY : value)));
      }
      await table.clear();
      await table.find({ keys: k!, results: results!, n });
      expect(new Set(await wordsOf(results!, n))).toEqual(new Set([EMPTY]));
    });
  } finally {
    table.destroy();
  }
}

test.each(tableNames)("%s finds what it stored, and nothing else; it is empty once it is cleared", storesAndFinds);

test.each(tableNames)("%s works on a device that has WebGPU's default limits and no features", async (name) => {
  const { openDevice } = (await import(/* @vite-ignore */ join(import.meta.dirname, "examples", "device.mjs"))) as {
    openDevice(adapter: string): Promise<GPUDevice>;
  };
  other = await openDevice(process.env.HASHBENCH_ADAPTER ?? "");
  try {
    expect(other.limits.maxStorageBuffersPerShaderStage).toBe(8);
    expect(other.features.has("subgroups")).toBe(false);
    await storesAndFinds(name);
  } finally {
    other.destroy();
    other = null;
  }
});

const WARMED: readonly (readonly [TableName, TableOptions["params"] & object])[] = [
  ...tableNames.map((name) => [name, {}] as const),
  ["quotient", { partitioned: true }],
  ["gph", { index: "workgroup" }],
];

test("tables whose sizes are compiled in share their kernels, whatever their seed", async () => {
  const texts: string[] = [];
  const made: number[] = [];
  const own = having(device(), {
    // Kernels of software adapters have no sizes compiled in.
    adapterInfo: { isFallbackAdapter: false } as GPUAdapterInfo,
    createShaderModule(descriptor: GPUShaderModuleDescriptor) {
      texts.push(descriptor.code);
      return device().createShaderModule(descriptor);
    },
  });
  await using([keysFrom(0, 50), 50], async (...[keys, results]) => {
    for (const seed of [1, 2]) {
      const table = await createTable(own, "linear-probing", { capacity: 60, seed });
      await table.insert({ keys: keys!, values: keys!, n: 50 });
      await table.find({ keys: keys!, results: results!, n: 50 });
      expect(await wordsOf(results!, 50)).toEqual(keysFrom(0, 50));
      table.destroy();
      made.push(texts.length);
    }
  });
  expect(texts.some((code) => code.includes("const sizes"))).toBe(true);
  expect(made[1]).toBe(made[0]);
});

test("a keyed hash has a secret that is drawn, unless a seed is given to make it of", async () => {
  const written: string[] = [];
  const writeBuffer: GPUQueue["writeBuffer"] = (buffer, offset, data: Uint32Array<ArrayBuffer>) => {
    // Keys of rounds.
    if (data.length === 24) written.push(data.join());
    device().queue.writeBuffer(buffer, offset, data);
  };
  const own = having(device(), { queue: having(device().queue, { writeBuffer }) });
  const drawing = vi.spyOn(crypto, "getRandomValues").mockImplementation((words) => {
    if (words instanceof Uint32Array) words.fill(5);
    return words;
  });
  await using([keysFrom(0, 50), 50], async (...[keys, results]) => {
    for (const options of [{}, { seed: 5 }]) {
      const table = await library.createTable(own, "double-hashing", {
        capacity: 60,
        params: { keyed: true },
        ...options,
      });
      await table.insert({ keys: keys!, values: keys!, n: 50 });
      await table.find({ keys: keys!, results: results!, n: 50 });
      expect(await wordsOf(results!, 50)).toEqual(keysFrom(0, 50));
      table.destroy();
    }
  });
  drawing.mockRestore();
  expect(written).toEqual([roundKeys([5, 5]).join(), roundKeysFor(true, { seed: 5 })?.join()]);
});

test.each(WARMED)("%s with %o compiles nothing that was warmed", async (name, params) => {
  let compiled: string[] = [];
  const { device: whole, live } = watched(device());
  const own = having(whole, {
    createComputePipelineAsync: (descriptor: GPUComputePipelineDescriptor) => {
      compiled.push(descriptor.label ?? "");
      return whole.createComputePipelineAsync(descriptor);
    },
  });
  const kernels = params.partitioned ? partitioned : routed;
  const options = { capacity: 5000, params, kernels };
  const module = await loadTable(name);
  await warm(module, own, options, ["find"]);
  const few = compiled.length;
  const searched = warm(module, own, options, ["search" as never]);
  await expect(searched).rejects.toThrow(`${name}.warm: no operation search; there are`);
  await warm(module, own, options);
  const all = new Set(compiled);
  expect(live.size).toBe(0);
  expect(compiled.length).toBeGreaterThanOrEqual(few);
  compiled = [];
  const table = (await createTable(own, name, options)) as Whole;
  const n = 4000;
  await using([keysFrom(0, n), n, new Uint32Array(n)], async (...[keys, results, kinds]) => {
    const answers = { keys: keys!, results: results!, n };
    expect(await table.insert({ keys: keys!, values: keys!, n })).toEqual({ stored: n, refused: 0 });
    await table.find(answers);
    expect(await wordsOf(results!)).toEqual(await wordsOf(keys!));
    const slices = [{ first: 0, count: 1, only: "find" as const }];
    await table.mixed?.({ kinds: kinds!, keys: keys!, values: keys!, results: results!, slices });
    await table.erase?.({ keys: keys!, n: 10 });
    await table.flush?.();
    await table.rehash?.();
    await table.size?.();
    await table.clear();
  });
  expect(compiled).toEqual([]);
  expect(all.size).toBeGreaterThan(2);
  table[Symbol.dispose]();
  await expect(table.clear()).rejects.toThrow("the table was destroyed");
});

test("a table takes its further operations by its own module, and no others", async () => {
  const options = { capacity: 100, seed: 1 };
  await using([keysFrom(0, 50), keysFrom(50, 50)], async (...[keys, values]) => {
    const pairs = { keys: keys!, values: values!, n: 50 };
    const own = await quotient.create(device(), options);
    expect(await own.insert(pairs)).toEqual({ stored: 50, refused: 0 });
    expect(await own.erase({ keys: keys!, n: 50 })).toEqual({ erased: 50 });
    expect(["encodeFind", "upsert", "export", "device", "mixed"].filter((name) => name in own)).toEqual([]);
    own.destroy();
    const whole = await quotient.with(recording).with(operations).create(device(), options);
    expect(await whole.upsert({ ...pairs, rule: "add" })).toEqual({ stored: 50, refused: 0 });
    expect(await whole.size()).toBe(50);
    expect("encodeFind" in whole).toBe(true);
    whole.destroy();
  });
  expect(() => twoLevel.with(operations)).toThrow("two-level: these operations are of quotient");
});

test("a partitioned build, whose kernels are loaded apart, stores the pairs", async () => {
  const n = 50_000;
  const keys = Uint32Array.from({ length: n }, (_, i) => Math.imul(i + 1, 0x85ebca6b) >>> 0);
  const options = { capacity: n, params: { partitioned: true } };
  await expect(quotient.create(device(), options)).rejects.toThrow("take the option kernels: partitioned of webgpu");
  await expect(quotient.create(device(), { ...options, kernels: routed })).rejects.toThrow(
    "kernels is not partitioned",
  );
  (await quotient.create(device(), { ...options, seed: 1, kernels: partitioned })).destroy();
  const table = await createTable(device(), "quotient", options);
  await using([keys, n], async (...[k, results]) => {
    expect(await table.insert({ keys: k!, values: k!, n })).toEqual({ stored: n, refused: 0 });
    await table.find({ keys: k!, results: results!, n });
    expect(await wordsOf(results!)).toEqual(keys);
  });
  table.destroy();
});

test.each<[string, object, string]>([
  ["no such name", { name: "quotent" }, "no table quotent, did you mean quotient? There are: bucketed"],
  ["capacity", { capacity: 0.5 }, "quotient: capacity is 0.5; it takes a whole number from 1 to 2^32 - 1"],
  ["load factor", { loadFactor: 0.99 }, "quotient: load factor 0.99 is beyond its 0.95"],
  ["no load factor", { loadFactor: Number.NaN }, "quotient: loadFactor is NaN; it takes a number above 0"],
  ["text", { loadFactor: "0.5" }, 'quotient: loadFactor is "0.5"; it takes a number above 0'],
  ["next to nothing", { loadFactor: 0 }, "quotient: loadFactor is 0; it takes a number above 0"],
  ["keys", { keys: "u64" }, 'quotient: keys is "u64"; it takes "u32"'],
  ["parameter", { params: { reuse: true } }, "quotient has no parameter reuse"],
  ["capacity as text", { capacity: "100" }, 'quotient: capacity is "100"; it takes a whole number from 1 to 2^32 - 1'],
  ["bigint", { loadFactor: 1n }, "quotient: loadFactor is 1n; it takes a number above 0"],
  ["seed as bigint", { seed: 2n }, "quotient: seed is 2n; it takes a u32"],
  ["parameter as bigint", { params: { keyed: 1n } }, "quotient: keyed is 1n; it takes true, false"],
  ["parameter beside params", { keyed: true }, "quotient has no keyed; did you mean params.keyed?"],
])("what cannot be made is refused in words: %s", async (_, wrong, message) => {
  const { name, ...options } = { name: "quotient", capacity: 100, ...wrong };
  const made = createTable(device(), name as "quotient", options);
  await expect(made).rejects.toThrow(UsageError);
  await expect(made).rejects.toThrow(message);
});

test("a capacity beyond memory is refused", async () => {
  const made = createTable(device(), "quotient", { capacity: 2 ** 31 });
  await expect(made).rejects.toThrow(DoesNotFit);
  await expect(made).rejects.toThrow(
    /^quotient of 2147483648 pairs: \d+ bytes|^quotient of 2147483648 pairs: .*memory/,
  );
});

test.each(tableNames)("nothing of %s is left after destroy, whatever it did", async (name) => {
  const { device: own, live } = watched(device());
  const table = await createTable(own, name, { capacity: 1000 });
  await using([Uint32Array.from({ length: 500 }, (_, i) => i), 500], async (...[keys, results]) => {
    for (let n = 1; n < 50; n++) await table.find({ keys: keys!, results: results!, n });
    await table.insert({ keys: keys!, values: keys!, n: 500 });
    await (table as Partial<ErasableTable>).erase?.({ keys: keys!, n: 500 });
    const encoder = own.createCommandEncoder();
    table.encodeClear(encoder);
    table.encodeInsert(encoder, { keys: keys!, values: keys!, n: 500 });
    table.encodeFind(encoder, { keys: keys!, results: results!, n: 500 });
    own.queue.submit([encoder.finish()]);
  });
  expect(live.size).toBeGreaterThan(0);
  table.destroy();
  expect([...live].map(({ label }) => label)).toEqual([]);
});

test("a device that is lost is told as such", async () => {
  const other = await openDawn({ adapter: process.env.HASHBENCH_ADAPTER ?? "", robust: true, toggles: [] });
  const lost = other.device;
  const table = await createTable(lost, "quotient", { capacity: 100 });
  lost.destroy();
  await lost.lost;
  const lostIn = (whose: string) => ({
    name: "DeviceLost",
    message: expect.stringContaining(`${whose}: the device was`),
  });
  await expect(table.clear()).rejects.toMatchObject(lostIn("quotient.clear"));
  const made = createTable(lost, "quotient", { capacity: 100, label: "late" });
  await expect(made).rejects.toThrow(DeviceLost);
  await expect(made).rejects.toMatchObject(lostIn("late"));
  table.destroy();
});
