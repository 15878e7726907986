/** Recorded operations of tables whose host has a part in those of promises: pools that grow, builds, and what cannot be recorded. */
import { expect, test } from "vitest";
import { testGpu } from "../../bench/device/testing.js";
import { drawBuckets } from "../two-level/buckets.js";
import { EMPTY, type TableName, type TableOptions, tableNames, UsageError } from "./index.js";
import { buffersOn, type Commands, commandsOn, createTable, keysFrom } from "./testing.js";

const gpu = testGpu();
const device = () => gpu().device;
const { wordsOf, using } = buffersOn(device);
const { submit, Outcomes } = commandsOn(device);

const BUILT = ["cuckoo", "two-level"] as const;
const places = BUILT.flatMap((name) => (["encoder", "pass"] as const).map((where) => [name, where] as const));

test.each(places)("%s, %s: a build that failed says so, and the table has to be cleared", async (name, where) => {
  const n = 700;
  const table = await createTable(device(), name, { capacity: n, loadFactor: 0.5 });
  const outcomes = new Outcomes(2);
  await using([new Uint32Array(n).fill(5), keysFrom(0, n), n], async (...[equal, keys, results]) => {
    const [fails, pairs] = [equal!, keys!].map((k) => ({ keys: k, values: k, n }));
    submit(where, (commands) => table.encodeInsert(commands, fails!, outcomes.next()));
    const again = () => submit(where, (commands) => table.encodeInsert(commands, pairs!));
    expect(again).toThrow(UsageError);
    expect(again).toThrow(`${name}: an insertion builds the table, which has to be cleared before`);
    await expect(table.insert(pairs!)).rejects.toThrow("has to be cleared before");
    submit(where, (commands) => {
      table.encodeClear(commands);
      table.encodeInsert(commands, pairs!, outcomes.next());
      table.encodeFind(commands, { keys: keys!, results: results!, n });
    });
    expect(await wordsOf(results!, n)).toEqual(keysFrom(0, n));
    expect((await outcomes.read()).map(({ failed }) => failed)).toEqual([true, false]);
    await table.clear();
    expect(await table.insert(pairs!)).toEqual({ stored: n, refused: 0 });
  });
  outcomes.destroy();
  table.destroy();
});

/** Keys of which 600 are of one bucket, by the functions of the first attempt: it has room for 512. */
function crowded(seed: number, buckets: number): Uint32Array {
  const { a, b } = drawBuckets(seed, 0);
  const keys: number[] = [];
  for (let i = 0; keys.length < 600; i++) {
    const [key = 0] = keysFrom(i, 1);
    const hash = (((a ^ key) >>> 0) + b) % 2 ** 32;
    if ((hash % 334214459) % buckets === 0) keys.push(key);
  }
  return Uint32Array.from(keys);
}

interface Hard {
  readonly name: (typeof BUILT)[number];
  readonly where: "encoder" | "pass";
  readonly options: TableOptions;
  readonly keys: Uint32Array;
}
/** Some of these builds cannot succeed at the first attempt. */
const hard: readonly Hard[] = [
  { name: "two-level", where: "encoder", options: { capacity: 1200 }, keys: crowded(1, 3) },
  { name: "two-level", where: "pass", options: { capacity: 1200, seed: 9 }, keys: crowded(9, 3) },
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((seed) => {
    const options = { capacity: 40, loadFactor: 0.47, seed, params: { functions: 2 } };
    return { name: "cuckoo", where: seed % 2 ? "encoder" : "pass", options, keys: keysFrom(seed, 40) } as const;
  }),
];

