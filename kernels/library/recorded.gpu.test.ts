/** Operations that are recorded among a program's own commands, of every table, beside those of promises. */
import { expect, test } from "vitest";
import { testGpu } from "../../bench/gpu/testing.js";
import {
  createTable,
  DELETED,
  EMPTY,
  type ErasableTable,
  OUTCOME_BYTES,
  type Outcome,
  type OutcomePlace,
  type RecordableErasableTable,
  type RecordableTable,
  readOutcome,
  type TableName,
  type TableOptions,
  tableNames,
  UsageError,
} from "./index.js";
import { buffersOn, watched } from "./testing.js";

const gpu = testGpu();
const device = () => gpu().device;
const { bufferOf, wordsOf, using } = buffersOn(device);

type Commands = GPUCommandEncoder | GPUComputePassEncoder;
type Recordable = RecordableTable & Partial<RecordableErasableTable>;

/** Tables that an insertion builds. */
const BUILT: readonly TableName[] = ["cuckoo", "two-level"];
/** Parameters with which slots of erased keys are used again. */
const REUSING: Readonly<Record<string, TableOptions["params"]>> = {
  bucketed: { reuse: true },
  "double-hashing": { reuse: true },
  "slab-hash": { overwrite: true },
};

async function make(name: TableName, options: TableOptions, own = device()): Promise<Recordable> {
  return (await createTable(own, name, options)) as Recordable;
}

const mixed = (i: number) => Math.imul(i + 1, 0x85ebca6b) >>> 0;
/** Keys number first … first + count - 1 of all. */
const keysFrom = (first: number, count: number) => Uint32Array.from({ length: count }, (_, i) => mixed(first + i));

/** Commands of one submission, in an encoder or in a pass in it. */
function submit(where: "encoder" | "pass", record: (commands: Commands) => void): void {
  const encoder = device().createCommandEncoder();
  if (where === "encoder") record(encoder);
  else {
    const pass = encoder.beginComputePass();
    record(pass);
    pass.end();
  }
  device().queue.submit([encoder.finish()]);
}

/** Places for outcomes in one buffer. */
class Outcomes {
  private readonly buffer: GPUBuffer;
  private used = 0;
  constructor(most: number) {
    this.buffer = bufferOf((most * OUTCOME_BYTES) / 4);
  }
  next(): OutcomePlace {
    return { buffer: this.buffer, offset: OUTCOME_BYTES * this.used++ };
  }
  async read(): Promise<Outcome[]> {
    const words = await wordsOf(this.buffer);
    const at = (i: number) => readOutcome(words.subarray((i * OUTCOME_BYTES) / 4, ((i + 1) * OUTCOME_BYTES) / 4));
    return Array.from({ length: this.used }, (_, i) => at(i));
  }
  destroy(): void {
    this.buffer.destroy();
  }
}

const found = (lookups: Uint32Array, oracle: ReadonlyMap<number, number>) =>
  lookups.map((key) => oracle.get(key) ?? EMPTY);

/** Sets the oracle's values for the keys that are none of the reserved ones. */
function store(oracle: Map<number, number>, keys: Uint32Array, values: Uint32Array): void {
  for (const [i, key] of keys.entries()) if (key < DELETED) oracle.set(key, values[i]!);
}

const places = tableNames.flatMap((name) => (["encoder", "pass"] as const).map((where) => [name, where] as const));

type Case = readonly [name: TableName, where: "encoder" | "pass", params: TableOptions["params"]];
const cases: readonly Case[] = [
  ...places.map(([name, where]) => [name, where, REUSING[name] ?? {}] as const),
  ["slab-hash", "pass", { allocator: "bump" }],
  ["stash", "pass", { passed: true }],
  ["stash", "pass", { access: true, ticket: 2 }],
  ["stash", "pass", { board: false }],
  ["dycuckoo", "pass", { bucketSlots: 16 }],
  ["dycuckoo", "pass", { locks: true, swap: true, subTables: 2 }],
  ["gph", "pass", { perfect: false }],
  ["gph", "pass", { cellBits: 16, R: 4 }],
  ["cuckoo", "pass", { functions: 3 }],
];

