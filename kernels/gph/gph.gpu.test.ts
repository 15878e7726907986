import { describe, expect, test } from "vitest";
import { spared, testGpu } from "../../bench/device/testing.js";
import { countingRunner } from "../../bench/measure/counting/counters.js";
import { upload } from "../../bench/verify/bulk.js";
import { casesFor, casesNamed, testCases } from "../../bench/verify/testing.js";
import { keyOf } from "../../datasets/random.js";
import { DELETED, EMPTY } from "../common/steps.js";
import { createTable } from "../create.js";
import { configure } from "../define.js";
import { scoped } from "../device/owned.js";
import type { Params, RunSteps } from "../table.js";
import { inBanks } from "../testing.js";
import { gph } from "./gph.js";
import { parameters } from "./parameters.js";
import { Buckets } from "./testing.js";

const gpu = testGpu();
const keysFrom = (first: number, count: number) => Array.from({ length: count }, (_, i) => keyOf(first + i, 99));
const valuesOf = (keys: readonly number[], salt = 0) => keys.map((key) => (key ^ salt) >>> 1);

/**
 * Each value of each parameter, and every way in which a find is compiled. Those that differ in the find alone have slots and
 * insert groups of others: the kernels that insert take longest to compile.
 */
const configurations: readonly Params[] = [
  { warp: "virtual" },
  // Of four partitions.
  { index: "workgroup", bucketsPerCell: 0.125 },
  { index: "workgroup", routing: "before", cells: 100_000, refusals: true },
  { R: 2, M: 8, g: 8, h: 4, bucketsPerCell: 3 },
  { R: 4, M: 32, g: 2, h: 32, bucketsPerCell: 0.5 },
  { g: 16, bucketsPerCell: 5 },
  { requester: false },
  { requester: false, R: 4, M: 32, g: 2, h: 32 },
  { requester: false, index: "workgroup", g: 1, bucketsPerCell: 0.125 },
  { requester: false, warp: "virtual" },
  { pairBytes: 16, cellBits: 8 },
  { pairBytes: 16, warp: "virtual", R: 4, M: 4, g: 1, h: 4 },
  { perfect: false },
  { perfect: false, requester: false, g: 8 },
  { perfect: false, requester: false, warp: "virtual", M: 32, g: 16 },
];

describe.each(configurations)("gph with %o", (params) => {
  const type = configure(gph, { cellBits: 16, ...params });
  const wide = params.pairBytes === 16;
  const usual = { ...type, duplicates: !wide };
  testCases(casesFor(type, "core"), gpu, usual);

  test.skipIf(wide)(
    "insertions whose buckets overflow: every pair is found that was not refused, and no other",
    async () => {
      // Two buckets have room for longer; of few cells those that no mapping fits are more, each of which tries them all.
      const few = Number(params.bucketsPerCell ?? 0) > 2;
      const n = params.bucketsPerCell === 3 ? 1500 : 3000;
      const loadFactor = params.perfect === false ? 0.95 : few ? 0.6 : 0.8;
      await Buckets.on(gpu(), n, loadFactor, { cellBits: 16, ...params }, async (table) => {
        const keys = keysFrom(0, n);
        let [refused, moves] = [0, 0];
        for (let first = 0; first < n; first += 500) {
          const batch = keys.slice(first, first + 500);
          refused += (await table.insert(batch, valuesOf(batch))).count;
          moves += table.table.moves;
          const pairs = await table.pairs();
          const asked = [...keys, ...keysFrom(n, 500)];
          expect(await table.find(asked)).toEqual(Uint32Array.from(asked, (key) => pairs.get(key) ?? EMPTY));
          expect(pairs.size).toBe(first + batch.length - refused);
          for (const [key, value] of pairs) expect(value).toBe(key >>> 1);
        }
        expect(moves).toBeGreaterThan(params.perfect === false ? 20 : 50);
      });
    },
  );
});

// More banks and sizes take longer to compile, and so does SwiftShader.
describe.each(spared ? [] : [2])("gph in %i banks", (banks) => {
  const type = inBanks(configure(gph, { cellBits: 16, R: 2, M: 8, g: 8, h: 4 }), banks, 64);
  testCases(casesNamed(type, "race for the last slots"), gpu, type);
});

