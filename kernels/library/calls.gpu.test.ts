/** What a program may do between its calls: use its buffers and arguments again, in whatever order, for as long as it likes. */
import { expect, test } from "vitest";
import { testGpu } from "../../bench/device/testing.js";
import {
  EMPTY,
  type ErasableTable,
  type ExportableTable,
  type FlushableTable,
  type RecordableErasableTable,
  type TableName,
  type TableOptions,
  tableNames,
  UsageError,
} from "./index.js";
import { buffersOn, commandsOn, createTable, having, keysFrom, watched } from "./testing.js";

const gpu = testGpu();
const device = () => gpu().device;
const { bufferOf, wordsOf, using } = buffersOn(device);
const { submit, Outcomes } = commandsOn(device);

/** Tables in whose promises the host has no part. */
const DIRECT = ["quotient", "bucketed", "double-hashing", "linear-probing", "warpcore", "warpdrive", "stash"] as const;

test.each(DIRECT)("%s: what is written to a buffer after a call is read by the next one", async (name) => {
  const table = await createTable(device(), name, { capacity: 100 });
  const [one, two] = [keysFrom(0, 4), keysFrom(4, 4)];
  await using([one, [...one, ...two].length, 8], async (...[keys, , results]) => {
    const write = (words: Uint32Array) => device().queue.writeBuffer(keys!, 0, words as Uint32Array<ArrayBuffer>);
    const pairs = { keys: keys!, values: keys!, n: 4 };
    const first = table.insert(pairs);
    write(two);
    const second = table.insert(pairs);
    const early = table.find({ keys: keys!, results: results!, n: 4 });
    write(one);
    const late = table.find({ keys: keys!, results: results!, n: 2, first: 1 });
    const erased = table.erase({ keys: keys!, n: 1, first: 3 });
    // Submitted after the searches were called.
    const copy = bufferOf(4);
    const encoder = device().createCommandEncoder();
    encoder.copyBufferToBuffer(results!, 0, copy, 0, 16);
    device().queue.submit([encoder.finish()]);
    expect(await wordsOf(copy, 4)).toEqual(Uint32Array.of(two[0]!, one[1]!, one[2]!, two[3]!));
    expect(await Promise.all([first, second, early, late, erased])).toEqual([
      { stored: 4, refused: 0 },
      { stored: 4, refused: 0 },
      undefined,
      undefined,
      { erased: 1 },
    ]);
    copy.destroy();
    const asked = Uint32Array.from([...one, ...two]);
    await using([asked], async (...[queries]) => {
      await table.find({ keys: queries!, results: results!, n: 8 });
      expect(await wordsOf(results!, 8)).toEqual(asked.map((key, i) => (i === 3 ? EMPTY : key)));
    });
  });
  table.destroy();
});

test("arguments may be changed, and buffers destroyed, after a call", async () => {
  const table = await createTable(device(), "quotient", { capacity: 100 });
  const keys = bufferOf(keysFrom(0, 4));
  const pairs = { keys, values: keys, n: 2, first: 0 };
  const first = table.insert(pairs);
  pairs.first = 2;
  const second = table.insert(pairs);
  keys.destroy();
  expect(await Promise.all([first, second])).toEqual([
    { stored: 2, refused: 0 },
    { stored: 2, refused: 0 },
  ]);
  await using([keysFrom(0, 5), 5], async (...[queries, results]) => {
    await table.find({ keys: queries!, results: results!, n: 5 });
    expect(await wordsOf(results!, 5)).toEqual(keysFrom(0, 5).map((key, i) => (i < 4 ? key : EMPTY)));
  });
  table.destroy();
});

