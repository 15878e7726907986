import { describe, expect, test } from "vitest";
import { spared, testGpu } from "../../bench/device/testing.js";
import type { MixedArrays } from "../../bench/verify/bulk.js";
import { keyOf } from "../../datasets/random.js";
import { uniform } from "../../datasets/rng.js";
import { DELETED, EMPTY } from "../common/steps.js";
import { MIXED_KINDS, type Params } from "../table.js";
import { BLOCK_SLABS } from "./blocks.js";
import { slabHash, slabSet } from "./slab-hash.js";
import { binding, Slabs } from "./testing.js";

const gpu = testGpu();
/** Subgroups of 8 lanes take other paths in the first of each tests' parameters; the others are as with 4 lanes. */
const fewer = spared || process.env.HASHBENCH_LANES === "8";
const some = (all: readonly Params[], few = 1) => (fewer ? all.slice(0, few) : all);
const { insert: INSERT, find: FIND, erase: ERASE } = MIXED_KINDS;
const keysFrom = (first: number, count: number) => Array.from({ length: count }, (_, i) => keyOf(first + i, 99));
const valuesOf = (keys: readonly number[], salt = 0) => keys.map((key) => (key ^ salt) >>> 1);

/** One slice of random operations over a few keys; of a set, every value is 1. */
function slice(operations: number, keys: readonly number[], seed: number, set = false): MixedArrays {
  const draw = uniform(seed);
  const below = (n: number) => Math.floor(draw() * n);
  const items = Array.from({ length: operations }, () => ({
    kind: [INSERT, INSERT, FIND, ERASE][below(4)] ?? FIND,
    key: keys[below(keys.length)] ?? 0,
  }));
  return {
    kinds: items.map(({ kind }) => kind),
    keys: items.map(({ key }) => key),
    values: items.map((_, i) => (set ? 1 : seed * operations + i)),
    slices: [{ first: 0, count: operations }],
  };
}

/** Compares what one slice answered and left with what may be, key by key. */
function checkSlice(batch: MixedArrays, answers: Uint32Array, before: Map<number, number>, after: Map<number, number>) {
  for (const key of new Set(Array.from(batch.keys))) {
    const mine = Array.from(batch.keys, (_, i) => i).filter((i) => batch.keys[i] === key);
    const of = (kind: number) => mine.filter((i) => batch.kinds[i] === kind);
    const written = of(INSERT).map((i) => batch.values[i] ?? 0);
    const [had, has] = [before.get(key), after.get(key)];
    const known = had === undefined ? written : [...written, had];
    expect(of(INSERT).every((i) => answers[i] === 1)).toBe(true);
    const absent = had === undefined || of(ERASE).length > 0 ? [EMPTY] : [];
    for (const i of of(FIND)) expect([...known, ...absent]).toContain(answers[i]);
    const struck = of(ERASE).filter((i) => answers[i] === 1).length;
    expect(struck).toBeLessThanOrEqual(known.length);
    if (of(ERASE).length === 0 || struck === 0) expect(has !== undefined).toBe(known.length > 0);
    if (has === undefined) expect(struck > 0 || known.length === 0).toBe(true);
    else expect(struck === 0 && written.length > 0 ? written : known).toContain(has);
    // Nobody inserts: one of those that erase a key that is there does.
    if (written.length === 0) expect(struck).toBe(had !== undefined && of(ERASE).length > 0 ? 1 : 0);
  }
}

const configurations: readonly Params[] = [{}, { tile: 4 }, { tile: 32 }, { allocator: "slab-alloc" }, { buckets: 1 }];
describe.each(some(configurations, 2))("with %o", (params) => {
  test("mixed operations with repeated keys: every answer is one that may be, and no key is stored twice", async () => {
    await Slabs.on(gpu(), slabHash, 100, { buckets: 3, ...params }, async (slabs) => {
      let before = new Map<number, number>();
      for (let seed = 1; seed <= 6; seed++) {
        const batch = slice(2000, keysFrom(0, 30 * seed), seed);
        const { count, answers } = await slabs.mixed(batch);
        expect(count).toBe(0);
        const after = await slabs.pairs();
        checkSlice(batch, answers, before, after);
        before = after;
      }
    });
  });

  test("insertions of one key by all lanes leave one pair, with one of their values", async () => {
    await Slabs.on(gpu(), slabHash, 3000, params, async (slabs) => {
      const keys = [...keysFrom(0, 500), ...keysFrom(0, 500), ...keysFrom(0, 500), ...keysFrom(0, 500)];
      await slabs.insert(keys, [...keys.keys()]);
      const pairs = await slabs.pairs();
      expect(pairs.size).toBe(500);
      for (const [key, value] of pairs) expect(keys[value]).toBe(key);
    });
  });

  // What a tile does after growth is the same for every tile, and virtual warps take a minute for it.
  const grows = test.skipIf(params.tile === 32);
  // Few lists, whose ends most lanes wait for, of 133 slabs each: one of a thousand takes twenty seconds.
  const lists = params.buckets === 1 ? 8 : 200;
  grows(
    "a pool that is out of slabs grows in the middle of a batch: nothing is lost, nothing there twice",
    async () => {
      await Slabs.on(gpu(), slabHash, 100, { ...params, buckets: lists }, async (slabs) => {
        const keys = keysFrom(0, lists === 200 ? 30_000 : 16_000);
        const blocks = slabs.table.pool.blocks;
        expect(await slabs.insert(keys, valuesOf(keys))).toMatchObject({ count: 0 });
        expect(slabs.table.pool.blocks).toBeGreaterThan(blocks);
        expect((await slabs.pairs()).size).toBe(keys.length);
        expect(await slabs.find(keys)).toEqual(Uint32Array.from(valuesOf(keys)));
      });
    },
  );
});

