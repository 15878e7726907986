/** Operations that are recorded among a program's own commands, of every table, beside those of promises. */
import { expect, test } from "vitest";
import { testGpu } from "../../bench/device/testing.js";
import {
  DELETED,
  EMPTY,
  type ErasableTable,
  type RecordableErasableTable,
  type RecordableTable,
  type TableName,
  type TableOptions,
  tableNames,
} from "./index.js";
import { buffersOn, type Commands, commandsOn, createTable, having, keysFrom, watched } from "./testing.js";

const gpu = testGpu();
const device = () => gpu().device;
const { wordsOf, using } = buffersOn(device);
const { submit, Outcomes } = commandsOn(device);

type Recordable = RecordableTable & Partial<RecordableErasableTable>;

/** Tables that an insertion builds. */
const BUILT: readonly TableName[] = ["cuckoo", "two-level"];

async function make(name: TableName, options: TableOptions, own = device()): Promise<Recordable> {
  return (await createTable(own, name, options)) as Recordable;
}

const found = (lookups: Uint32Array, oracle: ReadonlyMap<number, number>) =>
  lookups.map((key) => oracle.get(key) ?? EMPTY);

/** Sets the oracle's values for the keys that are none of the reserved ones. */
function store(oracle: Map<number, number>, keys: Uint32Array, values: Uint32Array): void {
  for (const [i, key] of keys.entries()) if (key < DELETED) oracle.set(key, values[i]!);
}

const places = tableNames.flatMap((name) => (["encoder", "pass"] as const).map((where) => [name, where] as const));

interface Case {
  readonly name: TableName;
  readonly where: "encoder" | "pass";
  readonly params: TableOptions["params"];
  /** Bytes that the device binds: such a table lies in several buffers. */
  readonly most?: number;
}
const inPass = (name: TableName, params: TableOptions["params"], most?: number): Case => ({
  name,
  where: "pass",
  params,
  ...(most && { most }),
});
const cases: readonly Case[] = [
  ...places.map(([name, where]) => ({ name, where, params: {} })),
  inPass("stash", { passed: true }),
  inPass("stash", { ticket: 1 }),
  inPass("gph", { cellBits: 16, R: 4 }),
  inPass("dycuckoo", { regionKiB: 4 }),
  inPass("cuckoo", { functions: 3 }),
  inPass("quotient", {}, 2 ** 14),
  inPass("slab-hash", {}, 2 ** 16),
  inPass("stash", {}, 2 ** 15),
  inPass("dycuckoo", { bucketSlots: 16, subTables: 3 }, 2 ** 14),
  inPass("cuckoo", {}, 2 ** 15),
];

test.each(cases)(
  "$name, $where, $params, $most: what is recorded in one submission leaves what it leaves in a Map",
  async ({ name, where, params, most }) => {
    const built = BUILT.includes(name);
    const { limits } = device();
    const maxStorageBufferBindingSize = most ?? limits.maxStorageBufferBindingSize;
    const own = having(device(), { limits: having(limits, { maxStorageBufferBindingSize }) });
    const table = await make(name, { capacity: 3000, loadFactor: 0.5, params: params ?? {} }, own);
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
    const table = (await make(name, { capacity: 3000, loadFactor: 0.9 })) as Required<Recordable>;
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

test.each([...REPLACING, "gph"] as const)(
  "%s: of a key that is in one recorded insertion thrice one value is kept",
  async (name) => {
    const table = await make(name, { capacity: 3000 });
    const once = keysFrom(0, 1000);
    const keys = Uint32Array.from([...once, ...once, ...once]);
    const values = keys.map((key, i) => ((key >>> 2) + Math.floor(i / 1000)) >>> 0);
    const outcomes = new Outcomes(2);
    await using([keys, values, 1000], async (...[k, v, results]) => {
      submit("encoder", (commands) => {
        table.encodeInsert(commands, { keys: k!, values: v!, n: 3000 }, outcomes.next());
        table.encodeFind(commands, { keys: k!, results: results!, n: 1000 });
      });
      const copies = (await wordsOf(results!)).map((value, i) => value - (once[i]! >>> 2));
      expect([...copies].filter((copy) => copy > 2)).toEqual([]);
      submit("encoder", (commands) => {
        table.encodeErase?.(commands, { keys: k!, n: 3000 }, outcomes.next());
        table.encodeFind(commands, { keys: k!, results: results!, n: 1000 });
      });
      const said = await outcomes.read();
      expect(said[0]).toMatchObject({ refused: 0, failed: false });
      if (!table.encodeErase) return;
      expect(said[1]).toMatchObject({ refused: 0, erased: 1000, failed: false });
      expect(new Set(await wordsOf(results!))).toEqual(new Set([EMPTY]));
    });
    outcomes.destroy();
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

/** Tables whose insertions and erasures are a dispatch with an item a lane. */
const PLAIN: readonly TableName[] = [
  "bucketed",
  "crystal",
  "double-hashing",
  "linear-probing",
  "quotient",
  "stash",
  "warpcore",
  "warpdrive",
];

test.each(places)("%s in a %s: the number of items may be on the device", async (name, where) => {
  const [most, first] = [1000, 70];
  const table = await make(name, { capacity: 2 * most });
  const all = keysFrom(0, first + most);
  const unasked = new Uint32Array(first + most).fill(77);
  const outcomes = new Outcomes(4);
  // Beyond `most` a number counts as that.
  const counts = Uint32Array.of(0, 300, 5000, 450);
  await using([all, unasked, counts], async (...[keys, results, buffer]) => {
    const at = (word: number) => ({ buffer: buffer!, offset: 4 * word, most });
    const pairs = { keys: keys!, values: keys!, first };
    const insert = (n: number | ReturnType<typeof at>, into: Recordable = table) =>
      submit(where, (commands) => into.encodeInsert(commands, { ...pairs, n }, outcomes.next()));
    if (PLAIN.includes(name)) {
      insert(at(1));
      insert(at(0));
    } else {
      expect(() => insert(at(1))).toThrow("n has to be a number with this table");
      submit(where, (commands) => table.encodeInsert(commands, { keys: keys!, values: keys!, n: first + 300 }));
    }
    submit(where, (commands) => table.encodeFind(commands, { keys: keys!, results: results!, first, n: at(3) }));
    const answers = await wordsOf(results!);
    const expected = all.map((key, i) => (i < first || i >= first + 450 ? 77 : i < first + 300 ? key : EMPTY));
    expect(answers.slice(0, all.length)).toEqual(expected);
    if (!PLAIN.includes(name)) return;
    const { encodeErase } = table;
    submit(where, (commands) => encodeErase!(commands, { keys: keys!, first, n: at(2) }, outcomes.next()));
    const said = await outcomes.read();
    expect(said.slice(-3)).toEqual([0, 0, 300].map((erased) => ({ refused: 0, erased, size: erased, failed: false })));
  });
  expect(() => table.encodeFind(device().createCommandEncoder(), { n: { most } } as never)).toThrow(
    `the n of ${name}.encodeFind: buffer is missing; it takes a GPUBuffer`,
  );
  outcomes.destroy();
  table.destroy();
});
