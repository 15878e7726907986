/** Rows whose keys are there, and all pairs of a table, on buffers of a program's own. */
import { expect, test } from "vitest";
import { testGpu } from "../../bench/device/testing.js";
import { uniform } from "../../datasets/rng.js";
import { DELETED, EMPTY, OUTCOME_BYTES, readOutcome, SIZE_OFFSET, STATES } from "./index.js";
import { buffersOn, createTable, having, keysFrom } from "./testing.js";

const gpu = testGpu();
const device = () => gpu().device;
const { wordsOf, using } = buffersOn(device);

const TABLES = ["quotient", "bucketed", "double-hashing", "linear-probing"] as const;
/** Four of each key. */
const GROUPS = 50;
const keys = Uint32Array.from({ length: 4 * GROUPS }, (_, row) => keysFrom(row % GROUPS, 1)[0] ?? 0);
const values = keys.map((_, row) => row);
const n = keys.length;

test.each(TABLES)("%s: sums of groups are listed, and a key is new once", async (name) => {
  const table = await createTable(device(), name, { capacity: 2 * GROUPS });
  await using([keys, values, n, n, 2 * GROUPS, 2 * GROUPS], async (...buffers) => {
    const [k, v, results, states, listed, sums] = buffers as [GPUBuffer, GPUBuffer, GPUBuffer, ...GPUBuffer[]];
    const pairs = { keys: k, values: v, n };
    const all = { stored: n, refused: 0 };
    expect(await table.upsert({ ...pairs, rule: "add", combine: true })).toEqual(all);
    expect(await table.size()).toBe(GROUPS);
    expect(await table.export({ keys: listed!, values: sums!, n: 2 * GROUPS })).toEqual({ size: GROUPS });
    const [groups, totals] = [await wordsOf(listed!, GROUPS), await wordsOf(sums!, GROUPS)];
    const expected = new Map<number, number>();
    for (const [row, key] of keys.entries()) expected.set(key, (expected.get(key) ?? 0) + row);
    expect(new Map([...groups].map((key, i) => [key, totals[i]]))).toEqual(expected);
    await table.erase({ keys: k, n: GROUPS / 2 });
    // Half of the keys are gone, and come back by the first of their rows to arrive.
    expect(await table.findOrInsert({ ...pairs, results, states: states! })).toEqual(all);
    const [told, said] = [await wordsOf(results, n), await wordsOf(states!, n)];
    expect(said.filter((state) => state === STATES.new).length).toBe(GROUPS / 2);
    await table.find({ keys: k, results: v, n });
    expect(told).toEqual(await wordsOf(v, n));
    expect(told.subarray(GROUPS / 2, GROUPS)).toEqual(
      keys.subarray(GROUPS / 2, GROUPS).map((key) => expected.get(key) ?? EMPTY),
    );
    await table.clear();
    expect(await table.insertAndTell({ ...pairs, n: 3, first: 2, states: states! })).toEqual({ stored: 3, refused: 0 });
    expect([...(await wordsOf(states!, 6))].slice(2, 5)).toEqual([STATES.new, STATES.new, STATES.new]);
    expect(await table.size()).toBe(3);
  });
  table.destroy();
});

test("wrong arguments of rows are refused in the program's terms", async () => {
  const table = await createTable(device(), "bucketed", { capacity: 100, label: "mine" });
  await using([keys, values, n], async (...buffers) => {
    const [k, v, states] = buffers as [GPUBuffer, GPUBuffer, GPUBuffer];
    const rows = { keys: k, values: v, n };
    await expect(table.upsert({ ...rows, rule: "add", combine: "yes" as unknown as boolean })).rejects.toThrow(
      "mine.upsert: combine is a String; it takes true or false",
    );
    await expect(table.upsert({ ...rows, rule: "sum" as "add" })).rejects.toThrow("mine.upsert: rule is sum; it takes");
    await expect(table.findOrInsert(rows)).rejects.toThrow("mine.findOrInsert: results is missing");
    await expect(table.insertAndTell(rows)).rejects.toThrow("mine.insertAndTell: states is missing");
    await expect(table.insertAndTell({ ...rows, states: v })).rejects.toThrow("states and values are one buffer");
    await expect(table.upsert({ ...rows, rule: "add", results: states })).rejects.toThrow("rule add has no results");
    await expect(table.export({ keys: k, values: k, n })).rejects.toThrow("keys and values are one buffer");
    await expect(table.export({ keys: k, values: v, n: n + 1 })).rejects.toThrow("mine.export: keys: the buffer has");
  });
  table.destroy();
});

