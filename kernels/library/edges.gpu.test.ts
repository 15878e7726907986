/** What a program may ask of the library's tables at the edges: nothing, one pair, too many, in its own pass, while it ends them. */
import { expect, test } from "vitest";
import { testGpu } from "../../bench/device/testing.js";
import {
  DELETED,
  EMPTY,
  type ErasableTable,
  OUTCOME_BYTES,
  type OutcomePlace,
  type Params,
  readOutcome,
  tableNames,
  Unsupported,
  UsageError,
} from "./index.js";
import { buffersOn, commandsOn, createTable, having, watched } from "./testing.js";

const gpu = testGpu();
const device = () => gpu().device;
const { bufferOf, wordsOf, using } = buffersOn(device);
const { submit } = commandsOn(device);
const RECORDABLE = ["quotient", "bucketed", "double-hashing", "crystal", "warpcore", "warpdrive"] as const;
/** Tables that an insertion builds. */
const BUILT = ["cuckoo", "two-level"] as const;

test.each(tableNames)("%s with room for one pair stores it", async (name) => {
  const table = await createTable(device(), name, { capacity: 1 });
  await using([Uint32Array.of(42, 43), Uint32Array.of(7, 8), 2], async (...[keys, values, results]) => {
    expect(await table.insert({ keys: keys!, values: values!, n: 1 })).toEqual({ stored: 1, refused: 0 });
    await table.find({ keys: keys!, results: results!, n: 2 });
    expect(await wordsOf(results!, 2)).toEqual(Uint32Array.of(7, EMPTY));
  });
  table.destroy();
});

test.each(tableNames)("%s refuses reserved keys and counts them, in buffers for kernels alone", async (name) => {
  const table = await createTable(device(), name, { capacity: 100 });
  const keys = device().createBuffer({ size: 16, usage: GPUBufferUsage.STORAGE, mappedAtCreation: true });
  new Uint32Array(keys.getMappedRange()).set([1, EMPTY, DELETED, 2]);
  keys.unmap();
  expect(await table.insert({ keys, values: keys, n: 4 })).toEqual({ stored: 2, refused: 2 });
  await using([4], async (...[results]) => {
    await table.find({ keys, results: results!, n: 4 });
    expect(await wordsOf(results!, 4)).toEqual(Uint32Array.of(1, EMPTY, EMPTY, 2));
  });
  const { erase } = table as Partial<ErasableTable>;
  if (erase) expect(await erase({ keys, n: 4 })).toEqual({ erased: 2 });
  keys.destroy();
  table.destroy();
});

/** Of tables that take long to refuse a pair. */
const MORE: Readonly<Record<string, number>> = { dycuckoo: 150, gph: 1100 };

test.each(tableNames)("%s: what it says of more pairs than it has room for is what it holds", async (name) => {
  const n = MORE[name] ?? 3000;
  const table = await createTable(device(), name, { capacity: 100 });
  await using([Uint32Array.from({ length: n }, (_, i) => i + 1), n], async (...[keys, results]) => {
    const { stored, refused } = await table.insert({ keys: keys!, values: keys!, n });
    expect(stored + refused).toBe(n);
    await table.find({ keys: keys!, results: results!, n });
    expect((await wordsOf(results!, n)).filter((answer) => answer !== EMPTY)).toHaveLength(stored);
  });
  table.destroy();
});

test.each(BUILT)("%s takes one insertion until it is cleared, of all pairs", async (name) => {
  const table = await createTable(device(), name, { capacity: 100 });
  await using([Uint32Array.of(1, 2, 3, 4), 4], async (...[keys, results]) => {
    const pairs = { keys: keys!, values: keys!, n: 2 };
    await expect(table.insert({ ...pairs, first: 2 })).rejects.toThrow(UsageError);
    expect(await table.insert(pairs)).toEqual({ stored: 2, refused: 0 });
    await expect(table.insert(pairs)).rejects.toThrow("has to be cleared before");
    await table.clear();
    expect(await table.insert({ ...pairs, n: 4 })).toEqual({ stored: 4, refused: 0 });
    await table.find({ keys: keys!, results: results!, n: 4 });
    expect(await wordsOf(results!, 4)).toEqual(Uint32Array.of(1, 2, 3, 4));
  });
  table.destroy();
});

test("operations on nothing change nothing, whatever the buffers", async () => {
  const table = await createTable(device(), "quotient", { capacity: 100 });
  const [none, other] = [0, 0].map((size) => device().createBuffer({ size, usage: GPUBufferUsage.STORAGE }));
  const lookups = { keys: none!, results: other!, n: 0 };
  expect(await table.insert({ keys: none!, values: none!, n: 0 })).toEqual({ stored: 0, refused: 0 });
  expect(await table.erase({ keys: none!, n: 0 })).toEqual({ erased: 0 });
  await table.find(lookups);
  const batch = { kinds: none!, keys: none!, values: none!, results: other! };
  expect(await table.mixed({ ...batch, slices: [{ first: 0, count: 0 }] })).toEqual({ refused: 0 });
  const outcome = bufferOf(Uint32Array.from({ length: OUTCOME_BYTES / 4 }, () => 9));
  const encoder = device().createCommandEncoder();
  table.encodeInsert(encoder, { keys: none!, values: none!, n: 0 }, { buffer: outcome });
  table.encodeFind(encoder, lookups);
  device().queue.submit([encoder.finish()]);
  expect(readOutcome(await wordsOf(outcome))).toEqual({ refused: 0, erased: 0, size: 0, failed: false });
  for (const one of [none!, other!, outcome]) one.destroy();
  table.destroy();
});