test.each(tableNames)("%s: calls that are not waited for run in their order", async (name) => {
  const n = 900;
  const table = await createTable(device(), name, { capacity: n });
  const { erase = async () => ({ erased: 0 }) } = table as Partial<ErasableTable>;
  await using([keysFrom(0, n), n, n, n, n], async (...[keys, ...results]) => {
    const find = (i: number) => table.find({ keys: keys!, results: results[i]!, n });
    const pairs = { keys: keys!, values: keys!, n };
    await Promise.all([
      table.insert(pairs),
      find(0),
      erase({ keys: keys!, n: 300 }),
      // What goes on once the first one has ended comes after all that was called.
      find(1).then(() => table.find({ keys: keys!, results: results[3]!, n, first: 0 })),
      table.clear(),
      find(2),
      table.insert(pairs),
    ]);
    const stored = keysFrom(0, n);
    expect(await wordsOf(results[0]!, n)).toEqual(stored);
    expect(await wordsOf(results[1]!, n)).toEqual(stored.map((key, i) => ("erase" in table && i < 300 ? EMPTY : key)));
    expect(new Set(await wordsOf(results[2]!, n))).toEqual(new Set([EMPTY]));
    expect(await wordsOf(results[3]!, n)).toEqual(stored);
  });
  table.destroy();
});

test.each(tableNames)("%s: operations begin at the first item that they are told", async (name) => {
  const n = 700;
  for (const params of name === "gph" ? [{}, { index: "workgroup" }] : [{}]) {
    const table = await createTable(device(), name, { capacity: n, params });
    const { erase, encodeErase } = table as Partial<RecordableErasableTable>;
    const keys = keysFrom(0, n);
    const blank = new Uint32Array(n).fill(7);
    await using([keys, blank, blank], async (...[k, ...results]) => {
      await table.insert({ keys: k!, values: k!, n });
      await table.find({ keys: k!, results: results[0]!, n: 301, first: 57 });
      const expected = blank.map((word, i) => (i >= 57 && i < 358 ? keys[i]! : word));
      expect(await wordsOf(results[0]!, n)).toEqual(expected);
      if (!("encodeFind" in table)) return;
      submit("pass", (pass) => table.encodeFind(pass, { keys: k!, results: results[1]!, n: 301, first: 57 }));
      expect(await wordsOf(results[1]!, n)).toEqual(expected);
      if (!erase || !encodeErase) return;
      expect(await erase({ keys: k!, n: 100, first: 57 })).toEqual({ erased: 100 });
      submit("encoder", (encoder) => encodeErase(encoder, { keys: k!, n: 100, first: 500 }));
      await table.find({ keys: k!, results: results[0]!, n });
      const gone = (i: number) => (i >= 57 && i < 157) || (i >= 500 && i < 600);
      expect(await wordsOf(results[0]!, n)).toEqual(keys.map((key, i) => (gone(i) ? EMPTY : key)));
    });
    table.destroy();
  }
});

test("operations on ever other numbers of items leave no buffers, and all are freed", async () => {
  const { device: own, live } = watched(device());
  const table = await createTable(own, "quotient", { capacity: 4000 });
  const before = live.size;
  await using([keysFrom(0, 1100), 1100], async (...[keys, results]) => {
    for (let n = 1; n <= 1000; n++) {
      const encoder = own.createCommandEncoder();
      table.encodeFind(encoder, { keys: keys!, results: results!, n });
      own.queue.submit([encoder.finish()]);
      if (n % 10 === 0) await table.find({ keys: keys!, results: results!, n, first: 100 });
    }
  });
  expect(live.size - before).toBeLessThan(25);
  table.destroy();
  expect([...live].map(({ label }) => label)).toEqual([]);
});

const CACHES = tableNames.filter((name) => !["gph", "cuckoo", "two-level"].includes(name));