test("builds that fail are recorded again, with other functions, until they succeed; promises then search by these", async () => {
  const failures: Record<string, number> = {};
  for (const { name, where, options, keys } of hard) {
    const table = await createTable(device(), name, options);
    const n = keys.length;
    await using([keys, n], async (...[k, results]) => {
      const pairs = { keys: k!, values: k!, n };
      let failed = true;
      for (let attempt = 0; failed && attempt < 100; attempt++) {
        const outcomes = new Outcomes(1);
        submit(where, (commands) => {
          table.encodeClear(commands);
          table.encodeInsert(commands, pairs, outcomes.next());
          table.encodeFind(commands, { keys: k!, results: results!, n });
        });
        failed = (await outcomes.read()).some((outcome) => outcome.failed);
        failures[name] = (failures[name] ?? 0) + Number(failed);
        outcomes.destroy();
      }
      expect(failed).toBe(false);
      expect(await wordsOf(results!, n)).toEqual(keys);
      await table.find({ keys: k!, results: results!, n });
      expect(await wordsOf(results!, n)).toEqual(keys);
      // Of a promise, with its own functions.
      await table.clear();
      expect(await table.insert(pairs)).toEqual({ stored: n, refused: 0 });
      submit(where, (commands) => table.encodeFind(commands, { keys: k!, results: results!, n }));
      expect(await wordsOf(results!, n)).toEqual(keys);
    });
    table.destroy();
  }
  expect(failures.cuckoo).toBeGreaterThan(0);
  expect(failures["two-level"]).toBeGreaterThan(1);
});

test.each(BUILT)(
  "%s: builds of more pairs than the capacity are a promise's, and do not hinder recorded ones",
  async (name) => {
    const table = await createTable(device(), name, { capacity: 100, loadFactor: 0.4 });
    const keys = keysFrom(0, 150);
    await using([keys, 150], async (...[k, results]) => {
      const pairs = { keys: k!, values: k! };
      const record = (n: number) => (commands: Commands) => {
        table.encodeInsert(commands, { ...pairs, n });
        table.encodeFind(commands, { keys: k!, results: results!, n: 150 });
      };
      expect(await table.insert({ ...pairs, n: 150 })).toEqual({ stored: 150, refused: 0 });
      await table.clear();
      submit("encoder", record(100));
      expect(await wordsOf(results!)).toEqual(keys.map((key, i) => (i < 100 ? key : EMPTY)));
      expect(() => submit("encoder", record(100))).toThrow("has to be cleared before");
      submit("encoder", (commands) => table.encodeClear(commands));
      expect(() => submit("encoder", record(101))).toThrow(UsageError);
      expect(() => submit("encoder", (commands) => table.encodeInsert(commands, { ...pairs, n: 9, first: 1 }))).toThrow(
        `${name}: first is 1; a build begins with the first pair`,
      );
      submit("pass", record(50));
      expect(await wordsOf(results!)).toEqual(keys.map((key, i) => (i < 50 ? key : EMPTY)));
    });
    table.destroy();
  },
);

test.each(["quotient", "bucketed"] as const)(
  "%s, partitioned: an insertion of a promise keeps what a recorded one has stored before",
  async (name) => {
    const n = 6000;
    const table = await createTable(device(), name, { capacity: n, params: { partitioned: true } });
    const keys = keysFrom(0, n);
    await using([keys, keysFrom(n / 2, n / 2), n], async (...[k, later, results]) => {
      submit("encoder", (commands) => table.encodeInsert(commands, { keys: k!, values: k!, n: n / 2 }));
      expect(await table.insert({ keys: later!, values: later!, n: n / 2 })).toEqual({ stored: n / 2, refused: 0 });
      await table.find({ keys: k!, results: results!, n });
      expect(await wordsOf(results!, n)).toEqual(keys);
    });
    table.destroy();
  },
);

test("slab-hash: insertions of promises grow the pool, and what is recorded then has the slabs of now", async () => {
  const table = await createTable(device(), "slab-hash", { capacity: 100, params: { buckets: 500 } });
  const n = 30_000;
  const keys = keysFrom(0, n + 3000);
  const { bytes } = table;
  const outcomes = new Outcomes(2);
  await using([keys, keys.length], async (...[k, results]) => {
    expect(await table.insert({ keys: k!, values: k!, n })).toEqual({ stored: n, refused: 0 });
    expect(table.bytes).toBeGreaterThan(bytes);
    for (const where of ["encoder", "pass"] as const) {
      submit(where, (commands) => {
        table.encodeInsert(commands, { keys: k!, values: k!, n: 3000, first: n }, outcomes.next());
        table.encodeFind(commands, { keys: k!, results: results!, n: keys.length });
      });
      expect(await wordsOf(results!, keys.length)).toEqual(keys);
    }
    submit("encoder", (commands) => {
      table.encodeClear(commands);
      table.encodeFind(commands, { keys: k!, results: results!, n: keys.length });
    });
    expect(new Set(await wordsOf(results!, keys.length))).toEqual(new Set([EMPTY]));
  });
  expect((await outcomes.read()).map(({ refused }) => refused)).toEqual([0, 0]);
  outcomes.destroy();
  table.destroy();
});