test.each(cases)(
  "%s, %s, %o: what is recorded in one submission leaves what it leaves in a Map",
  async (name, where, params) => {
    const built = BUILT.includes(name);
    const table = await make(name, { capacity: 3000, loadFactor: 0.5, params: params ?? {} });
    const oracle = new Map<number, number>();
    const outcomes = new Outcomes(4);
    const all = keysFrom(0, 4001);
    const [one, two] = [keysFrom(0, 1003), keysFrom(700, 1301)];
    one.set([EMPTY, DELETED], 500);
    // Keys that come later are among the first ones too, where the table takes those.
    const later = name === "stash" || built ? keysFrom(1100, 1301) : two;
    const [oneValues, laterValues] = [one.map((key) => key >>> 1), later.map((key) => key >>> 2)];
    const gone = Uint32Array.from([...keysFrom(100, 333), ...keysFrom(100, 9), ...keysFrom(9000, 50)]);
    const first = built ? 0 : 17;
    const before = keysFrom(3000, 501);
    await using(
      [all, one, oneValues, later, laterValues, gone, before, all.length, all.length, all.length],
      async (...[queries, keys, values, moreKeys, moreValues, erased, old, ...results]) => {
        const find = (commands: Commands, i: number) =>
          table.encodeFind(commands, { keys: queries!, results: results[i]!, n: all.length });
        if (!built) {
          await table.insert({ keys: old!, values: old!, n: before.length });
          store(oracle, before, before);
        }
        const expected: Uint32Array[] = [];
        const note = () => expected.push(found(all, oracle));
        submit(where, (commands) => {
          const pairs = { keys: keys!, values: values!, n: one.length - first, first };
          table.encodeInsert(commands, pairs, outcomes.next());
          store(oracle, one.subarray(first), oneValues.subarray(first));
          find(commands, 0);
          note();
          if (table.encodeErase) {
            table.encodeErase(commands, { keys: erased!, n: gone.length }, outcomes.next());
            for (const key of gone) oracle.delete(key);
          } else if (built) {
            table.encodeClear(commands);
            oracle.clear();
          }
          find(commands, 1);
          note();
          table.encodeInsert(commands, { keys: moreKeys!, values: moreValues!, n: later.length }, outcomes.next());
          store(oracle, later, laterValues);
          find(commands, 2);
          note();
        });
        for (const [i, answers] of expected.entries()) expect(await wordsOf(results[i]!, all.length)).toEqual(answers);
        const said = await outcomes.read();
        expect(said.map(({ failed }) => failed)).toEqual(said.map(() => false));
        expect(said[0]).toMatchObject({ refused: 2 });
        if (table.encodeErase) expect(said[1]).toMatchObject({ refused: 0, erased: 333 });
        expect(said.at(-1)).toMatchObject({ refused: 0 });

        // Promises go on from there, and recorded operations after them.
        await table.find({ keys: queries!, results: results[0]!, n: all.length });
        expect(await wordsOf(results[0]!, all.length)).toEqual(expected[2]);
        if (!built) {
          const rest = keysFrom(4500, 300);
          await using([rest, rest.length], async (...[k, answers]) => {
            expect(await table.insert({ keys: k!, values: k!, n: rest.length })).toEqual({ stored: 300, refused: 0 });
            submit(where, (commands) => table.encodeFind(commands, { keys: k!, results: answers!, n: rest.length }));
            expect(await wordsOf(answers!, rest.length)).toEqual(rest);
          });
        }
        const { erase } = table as Partial<ErasableTable>;
        if (erase) {
          expect(await erase({ keys: moreKeys!, n: later.length })).toEqual({ erased: later.length });
          for (const key of later) oracle.delete(key);
        }
        submit(where, (commands) => {
          find(commands, 0);
          table.encodeClear(commands);
          find(commands, 1);
        });
        expect(await wordsOf(results[0]!, all.length)).toEqual(found(all, oracle));
        expect(new Set(await wordsOf(results[1]!, all.length))).toEqual(new Set([EMPTY]));
        await table.find({ keys: queries!, results: results[2]!, n: all.length });
        expect(new Set(await wordsOf(results[2]!, all.length))).toEqual(new Set([EMPTY]));
        // Once more, into what was cleared by a command.
        expect(await table.insert({ keys: keys!, values: values!, n: one.length })).toMatchObject({ refused: 2 });
        await table.clear();
        submit(where, (commands) => {
          table.encodeInsert(commands, { keys: moreKeys!, values: moreValues!, n: later.length });
          find(commands, 0);
        });
        const last = new Map<number, number>();
        store(last, later, laterValues);
        expect(await wordsOf(results[0]!, all.length)).toEqual(found(all, last));
      },
    );
    outcomes.destroy();
    table.destroy();
  },
);

/** Tables whose keys can be erased, and be inserted again where they are. */
const REPLACING = tableNames.filter((name) => !["stash", "gph", ...BUILT].includes(name));