test("pairs of 16 bytes that are moved keep their values whole, and those that are refused leave none", async () => {
  const n = 3000;
  const params = { pairBytes: 16, refusals: true };
  const table = await createTable(gph, gpu(), { n, loadFactor: 0.85, seed: 7, params, counting: false });
  await scoped(gpu(), async (own) => {
    const all = keysFrom(0, n);
    const results = await own.alloc("results", 4 * n);
    const run: RunSteps = (...pass) => gpu().time(...pass);
    let refused = 0;
    for (let first = 0; first < n; first += 600) {
      const pairs = { keys: await upload(own, all), values: await upload(own, valuesOf(all)), n: 600, first };
      refused += (await table.insert(run, pairs)).count;
      await table.find(run, { keys: pairs.keys, results, n });
      const answers = [...(await own.read(results, n))];
      const there = all.map((key, i) => (answers[i] === EMPTY ? EMPTY : key >>> 1));
      expect(answers).toEqual(there);
      expect(answers.filter((answer) => answer !== EMPTY)).toHaveLength(first + 600 - refused);
    }
    expect(refused).toBeGreaterThan(0);
  });
  table.destroy();
});

// A lane reads 16 bytes of a bucket, or four times as many.
test.each<Params>([{}, { g: 1 }, { warp: "virtual" }])(
  "keys alone, %o, of which some are moved and some refused: the others are found, and no other",
  async (params) => {
    await Buckets.on(gpu(), 3000, 0.9, { pairBytes: 4, ...params }, async (table) => {
      const keys = keysFrom(0, 3000);
      let [refused, moves] = [0, 0];
      for (let first = 0; first < 3000; first += 600) {
        const batch = keys.slice(first, first + 600);
        // Each of them twice: a key is stored once.
        refused += (await table.insert([...batch, ...batch], valuesOf([...batch, ...batch]))).count;
        moves += table.table.moves;
      }
      // How many depends on which insertions meet.
      expect(moves).toBeGreaterThan(20);
      expect(refused).toBeGreaterThan(0);
      const stored = (await table.words()).filter((word) => word !== EMPTY);
      const there = new Set(stored);
      expect(stored).toHaveLength(there.size);
      expect(3000 - there.size).toBeLessThanOrEqual(refused);
      const asked = [...keys, ...keysFrom(3000, 500), EMPTY];
      const answers = await table.find(asked);
      expect(answers).toEqual(Uint32Array.from(asked, (key) => (there.has(key) ? key : EMPTY)));
    });
  },
);

test("pairs of 4 and of 16 bytes are looked up by the usual finds only", async () => {
  const make = (params: Params) =>
    createTable(gph, gpu(), { n: 2000, loadFactor: 0.5, seed: 7, params, counting: false });
  await expect(make({ pairBytes: 4, requester: false })).rejects.toThrow(
    "pairs of 4 bytes have the usual lookups only",
  );
  await expect(make({ pairBytes: 4, g: 8 })).rejects.toThrow("a lane of 8 would hold 8 bytes; 16 to 128");
  await expect(make({ pairBytes: 16, perfect: false })).rejects.toThrow("usual lookups only");
  await expect(make({ pairBytes: 16, g: 1 })).rejects.toThrow("a lane of 1 would hold 256 bytes; 16 to 128");
});

test("queries that are routed before a find are so outside its time", async () => {
  const steps = async (routing: string): Promise<number> => {
    let timed = 0;
    await Buckets.on(gpu(), 1000, 0.4, { cellBits: 16, index: "workgroup", routing }, async (table) => {
      const keys = keysFrom(0, 1000);
      await table.insert(keys, valuesOf(keys));
      const run: RunSteps = (own, ...read) => {
        timed += own.length;
        return gpu().time(own, ...read);
      };
      expect(await table.find(keys, run)).toEqual(Uint32Array.from(valuesOf(keys)));
    });
    return timed;
  };
  expect(await steps("before")).toBe(1);
  expect(await steps("timed")).toBeGreaterThan(4);
});

test.each(["timed", "before"])("more queries than a workgroup answers of one partition, routed %s", async (routing) => {
  const params = { cellBits: 16, index: "workgroup", ...(routing === "before" && { routing }) };
  await Buckets.on(gpu(), 1000, 0.4, params, async (table) => {
    const keys = keysFrom(0, 1000);
    await table.insert(keys, valuesOf(keys));
    // All of one partition: two workgroups answer 2^14 each, and the third the rest.
    const asked = Array.from({ length: 2 ** 15 + 100 }, (_, i) => keys[i % 1000] ?? 0);
    expect(await table.find(asked)).toEqual(Uint32Array.from(valuesOf(asked)));
  });
});

test("queries that are routed before a find are answered in that order, and its results stand in theirs", async () => {
  await Buckets.on(
    gpu(),
    1000,
    0.4,
    { cellBits: 16, index: "workgroup", routing: "before", bucketsPerCell: 0.125 },
    async (table) => {
      const keys = keysFrom(0, 1000);
      await table.insert(keys, valuesOf(keys));
      const known = new Map(keys.map((key, i) => [key, valuesOf(keys)[i]]));
      let asked: number[] = [];
      const run: RunSteps = async (own, ...read) => {
        const pass = await gpu().time(own, ...read);
        const { routed, results } = own.at(-1)?.bindings ?? {};
        if (!routed || !results || "buffer" in routed || "buffer" in results) throw new Error("no routed queries");
        asked = [...(await gpu().read(routed, 2000))].filter((_, i) => i % 2 === 0);
        expect([...(await gpu().read(results, 1000))]).toEqual(asked.map((key) => known.get(key)));
        return pass;
      };
      expect(await table.find(keys, run)).toEqual(Uint32Array.from(valuesOf(keys)));
      expect(asked).not.toEqual(keys);
    },
  );
});