test("buffers may end in the middle of a word", async () => {
  const table = await createTable(device(), "quotient", { capacity: 100 });
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
  const [keys, results] = [10, 11].map((size) => device().createBuffer({ size, usage }));
  device().queue.writeBuffer(keys!, 0, Uint32Array.of(5, 6));
  expect(await table.insert({ keys: keys!, values: keys!, n: 2 })).toEqual({ stored: 2, refused: 0 });
  await table.find({ keys: keys!, results: results!, n: 2 });
  expect(await wordsOf(results!, 2)).toEqual(Uint32Array.of(5, 6));
  for (const one of [keys!, results!]) one.destroy();
  table.destroy();
});

test("results are not written over what is read", async () => {
  const table = await createTable(device(), "quotient", { capacity: 100 });
  await using([4], async (...[keys]) => {
    const lookups = { keys: keys!, results: keys!, n: 4 };
    await expect(table.find(lookups)).rejects.toThrow("results and keys are one buffer");
    expect(() => table.encodeFind(device().createCommandEncoder(), lookups)).toThrow(UsageError);
    const batch = { kinds: keys!, keys: keys!, values: keys!, results: keys! };
    await expect(table.mixed({ ...batch, slices: [] })).rejects.toThrow("results and kinds are one buffer");
  });
  table.destroy();
});

const WHERE = ["encoder", "pass"] as const;

test.each(RECORDABLE.flatMap((name) => WHERE.map((where) => [name, where] as const)))(
  "%s is recorded into the caller's %s, with outcomes where they are wanted",
  async (name, where) => {
    const n = 500;
    const own = Uint32Array.from({ length: n }, (_, i) => (i < n - 1 ? i + 1 : EMPTY));
    const table = await createTable(device(), name, { capacity: n });
    await using([own, n, n, 64], async (...[keys, before, after, outcomes]) => {
      submit(where, (commands) => {
        table.encodeInsert(commands, { keys: keys!, values: keys!, n });
        table.encodeErase(commands, { keys: keys!, n: 50 });
        table.encodeClear(commands);
        table.encodeInsert(commands, { keys: keys!, values: keys!, n }, { buffer: outcomes!, offset: 36 });
        table.encodeFind(commands, { keys: keys!, results: before!, n });
        table.encodeErase(commands, { keys: keys!, n: 100 }, { buffer: outcomes!, offset: 100 });
        table.encodeFind(commands, { keys: keys!, results: after!, n });
      });
      const said = await wordsOf(outcomes!);
      const outcomeAt = (offset: number) => readOutcome(said.subarray(offset / 4, (offset + OUTCOME_BYTES) / 4));
      expect(outcomeAt(36)).toEqual({
        refused: 1,
        erased: expect.any(Number),
        size: expect.any(Number),
        failed: false,
      });
      expect(outcomeAt(100)).toEqual({ refused: 0, erased: 100, size: 100, failed: false });
      expect(said.subarray(0, 9)).toEqual(new Uint32Array(9));
      expect(await wordsOf(before!, n)).toEqual(own);
      expect(await wordsOf(after!, n)).toEqual(own.map((key) => (key <= 100 ? EMPTY : key)));
    });
    table.destroy();
  },
);

test.each([
  ["encoder", "STORAGE", "COPY_DST"],
  ["pass", "COPY_DST", "STORAGE"],
] as const)("an outcome in the caller's %s takes a buffer not of %s, but of %s", async (where, wrong, right) => {
  const table = await createTable(device(), "quotient", { capacity: 100 });
  await using([4], async (...[keys]) => {
    const outcomes = [wrong, right].map((usage) => ({
      buffer: device().createBuffer({ size: OUTCOME_BYTES, usage: GPUBufferUsage[usage] }),
    }));
    const [pairs, erasures] = [
      { keys: keys!, values: keys!, n: 4 },
      { keys: keys!, n: 4 },
    ];
    submit(where, (commands) => {
      for (const op of [
        (outcome?: OutcomePlace) => table.encodeInsert(commands, pairs, outcome),
        (outcome?: OutcomePlace) => table.encodeErase(commands, erasures, outcome),
      ]) {
        expect(() => op(outcomes[0])).toThrow(`outcome: the buffer lacks the usage ${right}`);
        expect(() => op(outcomes[1])).not.toThrow();
      }
    });
    await device().queue.onSubmittedWorkDone();
    for (const { buffer } of outcomes) buffer.destroy();
  });
  table.destroy();
});

