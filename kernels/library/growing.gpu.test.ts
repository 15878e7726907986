/** Tables that grow, against a Map: they begin much too small. */
import { expect, test } from "vitest";
import { testGpu } from "../../bench/device/testing.js";
import { uniform } from "../../datasets/rng.js";
import {
  DELETED,
  DoesNotFit,
  EMPTY,
  type ErasableTable,
  type ExportableTable,
  STATES,
  type Table,
  type TableName,
  type TableOptions,
  type UpsertingTable,
} from "./index.js";
import { buffersOn, createTable, having, keysFrom, watched } from "./testing.js";

const gpu = testGpu();
const device = () => gpu().device;
const { wordsOf, using } = buffersOn(device);

const isRow = (key: number, value: number) => key < DELETED && value !== EMPTY;

const cases: [TableName, Partial<TableOptions>][] = [
  ["quotient", { loadFactor: 0.95 }],
  ["bucketed", { params: { partitioned: true } }],
  ["linear-probing", {}],
  ["warpcore", { loadFactor: 1 }],
];

test.each(cases)("%s with %o grows, and has what a Map has", async (name, options) => {
  const made: Table = await createTable(device(), name, {
    capacity: 5,
    onFull: "grow",
    ...options,
  });
  const table = made as ErasableTable & ExportableTable & Partial<UpsertingTable>;
  const random = uniform(7);
  const below = (most: number) => Math.floor(random() * most);
  const map = new Map<number, number>();
  for (let round = 0; round < 12; round++) {
    const first = below(200);
    const n = 1 + below(600);
    // One of them has a quarter of the rows.
    const keys = Uint32Array.from({ length: first + n }, () => {
      const drawn = below(round < 6 ? 400 : 3000);
      if (drawn === 0) return EMPTY - below(2);
      return keysFrom(below(4) === 0 ? 1 : drawn, 1)[0] ?? 0;
    });
    // One per key and round.
    const values = keys.map((key) => (key % 97 === 0 ? EMPTY : (key ^ round) >>> 1));
    const rows = [...keys.keys()].slice(first).map((i): [number, number] => [keys[i] ?? 0, values[i] ?? 0]);
    const taken = rows.filter(([key, value]) => isRow(key, value));
    const all = { stored: taken.length, refused: n - taken.length };
    await using([keys, values, first + n, first + n], async (...[k, v, results, states]) => {
      const given = { keys: k!, values: v!, n, first };
      const kind = table.upsert ? round % 4 : 0;
      if (kind === 0) {
        expect(await table.insert(given)).toEqual(all);
        for (const [key, value] of taken) map.set(key, value);
      } else if (kind < 3) {
        expect(await table.upsert?.({ ...given, rule: "add", combine: kind === 2 })).toEqual(all);
        for (const [key, value] of taken) map.set(key, ((map.get(key) ?? 0) + value) >>> 0);
      } else {
        expect(await table.findOrInsert?.({ ...given, results: results!, states: states!, combine: true })).toEqual(
          all,
        );
        const [told, said] = [await wordsOf(results!, first + n), await wordsOf(states!, first + n)];
        const fresh = new Set(taken.map(([key]) => key).filter((key) => !map.has(key)));
        for (const [key, value] of taken) if (fresh.has(key)) map.set(key, value);
        expect([...told].slice(first)).toEqual(rows.map(([key, value]) => (isRow(key, value) ? map.get(key) : EMPTY)));
        const became = [...said].slice(first);
        expect(became.filter((state) => state === STATES.new).length).toBe(fresh.size);
        expect(became.filter((state) => state === STATES.refused).length).toBe(all.refused);
      }
      if (round % 5 === 4) {
        await table.erase({ keys: k!, n, first });
        for (const [key] of rows) map.delete(key);
      }
    });
    expect(await table.size()).toBe(map.size);
    await using([Uint32Array.from(map.keys()), map.size], async (...[k, results]) => {
      await table.find({ keys: k!, results: results!, n: map.size });
      expect(await wordsOf(results!, map.size)).toEqual(Uint32Array.from(map.values()));
    });
  }
  expect(table.capacity).toBeGreaterThan(640);
  // Twice as large is enough.
  expect(table.capacity).toBeLessThan(8 * map.size);
  table.destroy();
});

test("rows come in pieces where a full table would look at too many slots", async () => {
  const table = await createTable(device(), "bucketed", { capacity: 100_000, onFull: "grow" });
  const [n, first] = [300_000, 37];
  const keys = keysFrom(0, first + n).map((key, row, all) => (row >= 200_000 ? (all[row - 150_000] ?? 0) : key));
  await using([keys, Uint32Array.from(keys.keys()), first + n], async (...[k, v, states]) => {
    const given = { keys: k!, values: v!, states: states!, n, first };
    await table.insert({ keys: k!, values: v!, n: 90_000 });
    expect(await table.upsert({ ...given, rule: "add" })).toEqual({ stored: n, refused: 0 });
    const sums = new Map([...keys.subarray(0, 90_000)].map((key, row) => [key, row]));
    for (let row = first; row < first + n; row++) sums.set(keys[row] ?? 0, (sums.get(keys[row] ?? 0) ?? 0) + row);
    const said = (await wordsOf(states!)).subarray(first);
    expect(said.filter((state) => state === STATES.new).length).toBe(sums.size - 90_000);
    await table.find({ keys: k!, results: v!, n: first + n });
    expect(await wordsOf(v!)).toEqual(keys.map((key) => sums.get(key) ?? 0));
    expect([table.capacity, await table.size()]).toEqual([400_000, sums.size]);
  });
  table.destroy();
});