test.each<Params>([
  {},
  { R: 2, M: 8, h: 4 },
  { R: 4, M: 32, g: 8, h: 32 },
  { g: 1 },
  { g: 16 },
  { warp: "virtual" },
  { index: "workgroup", bucketsPerCell: 0.125 },
  { requester: false },
  { requester: false, R: 2, M: 8, g: 1, h: 4 },
])("with %o a find reads one bucket, whatever it asks for", async (params) => {
  const slots = parameters.of(params).M;
  await Buckets.on(gpu(), 2000, 0.6, { cellBits: 16, ...params }, async (table) => {
    const keys = keysFrom(0, 2000);
    await table.insert(keys, valuesOf(keys));
    for (const asked of [keys, keysFrom(5000, 777), [...keys.slice(0, 130), EMPTY, DELETED, 7]]) {
      const { run, counts } = countingRunner(gpu());
      await table.find(asked, run);
      const n = asked.length;
      expect(counts.kernels.get(params.index ? "find-routed" : "find")).toMatchObject({
        probes: n,
        reads: (n * slots) / 4,
        rmws: 0,
      });
    }
  });
});

test.each<Params>([{}, { requester: false }, { M: 4, g: 4, h: 4 }])(
  "without perfect hashing, %o, a find of an absent key reads two buckets, and one of a present key hardly more than one",
  async (params) => {
    await Buckets.on(gpu(), 3000, 0.5, { cellBits: 16, perfect: false, ...params }, async (table) => {
      const keys = keysFrom(0, 3000);
      expect(await table.insert(keys, valuesOf(keys))).toMatchObject({ count: 0 });
      const probes = async (asked: readonly number[]) => {
        const { run, counts } = countingRunner(gpu());
        await table.find(asked, run);
        return (counts.kernels.get("find-two")?.probes ?? 0) / asked.length;
      };
      // Of a key whose two buckets are the same, one.
      expect(await probes(keysFrom(5000, 1000))).toBeGreaterThan(1.98);
      const present = await probes(keys);
      expect(present).toBeGreaterThan(1);
      expect(present).toBeLessThan(1.08);
    });
  },
);

test("of a key that a batch has many times, a lane a workgroup looks for a slot, and one of the values stays", async () => {
  const groups = 8;
  const n = 256 * groups;
  await Buckets.on(gpu(), n, 0.4, {}, async (table) => {
    const [once = 0, again = 0, ...others] = keysFrom(0, n / 2);
    // Half of the lanes have one key, and a few another; every fourth has its own.
    const keys = Array.from({ length: n }, (_, i) => (i % 2 === 0 ? once : i % 4 === 1 ? (others[i] ?? 1) : again));
    const { run, counts } = countingRunner(gpu());
    expect(await table.insert(keys, valuesOf(keys), 0, run)).toMatchObject({ count: 0 });
    const pairs = await table.pairs();
    expect([...pairs.keys()].sort()).toEqual([...new Set(keys)].sort());
    for (const [key, value] of pairs) expect(value).toBe(key >>> 1);
    // A lane that the other's or a third key hides the owner from goes by itself.
    const { probes = 0 } = counts.kernels.get("fill") ?? {};
    expect(probes).toBeGreaterThanOrEqual(pairs.size);
    expect(probes).toBeLessThan(0.4 * n);
  });
});

test("every copy of a key that is refused is counted", async () => {
  const n = 1000;
  await Buckets.on(gpu(), n, 1, {}, async (table) => {
    const keys = keysFrom(0, n).flatMap((key) => [key, key, key]);
    const { count } = await table.insert(keys, valuesOf(keys));
    const pairs = await table.pairs();
    expect(pairs.size).toBeLessThan(n);
    expect(count).toBeGreaterThanOrEqual(3 * (n - pairs.size));
  });
});