test.each(some([{}, { tile: 32 }]))(
  "a set with %o: mixed operations with repeated keys, erasures, FLUSH",
  async (params) => {
    await Slabs.on(gpu(), slabSet, 100, { buckets: 3, ...params }, async (slabs) => {
      let before = new Map<number, number>();
      for (let seed = 1; seed <= 4; seed++) {
        const batch = slice(2000, keysFrom(0, 50 * seed), seed, true);
        const { count, answers } = await slabs.mixed(batch);
        expect(count).toBe(0);
        const after = await slabs.pairs();
        checkSlice(batch, answers, before, after);
        before = after;
      }
      const keys = [...before.keys()];
      expect(await slabs.erase(keys.slice(0, 50))).toMatchObject({ count: 50 });
      await slabs.flush();
      expect([...(await slabs.pairs()).keys()].sort()).toEqual(keys.slice(50).sort());
      const { pairs, nodes } = await slabs.table.nodes.occupancy();
      expect([pairs, nodes - 3]).toEqual([keys.length - 50, await slabs.allocated()]);
    });
  },
);

test("INSERT in a pool that grows stores every pair once", async () => {
  await Slabs.on(gpu(), slabHash, 100, { buckets: 200, unique: false }, async (slabs) => {
    const keys = keysFrom(0, 6000).flatMap((key) => [key, key, key, key]);
    expect(await slabs.insert(keys, [...keys.keys()])).toMatchObject({ count: 0 });
    expect(slabs.table.pool.blocks).toBeGreaterThan(1);
    const stored = (await slabs.lists()).slots.flat().filter(([key]) => key !== EMPTY);
    expect(stored.every(([key, value]) => keys[value] === key)).toBe(true);
    expect(stored.map(([, value]) => value).sort((a, b) => a - b)).toEqual([...keys.keys()]);
  });
});

test("a mixed batch that runs out of slabs goes on where it stopped, slice after slice", async () => {
  await Slabs.on(gpu(), slabHash, 100, { buckets: 150 }, async (slabs) => {
    const keys = keysFrom(0, 24_000);
    const half = keys.length / 2;
    // Each slice inserts some, then the next one asks for them and erases every third.
    const asked = [...keys.slice(0, half), ...keys.slice(0, half), ...keys.slice(half), ...keys.slice(half)];
    const kinds = asked.map((_, i) => (Math.floor(i / half) % 2 === 0 ? INSERT : i % 3 === 0 ? ERASE : FIND));
    const slices = [0, 1, 2, 3].map((i) => ({ first: i * half, count: half }));
    const { count, answers } = await slabs.mixed({ kinds, keys: asked, values: valuesOf(asked), slices });
    expect(count).toBe(0);
    expect(slabs.table.pool.blocks).toBeGreaterThan(1);
    const expected = asked.map((key, i) => (kinds[i] === FIND ? valuesOf([key])[0] : 1));
    expect(answers).toEqual(Uint32Array.from(expected));
    expect((await slabs.pairs()).size).toBe((keys.length * 2) / 3);
  });
});