test("a table that grows goes on with its ids", async () => {
  const table = await createTable(device(), "bucketed", { capacity: 4, onFull: "grow" });
  const keys = Uint32Array.from({ length: 500 }, (_, row) => keysFrom(row % 100, 1)[0] ?? 0);
  await using([keys, 500], async (...[k, results]) => {
    for (const n of [10, 500]) {
      const all = { stored: n, refused: 0 };
      expect(await table.upsert({ keys: k!, results: results!, n, rule: "id", combine: true })).toEqual(all);
    }
    const ids = await wordsOf(results!, 500);
    expect([...ids.subarray(0, 10)].sort((a, b) => a - b)).toEqual([...Array(10).keys()]);
    expect([...ids.subarray(0, 100)].sort((a, b) => a - b)).toEqual([...Array(100).keys()]);
    expect(ids).toEqual(ids.map((_, row) => ids[row % 100] ?? 0));
  });
  table.destroy();
});

test("where memory ends the table keeps what it has, and takes rows whose keys are there", async () => {
  // For 2048 slots.
  const limits = having(device().limits, { maxStorageBuffersPerShaderStage: 10, maxStorageBufferBindingSize: 4096 });
  const { device: own, live } = watched(having(device(), { limits }));
  const table = await createTable(own, "linear-probing", { capacity: 100, onFull: "grow" });
  await using([keysFrom(0, 1000), keysFrom(1000, 1000), keysFrom(2000, 1000), 1000, 1000], async (...buffers) => {
    const [one, two, three, results, states] = buffers as [GPUBuffer, GPUBuffer, GPUBuffer, GPUBuffer, GPUBuffer];
    const rows = (keys: GPUBuffer) => ({ keys, values: keys, n: 1000 });
    for (const keys of [one, two, one, two])
      expect(await table.insert(rows(keys))).toEqual({ stored: 1000, refused: 0 });
    await expect(table.insertAndTell({ ...rows(three), states })).rejects.toThrow(DoesNotFit);
    const said = await wordsOf(states);
    expect(said.filter((state) => state === STATES.new).length).toBe(48);
    expect([await table.size(), table.slots]).toEqual([2048, 2048]);
    await table.find({ keys: three, results, n: 1000 });
    const keys = await wordsOf(three);
    expect(await wordsOf(results)).toEqual(keys.map((key, row) => (said[row] === STATES.new ? key : EMPTY)));
    await expect(table.insert(rows(three))).rejects.toThrow(
      /^linear-probing of \d+ pairs: \d+ bytes: the device binds/,
    );
    expect(await table.insert(rows(two))).toEqual({ stored: 1000, refused: 0 });
    expect(await table.upsert({ ...rows(one), rule: "max" })).toEqual({ stored: 1000, refused: 0 });
  });
  table.destroy();
  expect([...live].map(({ label }) => label)).toEqual([]);
});

test("what cannot grow says so in one line", async () => {
  const table = await createTable(device(), "bucketed", { capacity: 100, label: "mine", onFull: "grow" });
  const message = 'only promises can make the table larger, which has onFull: "grow"';
  await using([keysFrom(0, 50), 50], async (...[keys, results]) => {
    const encoder = device().createCommandEncoder();
    const pairs = { keys: keys!, values: keys!, n: 50 };
    expect(() => table.encodeInsert(encoder, pairs)).toThrow(`mine.encodeInsert: ${message}`);
    await expect(table.recordUpsert({ rule: "add" })).rejects.toThrow(`mine.recordUpsert: ${message}`);
    expect(() => table.device({ functions: ["find", "insert"] })).toThrow(`mine.device: ${message}`);
    table.device({ functions: ["find", "erase"] }).bindGroup();
    await table.insert(pairs);
    table.encodeFind(encoder, { keys: keys!, results: results!, n: 50 });
    device().queue.submit([encoder.finish()]);
    expect(await wordsOf(results!, 50)).toEqual(keysFrom(0, 50));
  });
  table.destroy();
  const made = (name: TableName, onFull: string) =>
    createTable(device(), name, { capacity: 10, onFull: onFull as "grow" });
  await expect(made("bucketed", "double")).rejects.toThrow('bucketed: onFull is "double"; it takes "refuse" or "grow"');
  await expect(made("cuckoo", "grow")).rejects.toThrow("cuckoo has no onFull");
});
