import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EMPTY } from "../../../datasets/dataset.js";
import { keyOf } from "../../../datasets/random.js";
import { uniform } from "../../../datasets/rng.js";
import { type Compiled, compiled } from "../../../datasets/testing.js";
import { type CuckooMemory, cuckooMemory, sharedWords } from "./cuckoo.js";
import { libcuckoo, threadedCuckoo } from "./libcuckoo.js";
import { Threads } from "./threads.js";

let worker: Compiled;
beforeAll(async () => {
  worker = await compiled("bench/benchmarks/cpu/cuckoo-worker.ts");
});
afterAll(() => worker.remove());

const keysFrom = (first: number, count: number) => Uint32Array.from({ length: count }, (_, i) => keyOf(first + i, 8));

/** All keys of the table, copies too. Throws if one has another value than its own. */
function keysIn({ words }: CuckooMemory, valueFor = (key: number) => key): number[] {
  const keys: number[] = [];
  for (let word = 0; word < words.length; word++) {
    const key = words[word] as number;
    if (word % 8 >= 4 || key === EMPTY) continue;
    keys.push(key);
    if (words[word + 4] !== valueFor(key)) throw new Error(`key ${key} has another value`);
  }
  return keys;
}

describe.each([1, 2, 4])("with %d threads", (count) => {
  /** Does `work` with a table and its threads. */
  async function on(n: number, loadFactor: number, work: (table: ReturnType<typeof threadedCuckoo>) => void) {
    const table = threadedCuckoo(n, loadFactor, count, worker.url);
    expect(table.threads).toBe(count);
    try {
      work(table);
    } finally {
      await table.end();
    }
  }

  test("a table agrees with a Map on a random history", async () => {
    const universe = 30_000;
    await on(universe, 0.95, (table) => {
      const draw = uniform(count);
      const oracle = new Map<number, number>();
      for (let batch = 0; batch < 8; batch++) {
        const picks = Uint32Array.from({ length: 40_000 }, () => keyOf(Math.floor(draw() * universe), 8));
        // Copies of a key have one value, whoever comes last.
        const values = picks.map((key) => (key ^ batch) >>> 1);
        table.insert(picks, values);
        for (const [i, key] of picks.entries()) oracle.set(key, values[i] ?? 0);
        const queries = keysFrom(0, universe + 5000);
        const results = new Uint32Array(queries.length);
        table.find(queries, results);
        expect(results).toEqual(queries.map((key) => oracle.get(key) ?? EMPTY));
      }
      table.clear();
      const results = new Uint32Array(100);
      table.find(keysFrom(0, 100), results);
      expect(results).toEqual(new Uint32Array(100).fill(EMPTY));
    });
  });

  test("pairs that find no room are counted, and the others are there, each once", async () => {
    const memory = cuckooMemory(7000, 1);
    const threads = new Threads(memory, count, worker.url);
    try {
      // Each key by several threads at a time: its copies are neighbours of chunks.
      const chunk = 2 ** 12;
      const distinct = keysFrom(0, 8192);
      const keys = sharedWords(4 * distinct.length);
      for (let i = 0; i < keys.length; i++) {
        keys[i] = distinct[Math.floor(i / (4 * chunk)) * chunk + (i % chunk)] as number;
      }
      const values = keys.map((key) => key >>> 1);
      const shared = sharedWords(keys.length);
      shared.set(values);
      const failed = threads.run({ op: "insert", keys, values: shared });
      expect(failed).toBeGreaterThanOrEqual(4 * (distinct.length - 4 * memory.buckets));
      const stored = keysIn(memory, (key) => key >>> 1);
      expect(new Set(stored).size).toBe(stored.length);
      expect(stored.length).toBeGreaterThan(0.95 * 4 * memory.buckets);
      const answers = sharedWords(keys.length);
      threads.run({ op: "find", keys, values: answers });
      const there = new Set(stored);
      expect(answers).toEqual(keys.map((key) => (there.has(key) ? key >>> 1 : EMPTY)));
      expect(memory.locks.every((lock) => lock === 0)).toBe(true);
    } finally {
      await threads.end();
    }
  });

  test("threads that insert the same keys in other orders store each once, and lose none", async () => {
    const distinct = 8000;
    const memory = cuckooMemory(distinct, 0.95);
    const threads = new Threads(memory, count, worker.url);
    const draw = uniform(7);
    const keys = sharedWords(2 ** 15);
    const expected = keysFrom(0, distinct).sort();
    try {
      for (let round = 0; round < 50; round++) {
        for (let i = 0; i < keys.length; i++) keys[i] = keyOf(Math.floor(draw() * distinct), 8);
        keys.set(expected, keys.length - distinct);
        memory.words.fill(EMPTY);
        expect(threads.run({ op: "insert", keys, values: keys })).toBe(0);
        expect(Uint32Array.from(keysIn(memory)).sort()).toEqual(expected);
      }
    } finally {
      await threads.end();
    }
  });

  test("a table that is too small says so", async () => {
    await on(1000, 0.95, (table) => {
      const keys = keysFrom(0, 1500);
      expect(() => table.insert(keys, keys)).toThrow(/no room for \d+ pairs in a table for 1000 keys/);
    });
  });
});

test.each([1, 2, 5, 100, 3000])("%d keys fit at the highest load factor", (n) => {
  for (let seed = 0; seed < 20; seed++) {
    const keys = Uint32Array.from({ length: n }, (_, i) => keyOf(i, seed));
    const table = libcuckoo.create(n, 0.95);
    table.insert(keys, keys);
    const results = new Uint32Array(n);
    table.find(keys, results);
    expect(results).toEqual(keys);
  }
});

test("a higher load factor is refused", () => {
  expect(() => libcuckoo.create(100, 0.96)).toThrow("libcuckoo: load factor 0.96 is beyond its 0.95");
});