test.each(CACHES)("%s takes new keys for as long as old ones are erased, by promises and by commands", async (name) => {
  const table = (await createTable(device(), name, { capacity: 1000 })) as RecordableErasableTable;
  const { bytes } = table;
  const ROUNDS = 40;
  const outcomes = new Outcomes(2 * ROUNDS);
  let refused = 0;
  for (let round = 0; round < ROUNDS; round++) {
    await using([keysFrom(500 * round, 500)], async (...[keys]) => {
      const [pairs, erasures] = [
        { keys: keys!, values: keys!, n: 500 },
        { keys: keys!, n: 500 },
      ];
      if (round % 2 === 0) {
        submit("encoder", (encoder) => {
          table.encodeInsert(encoder, pairs, outcomes.next());
          table.encodeErase(encoder, erasures, outcomes.next());
        });
        await device().queue.onSubmittedWorkDone();
      } else {
        refused += (await table.insert(pairs)).refused;
        expect(await table.erase(erasures)).toEqual({ erased: 500 });
      }
    });
  }
  expect(refused).toBe(0);
  for (const outcome of await outcomes.read()) expect(outcome).toMatchObject({ refused: 0, failed: false });
  expect(table.bytes).toBe(bytes);
  outcomes.destroy();
  table.destroy();
});

/** Bytes that the device binds. */
const ALL = 2 ** 27;
const EXPORTING = [
  "bucketed",
  "double-hashing",
  "crystal",
  "linear-probing",
  "warpcore",
  "warpdrive",
  "quotient",
] as const;
const rehashes: [TableName, TableOptions["params"] & object, number][] = [
  ...EXPORTING.map((name): (typeof rehashes)[number] => [name, {}, ALL]),
  ["quotient", {}, 2 ** 14],
  ["warpcore", { pairs: "beside" }, ALL],
  ["warpcore", { group: 32 }, ALL],
  ["bucketed", { partitioned: true }, ALL],
  ["double-hashing", {}, 2 ** 14],
];

test.each(rehashes)("%s with %o, %s: a rehash keeps the pairs, and removes the marks", async (name, params, most) => {
  const limits = having(device().limits, { maxStorageBufferBindingSize: most });
  const { device: own, live } = watched(having(device(), { limits }));
  const table = (await createTable(own, name, { capacity: 3000, params })) as RecordableErasableTable & ExportableTable;
  const keys = keysFrom(0, 2500);
  const rest = keys.map((key, i) => (i < 1500 ? EMPTY : key));
  const marks = async () => {
    let count = 0;
    for (const one of live)
      if (one.label.includes("bank")) count += (await wordsOf(one)).filter((word) => word === 0xfffffffe).length;
    return count;
  };
  await using([keys, 2500], async (...[k, results]) => {
    const check = async () => {
      await table.find({ keys: k!, results: results!, n: 2500 });
      expect(await wordsOf(results!, 2500)).toEqual(rest);
    };
    await table.insert({ keys: k!, values: k!, n: 2500 });
    await table.erase({ keys: k!, n: 1500 });
    // Quotient's erased slots are free ones.
    expect(await marks()).toBe(name === "quotient" ? 0 : 1500);
    const buffers = live.size;
    const done = table.rehash();
    // It comes after what was called before, and before what is called then.
    const found = table.find({ keys: k!, results: results!, n: 2500 });
    await Promise.all([done, found]);
    expect(await wordsOf(results!, 2500)).toEqual(rest);
    expect(await marks()).toBe(0);
    expect(live.size).toBeLessThan(buffers + 4);
    await check();
    expect(await table.erase({ keys: k!, n: 2500 })).toEqual({ erased: 1000 });
    await table.rehash();
    expect(await marks()).toBe(0);
    expect(await table.insert({ keys: k!, values: k!, n: 1000, first: 1500 })).toEqual({ stored: 1000, refused: 0 });
    await check();
    const { bytes, slots } = table;
    const whole = most === ALL;
    if (whole) await table.rehash({ capacity: 20_000 });
    expect(table.capacity).toBe(whole ? 20_000 : 3000);
    if (whole) expect(table.bytes).toBeGreaterThan(5 * bytes);
    await table.rehash({ capacity: 1200 });
    await check();
    expect([await table.size(), table.capacity]).toEqual([1000, 1200]);
    expect(table.slots).toBeLessThan(slots);
    await expect(table.rehash({ capacity: 50 })).rejects.toThrow(/^[\w-]+ of 50 pairs: \d+ pairs find no slot$/);
    await check();
    expect(table.capacity).toBe(1200);
    expect([...live].filter(({ label }) => /status|to move/.test(label)).length).toBe(1);
  });
  table.destroy();
  expect([...live].map(({ label }) => label)).toEqual([]);
});