test.each(REPLACING)(
  "%s: keys that were stored by commands are replaced by a promise, and are there once",
  async (name) => {
    const table = (await make(name, {
      capacity: 3000,
      loadFactor: 0.9,
      params: REUSING[name] ?? {},
    })) as Required<Recordable>;
    const keys = keysFrom(0, 2800);
    const values = keys.map((key) => key >>> 1);
    const n = keys.length - 1000;
    await using([keys, values, n], async (...[k, v, results]) => {
      submit("encoder", (commands) => {
        table.encodeInsert(commands, { keys: k!, values: k!, n: keys.length });
        table.encodeErase(commands, { keys: k!, n: 1000 });
      });
      expect(await table.insert({ keys: k!, values: v!, n, first: 1000 })).toEqual({ stored: n, refused: 0 });
      await using([keys.subarray(1000)], async (...[rest]) => {
        await table.find({ keys: rest!, results: results!, n });
        expect(await wordsOf(results!)).toEqual(values.subarray(1000));
        expect(await table.erase({ keys: rest!, n })).toEqual({ erased: n });
        await table.find({ keys: rest!, results: results!, n });
        expect(new Set(await wordsOf(results!))).toEqual(new Set([EMPTY]));
      });
    });
    table.destroy();
  },
);

/** Pairs of tables that take long to refuse one, or have much room. */
const MORE: Readonly<Record<string, number>> = { dycuckoo: 150, gph: 1200, "slab-hash": 21_000 };
const PARTS = 15;
/** Others come before them in their buffer. */
const BEFORE = 2001;
/** Short lists. */
const FULL: Readonly<Record<string, TableOptions["params"]>> = { "slab-hash": { buckets: 500 } };

test.each(places.filter(([name]) => !BUILT.includes(name)))(
  "%s, %s: outcomes of more pairs than it has room for count what it does not hold",
  async (name, where) => {
    const n = MORE[name] ?? 3000;
    const { device: own, live } = watched(device());
    const table = await make(name, { capacity: 100, params: FULL[name] ?? {} }, own);
    const outcomes = new Outcomes(PARTS + 1);
    await using([keysFrom(0, n), keysFrom(-BEFORE, BEFORE + n), n], async (...[keys, later, results]) => {
      const part = n / PARTS;
      submit(where, (commands) => {
        for (let first = BEFORE; first < BEFORE + n; first += part)
          table.encodeInsert(commands, { keys: later!, values: later!, n: part, first }, outcomes.next());
        table.encodeFind(commands, { keys: keys!, results: results!, n });
      });
      const stored = (await wordsOf(results!, n)).filter((answer) => answer !== EMPTY).length;
      const said = await outcomes.read();
      expect(stored).toBeLessThan(n);
      expect(said.map(({ failed }) => failed)).toEqual(said.map(() => false));
      expect(said.reduce((sum, { refused }) => sum + refused, 0)).toBe(n - stored);
      // What was refused is forgotten.
      for (const one of [...live].filter(({ label }) => /status|pending/.test(label)))
        expect(new Set(await wordsOf(one)), one.label).toEqual(new Set([0]));
      submit(where, (commands) => {
        table.encodeClear(commands);
        table.encodeInsert(commands, { keys: keys!, values: keys!, n: 10 }, outcomes.next());
        table.encodeFind(commands, { keys: keys!, results: results!, n });
      });
      expect((await outcomes.read()).at(-1)).toMatchObject({ refused: 0, failed: false });
      expect((await wordsOf(results!, n)).filter((answer) => answer !== EMPTY)).toHaveLength(10);
    });
    outcomes.destroy();
    table.destroy();
  },
);

test("slab-hash: insertions of promises grow the pool, and what is recorded then has the slabs of now", async () => {
  const table = await make("slab-hash", { capacity: 100, params: { buckets: 500 } });
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
  const table = (await make("stash", { capacity: 1000, loadFactor: 0.9 })) as Required<Recordable>;
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

test.each<[TableName, TableOptions["params"]]>([
  ["dycuckoo", { resize: true }],
  ["gph", { index: "workgroup" }],
])("%s with %o cannot be recorded", async (name, params) => {
  const table = await make(name, { capacity: 100, params: params ?? {} });
  expect(Object.keys(table).filter((member) => member.startsWith("encode"))).toEqual([]);
  expect(typeof table.insert).toBe("function");
  table.destroy();
});

test("an insertion that is recorded of more pairs than there are bits for is refused in words", async () => {
  const table = await make("dycuckoo", { capacity: 100 });
  await using([1000], async (...[keys]) => {
    const encoder = device().createCommandEncoder();
    const pairs = { keys: keys!, values: keys! };
    expect(() => table.encodeInsert(encoder, { ...pairs, n: 101 })).toThrow(UsageError);
    expect(() => table.encodeInsert(encoder, { ...pairs, n: 101 })).toThrow("n is 101; an insertion that is recorded");
    table.encodeInsert(encoder, { ...pairs, n: 100, first: 899 });
  });
  table.destroy();
});