test("where the device has no memory to grow, the pairs that did not get in are counted, and the table stays usable", async () => {
  // Base slabs and one memory block.
  const small = binding(slabHash, 200 + BLOCK_SLABS, 1);
  await Slabs.on(gpu(), small, 100, { buckets: 200 }, async (slabs) => {
    const keys = keysFrom(0, 30_000);
    const { count } = await slabs.insert(keys, valuesOf(keys));
    expect(count).toBeGreaterThan(0);
    const pairs = await slabs.pairs();
    expect(pairs.size + count).toBe(keys.length);
    expect(await slabs.find(keys)).toEqual(Uint32Array.from(keys, (key) => pairs.get(key) ?? EMPTY));
    // What is there can be replaced and erased, and nothing of the failed insertion is left to be done.
    const there = [...pairs.keys()];
    expect(await slabs.insert(there, valuesOf(there, 8))).toMatchObject({ count: 0 });
    expect([...(await slabs.find(there))]).toEqual(valuesOf(there, 8));
    expect(await slabs.erase(there)).toMatchObject({ count: there.length });
    // Flushed, there is room again.
    expect(await slabs.flush()).toMatchObject({ count: BLOCK_SLABS });
    expect(await slabs.insert(there, valuesOf(there))).toMatchObject({ count: 0 });
  });
});

test("where it has none for a mixed batch, the insertions of that slice are counted, and the slices after it run", async () => {
  const small = binding(slabHash, 200 + BLOCK_SLABS, 1);
  await Slabs.on(gpu(), small, 100, { buckets: 200 }, async (slabs) => {
    // Some of both slices, and some that nobody inserts.
    const [inserted, asked] = [keysFrom(0, 24_000), keysFrom(9000, 6025).concat(keysFrom(23_900, 200))];
    const keys = [...asked.slice(0, 7), ...inserted, ...asked, ...asked];
    const sizes = [7, 12_001, 11_999, asked.length, asked.length];
    const kinds = sizes.flatMap((size, i) =>
      new Array<number>(size).fill([FIND, INSERT, INSERT, FIND, ERASE][i] ?? FIND),
    );
    const slices = sizes.map((count, i) => ({ first: sizes.slice(0, i).reduce((sum, size) => sum + size, 0), count }));
    const { count, answers } = await slabs.mixed({ kinds, keys, values: valuesOf(keys), slices });
    const [, , , finds, erasures] = slices.map((slice) => answers.slice(slice.first, slice.first + slice.count));
    const got = answers.slice(7, 7 + inserted.length);
    expect(count).toBeGreaterThan(0);
    expect(got.filter((answer) => answer === 0).length).toBe(count);
    // What got in is there for the next slice, and for the one after it to erase.
    const there = new Set(inserted.filter((_, i) => got[i] === 1));
    const expected = (key: number) => (there.has(key) ? (valuesOf([key])[0] ?? 0) : EMPTY);
    expect(finds).toEqual(Uint32Array.from(asked, expected));
    expect(erasures).toEqual(Uint32Array.from(asked, (key) => (there.has(key) ? 1 : 0)));
    for (const key of asked) there.delete(key);
    expect(new Set((await slabs.pairs()).keys())).toEqual(there);
  });
});

describe.each(some([{}, { tile: 32 }, { allocator: "slab-alloc" }]))("INSERT, with %o", (params) => {
  test("keeps every pair; SEARCHALL finds them all, DELETE takes one, DELETEALL leaves none", async () => {
    await Slabs.on(gpu(), slabHash, 2000, { unique: false, ...params }, async (slabs) => {
      const keys = keysFrom(0, 100);
      const many = keys.flatMap((key, i) => new Array<number>(i % 21).fill(key));
      // One insertion after another: the list has them in this order.
      await slabs.insert(keys, valuesOf(keys));
      await slabs.insert(many, [...many.keys()]);
      const all = await slabs.findAll([...keys, ...keysFrom(100, 50), EMPTY]);
      for (const [i, key] of keys.entries()) {
        const [first, ...others] = all[i] ?? [];
        expect(first).toBe(valuesOf([key])[0]);
        expect(others.sort((a, b) => a - b)).toEqual([...many.keys()].filter((at) => many[at] === key));
      }
      expect(all.slice(100).flat()).toEqual([]);
      // The least recent one.
      expect([...(await slabs.find(keys))]).toEqual(valuesOf(keys));
      const some = [keys[1], keys[2], keys[2], keys[0], keys[0], keys[0]].map(Number);
      expect(await slabs.erase(some)).toMatchObject({ count: 4 });
      expect((await slabs.findAll(keys)).slice(0, 4).map((values) => values.length)).toEqual([0, 1, 1, 4]);
      const left = keys.slice(0, 50);
      const count = (await slabs.findAll(left)).flat().length;
      expect(await slabs.erase([...left, ...left, ...keysFrom(500, 20)], true)).toMatchObject({ count });
      expect((await slabs.findAll(left)).flat()).toEqual([]);
      // Their slots are used again.
      const { slabs: before } = await slabs.lists();
      await slabs.insert(left, valuesOf(left));
      expect((await slabs.lists()).slabs).toEqual(before);
      expect([...(await slabs.find(keys))]).toEqual(valuesOf(keys));
    });
  });
});