test("what was called before a table is destroyed ends, where the host has no part in it, and nothing is left", async () => {
  const { device: own, live } = watched(device());
  const table = await createTable(own, "quotient", { capacity: 100 });
  await using([Uint32Array.of(1, 2, 3, 4), 4], async (...[keys, results]) => {
    const inserted = table.insert({ keys: keys!, values: keys!, n: 4 });
    const found = table.find({ keys: keys!, results: results!, n: 4 });
    table.destroy();
    expect(await Promise.all([inserted, found])).toEqual([{ stored: 4, refused: 0 }, undefined]);
    expect(await wordsOf(results!, 4)).toEqual(Uint32Array.of(1, 2, 3, 4));
  });
  expect([...live].map(({ label }) => label)).toEqual([]);
});

test.each(["slab-hash", "dycuckoo", "cuckoo"] as const)(
  "what is under way when %s is destroyed ends, what waits is told, and nothing is left",
  async (name) => {
    const { device: own, live } = watched(device());
    const n = 5000;
    const table = await createTable(own, name, { capacity: n });
    await using([Uint32Array.from({ length: n }, (_, i) => i + 1), n], async (...[keys, results]) => {
      const begun = table.insert({ keys: keys!, values: keys!, n });
      const waiting = table.find({ keys: keys!, results: results!, n });
      table.destroy();
      const [inserted, found] = await Promise.allSettled([begun, waiting]);
      expect(inserted).toEqual({ status: "fulfilled", value: { stored: n, refused: 0 } });
      expect(found).toMatchObject({ status: "rejected", reason: { message: `${name}: the table was destroyed` } });
    });
    await expect(table.clear()).rejects.toThrow("the table was destroyed");
    expect([...live].map(({ label }) => label)).toEqual([]);
  },
);

test("a table that was destroyed records nothing", async () => {
  const table = await createTable(device(), "quotient", { capacity: 100 });
  table.destroy();
  table.destroy();
  expect(() => table.encodeClear(device().createCommandEncoder())).toThrow("the table was destroyed");
});

test("calls that are not waited for run in their order, of two tables on one device", async () => {
  const n = 500;
  const [one, other] = await Promise.all(
    (["quotient", "stash"] as const).map((name) => createTable(device(), name, { capacity: n })),
  );
  await using([Uint32Array.from({ length: n }, (_, i) => i + 1), n, n, n], async (...[keys, first, second, third]) => {
    const pairs = { keys: keys!, values: keys!, n };
    await Promise.all([
      one!.insert(pairs),
      other!.insert(pairs),
      one!.find({ keys: keys!, results: first!, n }),
      one!.clear(),
      one!.find({ keys: keys!, results: second!, n }),
      other!.find({ keys: keys!, results: third!, n }),
    ]);
    const stored = await wordsOf(keys!, n);
    expect(await wordsOf(first!, n)).toEqual(stored);
    expect(new Set(await wordsOf(second!, n))).toEqual(new Set([EMPTY]));
    expect(await wordsOf(third!, n)).toEqual(stored);
  });
  for (const table of [one!, other!]) table.destroy();
});

test("what a device lacks for a table is said in numbers, and nothing is left", async () => {
  const { device: own, live, compiling } = watched(device());
  const few = having(own, { limits: having(own.limits, { maxStorageBuffersPerShaderStage: 6 }) });
  const made = createTable(few, "dycuckoo", { capacity: 100 });
  await expect(made).rejects.toThrow(Unsupported);
  await expect(made).rejects.toThrow("dycuckoo: insert needs 7 storage buffers; this device has 6");
  // A table that is not recorded makes the kernels of its insertions later.
  const eight = having(own, { limits: having(own.limits, { maxStorageBuffersPerShaderStage: 8 }) });
  const resizing = (params: Params) =>
    createTable(eight, "dycuckoo", { capacity: 100, params: { resize: true, ...params } });
  const refused = resizing({});
  await expect(refused).rejects.toThrow(Unsupported);
  await expect(refused).rejects.toThrow(
    "dycuckoo with resize: insert needs 9 storage buffers; this device has 8: limit maxStorageBuffersPerShaderStage, or subTables: 3",
  );
  (await resizing({ subTables: 3 })).destroy();
  const fewer = having(own, { limits: having(own.limits, { maxStorageBuffersPerShaderStage: 2 }) });
  for (const name of tableNames)
    await expect(createTable(fewer, name, { capacity: 100 }), name).rejects.toThrow(/storage buffers/);
  // Other kernels of theirs are ready later, and what goes on with them then takes a turn.
  await expect.poll(() => compiling.size, { timeout: 60_000 }).toBe(0);
  await device().queue.onSubmittedWorkDone();
  expect([...live].map(({ label }) => label)).toEqual([]);
});

test("what is no device, and no options, is said", async () => {
  const make = createTable as (...words: unknown[]) => Promise<unknown>;
  await expect(make({}, "quotient", { capacity: 1 })).rejects.toThrow("the first argument is no GPUDevice");
  await expect(make(device(), "quotient")).rejects.toThrow("quotient takes an object: capacity, loadFactor");
});