test("slab-hash: a flush gives the slabs of erased keys back", async () => {
  const table = (await createTable(device(), "slab-hash", {
    capacity: 1000,
    params: { buckets: 32, overwrite: false },
  })) as RecordableErasableTable & FlushableTable;
  /** Rounds that refuse nothing, at most so many. */
  const rounds = async (most: number, flushes: boolean) => {
    for (let round = 0; round < most; round++) {
      const { refused } = await using([keysFrom(900 * round, 900)], async (...[keys]) => {
        const outcome = new Outcomes(1);
        submit("encoder", (encoder) => {
          table.encodeInsert(encoder, { keys: keys!, values: keys!, n: 900 }, outcome.next());
          table.encodeErase(encoder, { keys: keys!, n: 900 });
        });
        const [inserted] = await outcome.read();
        outcome.destroy();
        if (flushes) await table.flush();
        return inserted!;
      });
      if (refused > 0) return round;
    }
    return most;
  };
  const without = await rounds(40, false);
  expect(without).toBeLessThan(40);
  await table.clear();
  expect(await rounds(2 * without, true)).toBe(2 * without);
  table.destroy();
});

test("slab-hash: a multimap finds and erases all values of a key, and one", async () => {
  await using([Uint32Array.of(7, 9, 7, 7), Uint32Array.of(1, 2, 3, 4), 8], async (...[keys, values, ranges]) => {
    const table = await createTable(device(), "slab-hash", { capacity: 100, params: { unique: false } });
    const { findAll, eraseAll } = table;
    expect(await table.insert({ keys: keys!, values: values!, n: 4 })).toEqual({ stored: 4, refused: 0 });
    const all = async () => {
      const { found, list } = await findAll!({ keys: keys!, results: ranges!, n: 2 });
      const [values, answers] = [await wordsOf(list), await wordsOf(ranges!, 4)];
      const of = (i: number) => [...values.subarray(answers[i], answers[i]! + answers[i + 1]!)].sort();
      return { found, of: answers[0] === EMPTY ? [] : of(0), other: of(2) };
    };
    expect(await all()).toEqual({ found: 4, of: [1, 3, 4], other: [2] });
    expect(await table.erase({ keys: keys!, n: 1 })).toEqual({ erased: 1 });
    expect((await all()).of.length).toBe(2);
    expect(await eraseAll!({ keys: keys!, n: 1 })).toEqual({ erased: 2 });
    expect(await all()).toEqual({ found: 1, of: [], other: [2] });
    await expect(findAll!({ keys: keys!, results: ranges!, n: 5 })).rejects.toThrow("keys: the buffer has 16 bytes");
    await expect(findAll!({ keys: ranges!, results: ranges!, n: 4 })).rejects.toThrow(
      "results and keys are one buffer",
    );
    await expect(findAll!({ keys: ranges!, results: values!, n: 4 })).rejects.toThrow("8 items take 32");
    expect((await findAll!({ keys: keys!, results: ranges!, n: 0 })).found).toBe(0);
    table.destroy();
  });
});

/** A call that is wrong, whose line an error is to have. */
async function wrongCall(table: { find(lookups: never): Promise<void> }): Promise<void> {
  await table.find({ keys: new Uint32Array(4), n: 4 } as never);
}