describe.each(some([{}, { allocator: "slab-alloc" }, { allocator: "bump" }]))("FLUSH, with %o", (params) => {
  test("leaves the fewest slabs, and those it frees are allocated again", async () => {
    await Slabs.on(gpu(), slabHash, 4000, { buckets: 40, ...params }, async (slabs) => {
      const keys = keysFrom(0, 4000);
      await slabs.insert(keys, valuesOf(keys));
      const kept = keys.filter((_, i) => i % 5 === 0);
      await slabs.erase(keys.filter((_, i) => i % 5 !== 0));
      const { slabs: before } = await slabs.lists();
      const { count } = await slabs.flush();
      const { slabs: after, slots } = await slabs.lists();
      const used = slots.map((list) => list.filter(([key]) => key !== EMPTY).length);
      expect(after).toEqual(used.map((pairs) => Math.max(1, Math.ceil(pairs / 15))));
      const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
      expect(count).toBe(sum(before) - sum(after));
      expect(await slabs.table.nodes.occupancy()).toMatchObject({
        pairs: kept.length,
        nodes: sum(after),
        utilisation: (kept.length * 8) / (sum(after) * 128),
      });
      expect([...(await slabs.find(keys))]).toEqual(keys.map((key, i) => (i % 5 === 0 ? valuesOf([key])[0] : EMPTY)));
      if (params.allocator !== "bump") {
        const { blocks } = slabs.table.pool;
        expect(await slabs.allocated()).toBe(sum(after) - 40);
        await slabs.insert(keys, valuesOf(keys, 4));
        expect((await slabs.lists()).slabs).toEqual(before);
        expect(slabs.table.pool.blocks).toBe(blocks);
      }
      expect((await slabs.pairs()).size).toBe(params.allocator === "bump" ? kept.length : keys.length);
    });
  });
});

test("an empty batch, a batch of one key, absent keys and an empty table", async () => {
  await Slabs.on(gpu(), slabHash, 1, { buckets: 1 }, async (slabs) => {
    const empty = { pairs: 0, nodes: 1, utilisation: 0 };
    expect(await slabs.flush()).toMatchObject({ count: 0 });
    expect(await slabs.table.nodes.occupancy()).toMatchObject(empty);
    expect(await slabs.insert([], [])).toMatchObject({ count: 0 });
    expect(await slabs.erase([])).toMatchObject({ count: 0 });
    expect(await slabs.erase(keysFrom(0, 40), true)).toMatchObject({ count: 0 });
    expect(await slabs.mixed({ kinds: [], keys: [], values: [], slices: [{ first: 0, count: 0 }] })).toMatchObject({
      count: 0,
    });
    expect(await slabs.findAll([7])).toEqual([[]]);
    expect(await slabs.insert([7], [70])).toMatchObject({ count: 0 });
    expect([...(await slabs.find([7, 8]))]).toEqual([70, EMPTY]);
    expect(await slabs.erase([8, 9])).toMatchObject({ count: 0 });
    expect(await slabs.erase([7, 7])).toMatchObject({ count: 1 });
    expect(await slabs.flush()).toMatchObject({ count: 0 });
    expect(await slabs.table.nodes.occupancy()).toMatchObject(empty);
  });
});

test.each([{}, { tile: 32 }])(
  "with overwrite insertions take the slots of erased keys, each key once: %o",
  async (params) => {
    await Slabs.on(gpu(), slabHash, 100, { buckets: 3, overwrite: true, ...params }, async (slabs) => {
      const old = keysFrom(0, 300);
      await slabs.insert(old, valuesOf(old));
      await slabs.erase(old.slice(0, 200));
      const { slabs: before } = await slabs.lists();
      // As many as were erased, each by many lanes, among keys that are there.
      const fresh = keysFrom(1000, 150);
      const keys = [...fresh, ...old.slice(200), ...fresh, ...fresh, ...fresh];
      expect(await slabs.insert(keys, valuesOf(keys, 4))).toMatchObject({ count: 0 });
      const pairs = await slabs.pairs();
      expect(pairs).toEqual(new Map([...fresh, ...old.slice(200)].map((key) => [key, (key ^ 4) >>> 1])));
      const { slabs: after, slots } = await slabs.lists();
      expect(after).toEqual(before);
      expect(slots.flat().filter(([key]) => key === DELETED).length).toBe(200 - fresh.length);
    });
  },
);