test("stash: searches and erasures are right in whatever order they were recorded and run", async () => {
  const table = await createTable(device(), "stash", { capacity: 1000, loadFactor: 0.9 });
  const keys = keysFrom(0, 1000);
  const rest = keys.map((key, i) => (i < 500 ? EMPTY : key));
  await using([keys, 1000, 1000], async (...[k, results, others]) => {
    const [pairs, half] = [
      { keys: k!, values: k!, n: 1000 },
      { keys: k!, n: 500 },
    ];
    const recorded = (record: (encoder: GPUCommandEncoder) => void) => {
      const encoder = device().createCommandEncoder();
      record(encoder);
      return encoder.finish();
    };
    const find = (encoder: GPUCommandEncoder) => table.encodeFind(encoder, { keys: k!, results: results!, n: 1000 });
    const promised = async () => {
      await table.find({ keys: k!, results: others!, n: 1000 });
      return wordsOf(others!);
    };
    // Recorded before keys are erased, by a promise.
    const early = recorded(find);
    await table.insert(pairs);
    expect(await table.erase(half)).toEqual({ erased: 500 });
    device().queue.submit([early]);
    expect(await wordsOf(results!)).toEqual(rest);
    expect(await promised()).toEqual(rest);
    // Recorded before the table is cleared, by a promise.
    const erasing = recorded((encoder) => table.encodeErase(encoder, half));
    await table.clear();
    await table.insert(pairs);
    device().queue.submit([erasing, recorded(find)]);
    expect(await wordsOf(results!)).toEqual(rest);
    expect(await promised()).toEqual(rest);
    // Recorded, and not submitted.
    recorded((encoder) => table.encodeClear(encoder));
    device().queue.submit([recorded(find)]);
    expect(await wordsOf(results!)).toEqual(rest);
    expect(await promised()).toEqual(rest);
  });
  table.destroy();
});

test.each(["dycuckoo", "gph", ...BUILT] as const)(
  "%s: what is recorded inserts no more pairs than the capacity",
  async (name) => {
    const table = await createTable(device(), name, { capacity: 100 });
    await using([1000], async (...[keys]) => {
      const encoder = device().createCommandEncoder();
      const insert = (n: number, first = 0) => table.encodeInsert(encoder, { keys: keys!, values: keys!, n, first });
      expect(() => insert(101)).toThrow(UsageError);
      expect(() => insert(101)).toThrow("n is 101; an insertion that is recorded takes 100 pairs at most");
      insert(100, name === "dycuckoo" || name === "gph" ? 900 : 0);
    });
    table.destroy();
  },
);

test.each<[TableName, TableOptions["params"], number]>([
  ["dycuckoo", { resize: true }, 100],
  ["gph", { index: "workgroup" }, 400],
])("%s with %o stores 400 pairs from a capacity of %d on, and cannot be recorded", async (name, params, capacity) => {
  const table = await createTable(device(), name, { capacity, params: params ?? {} });
  const keys = keysFrom(7, 400);
  await using([keys, 400], async (...[k, results]) => {
    expect(await table.insert({ keys: k!, values: k!, n: 400 })).toEqual({ stored: 400, refused: 0 });
    await table.find({ keys: k!, results: results!, n: 400 });
    expect(await wordsOf(results!)).toEqual(keys);
  });
  expect(Object.keys(table).filter((member) => member.startsWith("encode"))).toEqual([]);
  expect(typeof table.insert).toBe("function");
  table.destroy();
});

test("all tables are recorded with their defaults; their keys are erased by commands where promises erase them", async () => {
  for (const name of tableNames) {
    const table = await createTable(device(), name, { capacity: 10 });
    expect(typeof table.encodeInsert, name).toBe("function");
    expect("encodeErase" in table, name).toBe("erase" in table);
    table.destroy();
  }
});