test("beyond what relocation can do pairs are refused and counted; the others are found and can be overwritten", async () => {
  const n = 4000;
  await Buckets.on(gpu(), n, 1, {}, async (table) => {
    const keys = keysFrom(0, n);
    const { count } = await table.insert(keys, valuesOf(keys));
    expect(count).toBeGreaterThan(0);
    const pairs = await table.pairs();
    expect(pairs.size).toBe(n - count);
    expect(await table.find(keys)).toEqual(Uint32Array.from(keys, (key) => pairs.get(key) ?? EMPTY));
    expect(await table.full()).toBeGreaterThan(0);
    const kept = [...pairs.keys()];
    expect(await table.insert(kept, valuesOf(kept, 6))).toMatchObject({ count: 0 });
    expect(table.table.moves).toBe(0);
    expect([...(await table.find(kept))]).toEqual(valuesOf(kept, 6));
    expect((await table.pairs()).size).toBe(kept.length);
    // Insertions that are refused again change nothing.
    const lost = keys.filter((key) => !pairs.has(key));
    const again = await table.insert(lost, valuesOf(lost));
    expect((await table.pairs()).size).toBe(kept.length + lost.length - again.count);
    expect([...(await table.find(kept))]).toEqual(valuesOf(kept, 6));
  });
});

test("a cell with more pairs than its buckets have slots: those that fit are found, the others refused", async () => {
  // One cell, 8 buckets of 4 slots.
  const params = { bucketsPerCell: 64, cellBits: 16, M: 4, g: 2, h: 4 };
  await Buckets.on(gpu(), 10, 0.5, params, async (table) => {
    expect(table.table.sizes.cells).toBe(1);
    const keys = keysFrom(0, 24);
    expect(await table.insert(keys, valuesOf(keys))).toMatchObject({ count: 0 });
    // With more keys than slots in a virtual bucket no offset would do.
    expect(table.table.moves).toBeGreaterThan(0);
    expect([...(await table.find(keys))]).toEqual(valuesOf(keys));
    const more = keysFrom(24, 40);
    const { count } = await table.insert(more, valuesOf(more));
    expect(count).toBeGreaterThanOrEqual(32);
    expect((await table.pairs()).size).toBe(64 - count);
    expect([...(await table.find(keys))]).toEqual(valuesOf(keys));
  });
});

test("one key many times in a batch whose buckets overflow is stored once, with one of its values", async () => {
  const n = 3000;
  // The most that the table takes without refusals. At 0.85 up to 3 % of the orders of insertion leave a pair no valid
  // relocation, and the schedule decides on the order.
  await Buckets.on(gpu(), n, 0.7, { cellBits: 16, refusals: false }, async (table) => {
    const some = keysFrom(0, n);
    const keys = [...some, ...some, ...some, ...some];
    expect(await table.insert(keys, [...keys.keys()])).toMatchObject({ count: 0 });
    expect(table.table.moves).toBeGreaterThan(0);
    const pairs = await table.pairs();
    expect(pairs.size).toBe(n);
    for (const [key, value] of pairs) expect(keys[value]).toBe(key);
    expect([...(await table.find(some))]).toEqual(some.map((key) => pairs.get(key)));
  });
});

test("tables of few buckets take all pairs, too: a cell finds a mapping whose buckets differ", async () => {
  const n = 257;
  await Buckets.on(gpu(), n, 0.5, { R: 16, M: 4, h: 4 }, async (table) => {
    for (let round = 0; round < 60; round++) {
      await table.table.clear();
      const keys = keysFrom(n * round, n);
      expect(await table.insert(keys, valuesOf(keys))).toMatchObject({ count: 0 });
    }
  });
});

test("the same insertion into a cleared table finds a cell index that knows nothing of the one before", async () => {
  await Buckets.on(gpu(), 2000, 0.7, { cellBits: 16 }, async (table) => {
    const [first, second] = [keysFrom(0, 2000), keysFrom(2000, 2000)];
    await table.insert(first, valuesOf(first));
    await table.table.clear();
    expect([...(await table.find(first))].every((value) => value === EMPTY)).toBe(true);
    expect(await table.insert(second, valuesOf(second))).toMatchObject({ count: 0 });
    expect([...(await table.find(second))]).toEqual(valuesOf(second));
  });
});

test("groups of lanes that do not go with the slots, and load factors with refusals, are refused in one line", async () => {
  const make = (loadFactor: number, params: Params) =>
    Buckets.on(gpu(), 1000, loadFactor, { refusals: false, ...params }, async () => undefined);
  await expect(make(0.5, { M: 4, h: 8 })).rejects.toThrow("gph: an insert group of 8 lanes for 4 slots");
  await expect(make(0.5, { M: 8, g: 16 })).rejects.toThrow("gph: a lookup group of 16 lanes for 8 slots");
  await expect(make(0.5, { M: 32, g: 1 })).rejects.toThrow("gph: a lane of 1 would hold 32 slots; 16 at most");
  const routed = { index: "workgroup", perfect: false };
  await expect(make(0.5, routed)).rejects.toThrow("gph: without perfect hashing there is no cell index");
  await make(0.84, { perfect: false });
  await expect(make(0.7, {})).rejects.toThrow("gph: load factor 0.7 is beyond its 0.55");
  await make(0.7, { cellBits: 16 });
});