test.each([
  ["quotient", 1000, "refuse"],
  ["bucketed", 1000, "refuse"],
  ["linear-probing", 4, "grow"],
] as const)("%s of %d pairs: the first or the last row of a key wins", async (name, capacity, onFull) => {
  const table = await createTable(device(), name, { capacity, onFull });
  const random = uniform(3);
  const map = new Map<number, number>();
  for (const [batch, wins] of (["last", "first", "last", "first"] as const).entries()) {
    const [first, n] = [100 * batch, 700];
    // Half of the rows have one of four keys. Values are numbers of other rows, too.
    const keys = Uint32Array.from({ length: first + n }, () => {
      const drawn = random() < 0.5 ? 4 * random() : 300 * random();
      return drawn < 0.1 ? DELETED : (keysFrom(Math.floor(drawn), 1)[0] ?? 0);
    });
    const values = keys.map((_, row) => (random() < 0.1 ? EMPTY : (row + Math.floor(3 * random())) % n));
    const rows = [...keys.keys()].slice(first).filter((row) => keys[row] !== DELETED && values[row] !== EMPTY);
    for (const row of wins === "last" ? rows : rows.toReversed()) map.set(keys[row] ?? 0, values[row] ?? 0);
    await using([keys, values], async (...[k, v]) => {
      const all = { stored: rows.length, refused: n - rows.length };
      expect(await table.insert({ keys: k!, values: v!, n, first, wins })).toEqual(all);
    });
    await using([Uint32Array.from(map.keys()), map.size], async (...[k, results]) => {
      await table.find({ keys: k!, results: results!, n: map.size });
      expect(await wordsOf(results!, map.size)).toEqual(Uint32Array.from(map.values()));
    });
  }
  expect(await table.size()).toBe(map.size);
  table.destroy();
});

test("which row wins is an option of tables with upserts", async () => {
  const tables = [
    await createTable(device(), "bucketed", { capacity: 100 }),
    await createTable(device(), "warpcore", { capacity: 100 }),
  ] as const;
  const [bucketed, warpcore] = tables;
  await using([keys], async (...[k]) => {
    const pairs = { keys: k!, values: k!, n: GROUPS };
    const wrong = { ...pairs, wins: "newest" as "last" };
    await expect(bucketed.insert(wrong)).rejects.toThrow('bucketed.insert: wins is "newest"; it takes "any", "first"');
    expect(await bucketed.insert({ ...pairs, wins: "any" })).toEqual({ stored: GROUPS, refused: 0 });
    expect(await bucketed.insert({ ...pairs, n: 0, wins: "last" })).toEqual({ stored: 0, refused: 0 });
    await expect(warpcore.insert({ ...pairs, wins: "last" } as never)).rejects.toThrow("warpcore.insert has no wins");
    const encoder = device().createCommandEncoder();
    expect(() => bucketed.encodeInsert(encoder, { ...pairs, wins: "last" } as never)).toThrow(
      "encodeInsert has no wins",
    );
  });
  for (const table of tables) table.destroy();
});