test("errors have their name and code, the table's label, and the caller in their stack", async () => {
  const table = await createTable(device(), "quotient", { capacity: 100, label: "visited" });
  const error = await wrongCall(table).catch((thrown: unknown) => thrown as UsageError);
  expect(error).toBeInstanceOf(UsageError);
  expect(String(error)).toBe("UsageError: visited.find: keys is a Uint32Array; it takes a GPUBuffer");
  expect(error).toMatchObject({ code: "ERR_USAGE", stack: expect.stringContaining("wrongCall") });
  const none = table as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
  await expect(none.insert!()).rejects.toThrow("visited.insert takes an object: keys, values, n, first");
  expect(() => none.encodeFind!(undefined, {})).toThrow("visited.encodeFind takes a GPUCommandEncoder or a GPUCompute");
  expect(() => none.encodeClear!({ draw() {} })).toThrow(UsageError);
  table.destroy();
});

test("the label is on what the table has on the device", async () => {
  const { device: own, live } = watched(device());
  const table = await createTable(own, "quotient", { capacity: 100, label: "visited" });
  expect([...live].map(({ label }) => label).filter((label) => /bank|status/.test(label))).toEqual([
    "visited: bank 0 of kernels/quotient",
    "visited: status",
  ]);
  table.destroy();
});

test("a buffer may be larger than a binding, where the items that are used are not", async () => {
  const limits = having(device().limits, { maxStorageBufferBindingSize: 2 ** 14 });
  const table = await createTable(having(device(), { limits }), "quotient", { capacity: 100 });
  const n = 2 ** 13;
  const all = keysFrom(0, n);
  const outcomes = new Outcomes(1);
  await using([all, new Uint32Array(n)], async (...[buffer, results]) => {
    const keys = buffer!;
    expect(await table.insert({ keys, values: keys, n: 50 })).toEqual({ stored: 50, refused: 0 });
    // Bytes from which on a part may be bound are not those of an item.
    const first = n - 77;
    expect(await table.insert({ keys, values: keys, n: 50, first })).toEqual({ stored: 50, refused: 0 });
    await table.find({ keys, results: results!, n: 77, first });
    const answers = all.map((key, i) => (i < first ? 0 : i < first + 50 ? key : EMPTY));
    expect(await wordsOf(results!)).toEqual(answers);
    submit("pass", (pass) => table.encodeErase(pass, { keys, first, n: 77 }, outcomes.next()));
    expect(await outcomes.read()).toEqual([{ refused: 0, erased: 50, size: 50, failed: false }]);
    const over = () =>
      table.encodeErase(device().createCommandEncoder(), { keys, first, n: 50 }, { buffer: keys, offset: 4 * first });
    expect(over).toThrow("outcome and keys overlap in one buffer");
    const many = table.insert({ keys, values: keys, n: n - 1, first: 1 });
    await expect(many).rejects.toThrow(
      `quotient.insert: keys: ${n - 1} items take ${4 * n} bytes; the device binds at most`,
    );
  });
  outcomes.destroy();
  table.destroy();
});

test.each<[TableName, object, string]>([
  ["quotient", { loadfactor: 0.5 }, "quotient has no loadfactor; did you mean loadFactor?"],
  ["stash", { params: { keyBytes: 8 } }, "stash: keyBytes is 8; the library takes 4: its keys and values are u32"],
  ["stash", { params: { valueBytes: 8 } }, "stash: valueBytes is 8; the library takes 4"],
  ["gph", { params: { pairBytes: 16 } }, "gph: pairBytes is 16; the library takes 4, 8: its values are of 4 bytes"],
  [
    "gph",
    { params: { perfect: false } },
    "gph: perfect is false; the library takes true: the others are for experiments",
  ],
  ["slab-hash", { params: { allocator: "bump" } }, "slab-hash: allocator is bump; the library takes slab-alloc-light"],
  ["dycuckoo", { params: { swap: true } }, "dycuckoo: swap is true; the library takes false"],
])("%s: what the library cannot run is refused: %o", async (name, options, message) => {
  const made = createTable(device(), name, { capacity: 100, ...options });
  await expect(made).rejects.toThrow(UsageError);
  await expect(made).rejects.toThrow(message);
});