test("recorded upserts do what promises do, for a number of rows that the device has", async () => {
  const table = await createTable(device(), "bucketed", { capacity: 2 * GROUPS });
  const [add, find] = [
    await table.recordUpsert({ rule: "add" }),
    await table.recordUpsert({ rule: "first", results: true, states: true }),
  ];
  await using([keys, values, n, n, Uint32Array.of(2 * GROUPS), 64], async (...buffers) => {
    const [k, v, results, states, count, said] = buffers as [
      GPUBuffer,
      GPUBuffer,
      GPUBuffer,
      GPUBuffer,
      ...GPUBuffer[],
    ];
    const pairs = { keys: k, values: v };
    const encoder = device().createCommandEncoder();
    add(encoder, { ...pairs, n: { buffer: count!, most: n } });
    const pass = encoder.beginComputePass();
    find(pass, { ...pairs, n: 3, first: n - 3, results, states }, { buffer: said! });
    pass.end();
    device().queue.submit([encoder.finish()]);
    // Rows i and i + GROUPS have one key.
    expect([...(await wordsOf(results, n))].slice(n - 3)).toEqual([47, 48, 49].map((row) => 2 * row + GROUPS));
    expect([...(await wordsOf(states, n))].slice(n - 3)).toEqual([STATES.found, STATES.found, STATES.found]);
    expect(readOutcome(await wordsOf(said!, OUTCOME_BYTES / 4))).toEqual({
      refused: 0,
      erased: 0,
      size: 0,
      failed: false,
    });
    expect(() => add(encoder, { ...pairs, n, results } as never)).toThrow("bucketed.recordUpsert has no results");
    expect(() => find(encoder, { ...pairs, n, results })).toThrow("bucketed.recordUpsert: states is missing");
    await expect(table.recordUpsert({ rule: "add", results: true })).rejects.toThrow("rule add has no results");
  });
  table.destroy();
});

test("a table of another capacity in its place goes on with the ids, and what was made of the old one says so", async () => {
  const table = await createTable(device(), "bucketed", { capacity: 16 });
  const [number, list] = [await table.recordUpsert({ rule: "id", results: true }), await table.recordExport()];
  const functions = table.device({ functions: ["find"] });
  await using([keys, n], async (...[k, results]) => {
    const rows = { keys: k!, results: results!, rule: "id" } as const;
    await table.upsert({ ...rows, n: 10 });
    await table.rehash({ capacity: 2 * GROUPS });
    expect(await table.upsert({ ...rows, n })).toEqual({ stored: n, refused: 0 });
    expect(new Set((await wordsOf(results!, n)).subarray(0, 10))).toEqual(new Set(Array(10).keys()));
    expect(new Set(await wordsOf(results!, n))).toEqual(new Set(Array(GROUPS).keys()));
    const encoder = device().createCommandEncoder();
    const again = "the table was rehashed; ask for this again";
    expect(() => number(encoder, { keys: k!, results: results!, n })).toThrow(`bucketed.recordUpsert: ${again}`);
    expect(() => list(encoder, { keys: k!, values: results!, n })).toThrow(`bucketed.recordExport: ${again}`);
    expect(() => functions.bindGroup()).toThrow(`bucketed.device: ${again}`);
    table.encodeErase(encoder, { keys: k!, n: 10 });
    table.encodeInsert(encoder, { keys: k!, values: k!, n: 5 });
    table.encodeFind(encoder, { keys: k!, results: results!, n: 10 });
    device().queue.submit([encoder.finish()]);
    expect([...(await wordsOf(results!, 10))]).toEqual([...keys.subarray(0, 5), ...Array<number>(5).fill(EMPTY)]);
    expect(await table.size()).toBe(GROUPS - 5);
    table.device({ functions: ["find"] }).bindGroup();
    await expect(table.rehash({ capacity: 0.5 })).rejects.toThrow("bucketed.rehash: capacity is 0.5; it takes a whole");
    await expect(table.rehash({ size: 1 } as object)).rejects.toThrow("bucketed.rehash has no size");
  });
  table.destroy();
});

test("ids of different keys are 0, 1, 2 …, by a promise and recorded", async () => {
  const table = await createTable(device(), "linear-probing", { capacity: GROUPS });
  const number = await table.recordUpsert({ rule: "id", results: true });
  await using([keys, values, n, Uint32Array.of(n)], async (...buffers) => {
    const [k, v, results, count] = buffers as [GPUBuffer, GPUBuffer, GPUBuffer, GPUBuffer];
    expect(await table.upsert({ keys: k, results, n: GROUPS, rule: "id" })).toEqual({ stored: GROUPS, refused: 0 });
    const ids = await wordsOf(results, GROUPS);
    expect(ids.toSorted()).toEqual(Uint32Array.from({ length: GROUPS }, (_, id) => id));
    const encoder = device().createCommandEncoder();
    number(encoder, { keys: k, results, n: { buffer: count, most: n } });
    device().queue.submit([encoder.finish()]);
    expect(await wordsOf(results, n)).toEqual(Uint32Array.from({ length: n }, (_, row) => ids[row % GROUPS] ?? 0));
    expect(() => number(encoder, { keys: k, values: v, results, n })).toThrow("recordUpsert has no values");
  });
  table.destroy();
});

// Quotient has a kernel of its own for it.
test.each(["bucketed", "quotient"] as const)(
  "%s: a recorded export, whose size the next commands take",
  async (name) => {
    const table = await createTable(device(), name, { capacity: 2 * GROUPS });
    const list = await table.recordExport();
    await using([keys, values, GROUPS, GROUPS, GROUPS, 8, 8], async (...buffers) => {
      const [k, v, listed, own, results, said, some] = buffers as [GPUBuffer, GPUBuffer, GPUBuffer, ...GPUBuffer[]];
      const room = { keys: listed, values: own! };
      const encoder = device().createCommandEncoder();
      table.encodeInsert(encoder, { keys: k, values: v, n: GROUPS - 5 });
      list(encoder, { ...room, n: GROUPS }, { buffer: said! });
      const n = { buffer: said!, offset: SIZE_OFFSET, most: GROUPS };
      table.encodeFind(encoder, { keys: listed, results: results!, n });
      const pass = encoder.beginComputePass();
      list(pass, { keys: results!, values: own!, n: 0 }, { buffer: some! });
      pass.end();
      device().queue.submit([encoder.finish()]);
      const found = await wordsOf(results!, GROUPS);
      expect(found.subarray(0, GROUPS - 5).toSorted()).toEqual(values.slice(0, GROUPS - 5).toSorted());
      expect(found).toEqual(await wordsOf(own!, GROUPS));
      expect(found.subarray(GROUPS - 5)).toEqual(new Uint32Array(5));
      for (const outcome of [said!, some!])
        expect(readOutcome(await wordsOf(outcome, OUTCOME_BYTES / 4))).toMatchObject({
          size: GROUPS - 5,
          failed: false,
        });
      expect(() => list(encoder, { ...room, n: GROUPS + 1 })).toThrow(`${name}.recordExport: keys: the buffer has`);
      expect(() => list(encoder, { keys: own!, values: own!, n: 1 })).toThrow("keys and values are one buffer");
    });
    table.destroy();
  },
);

test("what a device binds too little for is said in one line, with the limit to ask for", async () => {
  const { limits: all } = device();
  const limits = having(all, { maxStorageBuffersPerShaderStage: 8, maxStorageBufferBindingSize: 4096 });
  const few = having(device(), { limits });
  // In four buffers.
  const table = await createTable(few, "bucketed", { capacity: 1500 });
  await using([keys, values, n, n], async (...buffers) => {
    const [k, v, results, states] = buffers as [GPUBuffer, GPUBuffer, GPUBuffer, GPUBuffer];
    const pairs = { keys: k, values: v, n };
    for (let again = 0; again < 2; again++)
      await expect(table.findOrInsert({ ...pairs, results, states })).rejects.toThrow(
        "upsert needs 10 storage buffers; this device has 8: limit maxStorageBuffersPerShaderStage",
      );
    expect(await table.upsert({ ...pairs, rule: "add" })).toEqual({ stored: n, refused: 0 });
    expect(await table.size()).toBe(GROUPS);
  });
  table.destroy();
  for (const name of ["gph", "two-level", "bucketed"] as const)
    await expect(createTable(few, name, { capacity: 10_000 }), name).rejects.toThrow(
      /^[\w-]+ of 10000 pairs: .*binds.*: limits maxStorageBufferBindingSize and maxBufferSize$/,
    );
});
