import { describe, expect, test } from "vitest";
import { testGpu, withEdits } from "../../bench/device/testing.js";
import { countingRunner, countMetrics } from "../../bench/measure/counting/counters.js";
import { upload } from "../../bench/verify/bulk.js";
import { casesFor, testCases } from "../../bench/verify/testing.js";
import { keyOf } from "../../datasets/random.js";
import { uniform } from "../../datasets/rng.js";
import { EMPTY } from "../common/steps.js";
import { configure } from "../define.js";
import { DoesNotFit } from "../device/errors.js";
import { scoped } from "../device/owned.js";
import { statusOf } from "../device/status.js";
import type { Params, RunSteps, TableType } from "../table.js";
import { dycuckoo } from "./dycuckoo.js";
import { megakv } from "./megakv.js";
import { Beside } from "./testing.js";

const gpu = testGpu();
const keysFrom = (first: number, count: number) => Array.from({ length: count }, (_, i) => keyOf(first + i, 99));
const valuesOf = (keys: readonly number[], salt = 0) => keys.map((key, i) => ((key + i) ^ salt) >>> 1);
const of = (type: TableType, params: Params) => ({ id: type.id, params, type });

/**
 * Values of each parameter; tiles of 4 lanes are below and in beyond.gpu.test.ts. Kernels of tables that resize are others than
 * those of tables that do not, and take as long to compile. MegaKV's are those of two sub-tables that swap.
 */
describe.each([
  of(dycuckoo, { resize: true }),
  of(dycuckoo, { tile: 32, subTables: 2, swap: true, locks: true, resize: true }),
  of(dycuckoo, { bucketSlots: 16, pairs: "beside", subTables: 3, locks: true, warp: "virtual", span: 8 }),
])("$id with $params", ({ type, params }) => {
  const own = configure(type, params);
  testCases(casesFor(own, "core"), gpu, own);
});

describe.each([
  of(dycuckoo, {}),
  // With the kernels of the second above.
  of(dycuckoo, { tile: 32, subTables: 2, swap: true, locks: true, alike: true, alpha: 0.4, beta: 0.9 }),
  // Near the largest alpha there is, by beta or by the fullest table.
  of(dycuckoo, { alpha: 0.67 }),
  of(dycuckoo, { subTables: 2, alpha: 0.62, beta: 1 }),
  of(dycuckoo, { subTables: 6, tile: 4, swap: true, locks: true, voter: false, span: 8, alpha: 0.8, beta: 1 }),
  of(megakv, {}),
  of(megakv, { alpha: 0.47, beta: 1 }),
])("$id, resized, with $params", ({ type, params }) => {
  const { alpha = 0.3, beta = 0.85 } = params;

  test("histories over many resizes: growth from nothing, shrinkage to nothing", async () => {
    await Beside.on(gpu(), type, { params: { resize: true, ...params } }, async (it) => {
      const draw = uniform(4);
      const universe = keysFrom(0, 4000);
      let [upsizes, downsizes] = [0, 0];
      // Two tides: insertions of keys new and old, then erasures of half of what there is; in the end of all.
      for (let batch = 0; batch < 16; batch++) {
        const inTide = batch % 8;
        const size = 1 + Math.floor(draw() * 2000);
        const some = Array.from({ length: size }, () => universe[Math.floor(draw() * universe.length)] ?? 0);
        const there = [...it.oracle.keys()].filter(() => inTide === 7 || draw() < 0.5);
        const { resizing } =
          inTide < 5 ? await it.insert(some, valuesOf(some, batch)) : await it.erase([...there, ...keysFrom(9000, 99)]);
        upsizes += resizing?.upsizes ?? 0;
        downsizes += resizing?.downsizes ?? 0;
        expect(resizing?.failed).toBe(0);
        await it.check([...universe, ...keysFrom(universe.length, 500)]);
        it.checkFilled(Number(alpha), Number(beta));
      }
      expect(upsizes).toBeGreaterThan(8);
      expect(downsizes).toBe(upsizes);
      expect(it.table.filling()).toMatchObject({ pairs: 0 });
    });
  });
});

/** A table that keeps its size by itself, with 256 buckets in sub-tables of one size, filled by the first of these keys. */
async function filled(subTables: number, pairs: number, work: (it: Beside, keys: readonly number[]) => Promise<void>) {
  const params = { resize: true, alike: true, alpha: 0, beta: 1, subTables };
  await Beside.on(gpu(), dycuckoo, { n: 7000, loadFactor: 7000 / 8192, params }, async (it) => {
    const keys = keysFrom(0, pairs);
    await it.insert(keys, valuesOf(keys));
    expect(it.table.slots).toBe(8192);
    await work(it, keys);
    await it.check([...keys, ...keysFrom(9000, 500)]);
  });
}

/** What each pass of a downsize left: residuals, then those for which evictions were in vain. */
async function leftBy(it: Beside): Promise<{ left: number[]; failed: number | undefined }> {
  const left: number[] = [];
  const run: RunSteps = async (steps, ...read) => {
    const pass = await gpu().time(steps, ...read);
    left.push(statusOf(pass.status).left);
    return pass;
  };
  const { resizing } = (await it.table.resizable?.resize(run, "down")) ?? {};
  return { left, failed: resizing?.failed };
}

test.each([2, 4])("residuals whose other bucket is full evict a pair there: %d sub-tables", async (subTables) => {
  // What the downsize leaves of the slots is filled to 0.9.
  await filled(subTables, Math.floor(8192 * (1 - 1 / (2 * subTables)) * 0.9), async (it) => {
    const { left, failed } = await leftBy(it);
    expect({ left, failed }).toEqual({ left: [expect.any(Number), 0], failed: 0 });
    expect(left[0]).toBeGreaterThan(0);
  });
});

test("where a residual finds no pair to evict, pairs that were evicted into the halved sub-table go back", async () => {
  await filled(2, 7700, async (it) => {
    // The one is full; of the other's buckets, once there are half as many, most are, and some have room.
    const words = await gpu().read(it.table.subTables.buffer(1), 128 * 32);
    await it.erase([...words].filter((key, i) => key !== EMPTY && i % 5 < 2));
    const { left, failed } = await leftBy(it);
    const [residuals = 0, inVain] = left;
    expect({ left, failed }).toEqual({ left: [residuals, inVain, 0], failed: 1 });
    expect(inVain).toBeGreaterThan(0);
    expect(residuals).toBeGreaterThanOrEqual(inVain ?? 0);
    expect(it.table.slots).toBe(8192);
  });
});

test("keys claim slots of their buckets from different lanes on", async () => {
  const tile = 8;
  await Beside.on(gpu(), dycuckoo, { n: 100, params: { tile } }, async ({ table, run }) => {
    const { keys: words } = table.subTables.bound();
    if (!words) throw new Error("no keys of the table");
    const lanes = new Set<number>();
    for (const key of keysFrom(0, 100)) {
      await table.clear();
      await scoped(gpu(), async (own) => {
        const keys = await upload(own, [key]);
        await table.insert(run, { keys, values: keys, n: 1 });
      });
      const slots = [...(await gpu().read(words, table.slots))];
      lanes.add(slots.indexOf(key) % tile);
    }
    expect([...lanes].toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });
});

test("without locks one key by all lanes is one pair", async () => {
  // Its four tiles look at a bucket together, and then claim slots.
  await Beside.on(gpu(), dycuckoo, { params: { warp: "virtual" } }, async (it) => {
    const keys = [...new Array<number>(500).fill(7), ...new Array<number>(500).fill(8)];
    expect(await it.insert(keys, [...keys.keys()])).toMatchObject({ count: 0 });
    await it.check([7, 8, 9]);
  });
});

test("with swap a pair whose first bucket is full evicts one, though its second bucket has room", async () => {
  const evictions = async (swap: boolean): Promise<number> => {
    const { run, counts } = countingRunner(gpu());
    await Beside.on(gpu(), dycuckoo, { n: 4000, loadFactor: 0.8, params: { swap } }, async (it) => {
      await scoped(gpu(), async (own) => {
        const words = await upload(own, keysFrom(0, 4000));
        expect(await it.table.insert(run, { keys: words, values: words, n: 4000 })).toMatchObject({ count: 0 });
      });
      for (const key of keysFrom(0, 4000)) it.oracle.set(key, key);
      await it.check(keysFrom(0, 5000));
    });
    return counts.kernels.get("evict")?.probes ?? 0;
  };
  expect(await evictions(true)).toBeGreaterThan(2 * (await evictions(false)));
});

test.each([{ locks: true }, { locks: false }])("batches that are ordered first, $locks", async ({ locks }) => {
  const n = 20_011;
  await Beside.on(gpu(), dycuckoo, { n, params: { regionKiB: 4, locks } }, async (it) => {
    let ordered = 0;
    const run: RunSteps = (steps, ...read) => {
      if (read.length === 0) ordered += 1;
      return gpu().time(steps, ...read);
    };
    // The second has keys of the first, a reserved one, and many copies of one.
    const batches = [keysFrom(0, n - 3000), [...keysFrom(n - 6000, 6000), EMPTY, ...new Array<number>(700).fill(7)]];
    for (const [batch, keys] of batches.entries()) {
      // What is before the first pair of the batch is none of it.
      const [before, values] = [keysFrom(50_000, 5), keys.map((key) => (key ^ batch) >>> 1)];
      const { count } = await scoped(gpu(), async (own) =>
        it.table.insert(run, {
          keys: await upload(own, [...before, ...keys]),
          values: await upload(own, [...before, ...values]),
          n: keys.length,
          first: before.length,
        }),
      );
      expect([ordered, count]).toEqual([batch + 1, batch]);
      for (const [i, key] of keys.entries()) if (key !== EMPTY) it.oracle.set(key, values[i] ?? 0);
      await it.check(keysFrom(50_000, 500));
    }
    // Too few for the table's size.
    await scoped(gpu(), async (own) => {
      const keys = await upload(own, keysFrom(90_000, 1000));
      await it.table.insert(run, { keys, values: keys, n: 1000 });
    });
    expect([ordered, it.table.filling()?.pairs]).toEqual([2, it.oracle.size + 1000]);
  });
});

test("an ordered batch goes through the table from its beginning to its end", async () => {
  const n = 20_011;
  await Beside.on(gpu(), dycuckoo, { n, loadFactor: 0.5, params: { regionKiB: 4 } }, async ({ table }) => {
    let inOrder: readonly number[] = [];
    const run: RunSteps = async (steps, ...read) => {
      const pass = await gpu().time(steps, ...read);
      const keys = steps.at(-1)?.bindings.keys_out;
      if (read.length === 0 && keys && !("buffer" in keys)) inOrder = [...(await gpu().read(keys, n))];
      return pass;
    };
    await scoped(gpu(), async (own) => {
      const keys = await upload(own, keysFrom(0, n));
      await table.insert(run, { keys, values: keys, n });
    });
    const { keys: words } = table.subTables.bound();
    if (!words) throw new Error("no keys of the table");
    // 16 buckets of 32 slots are 4 KiB of keys and values. Nearly every key is in the bucket that it goes to first.
    const region = new Map(
      [...(await gpu().read(words, table.slots))].map((key, slot) => [key, Math.floor(slot / 512)]),
    );
    const regions = inOrder.map((key) => region.get(key) ?? -1);
    const steps = regions.filter((here, i) => i > 0 && here < (regions[i - 1] ?? 0)).length;
    expect(inOrder.toSorted((a, b) => a - b)).toEqual(keysFrom(0, n).toSorted((a, b) => a - b));
    expect(steps).toBeLessThan(0.005 * n);
  });
});

describe.each([dycuckoo, megakv])("$id", (type) => {
  const resize = { resize: true };

  test("one key by all lanes, with different values, is one pair", async () => {
    for (const params of [{}, resize]) {
      await Beside.on(gpu(), type, { params }, async (it) => {
        const keys = [...new Array<number>(3000).fill(7), ...new Array<number>(3000).fill(8)];
        expect(await it.insert(keys, [...keys.keys()])).toMatchObject({ count: 0 });
        await it.check([7, 8, 9]);
      });
    }
  });

  test("a key that is there gets a value in one turn, however many lanes have the key", async () => {
    await Beside.on(gpu(), type, { n: 2000 }, async (it) => {
      await it.insert([7, 8], [1, 2]);
      const { run, counts } = countingRunner(gpu());
      await scoped(gpu(), async (own) => {
        const words = await upload(own, new Array(1000).fill(7));
        expect(await it.table.insert(run, { keys: words, values: words, n: 1000 })).toMatchObject({ count: 0 });
      });
      expect(countMetrics(counts, 1000).find(({ metric }) => metric === "probes")?.value).toBe(1);
      it.oracle.set(7, 7);
      await it.check([7, 8, 9]);
    });
  });

  test("many copies of keys whose buckets are full get in by evictions, once each", async () => {
    // Of its four tiles one gets the lock of a key that all of them have.
    const params = { warp: "virtual" };
    await Beside.on(gpu(), type, { n: 2000, loadFactor: 0.95, params }, async (it) => {
      const old = keysFrom(0, 1980);
      await it.insert(old, valuesOf(old));
      // Of 30 keys some have two full buckets.
      const keys = keysFrom(5000, 30).flatMap((key) => new Array<number>(200).fill(key));
      expect(await it.insert(keys, keys)).toMatchObject({ count: 0 });
      await it.check([...old, ...keys]);
    });
  });

  test("absent keys are not erased, nor those of an empty table", async () => {
    await Beside.on(gpu(), type, { n: 1000, params: resize }, async (it) => {
      expect(await it.erase(keysFrom(0, 500))).toMatchObject({ count: 0 });
      await it.insert(keysFrom(0, 100), keysFrom(0, 100));
      expect(await it.erase(keysFrom(100, 500))).toMatchObject({ count: 0 });
      expect(await it.insert([], [])).toMatchObject({ count: 0 });
      await it.check(keysFrom(0, 700));
    });
  });

  test("of a table that keeps its size, pairs that could not evict beside others do so in a pass of their own", async () => {
    const idle = withEdits(gpu(), "kernels/dycuckoo/evict.wgsl", {
      "  let has_one = left != 0u;": `  let has_one = left != 0u;
  if (batch.retry == 0u) {
    atomicAdd(&status.left, countOneBits(left));
    left = 0u;
  }`,
    });
    await Beside.on(idle, type, { n: 2000, loadFactor: 0.9 }, async (it) => {
      const keys = keysFrom(0, 2000);
      expect(await it.insert(keys, valuesOf(keys))).toMatchObject({ count: 0 });
      expect(it.oracle.size).toBe(2000);
      await it.check(keys);
    });
  });

  test("a full table that keeps its size refuses what does not fit, and holds what it held", async () => {
    await Beside.on(gpu(), type, { n: 2000, loadFactor: 0.95 }, async (it) => {
      const keys = keysFrom(0, 2300);
      await it.insert(keys.slice(0, 1900), valuesOf(keys));
      const { count } = await it.insert(keys, valuesOf(keys, 6));
      expect(count).toBeGreaterThan(0);
      expect(it.oracle.size).toBe(keys.length - count);
      expect(keys.slice(0, 1900).every((key) => it.oracle.has(key))).toBe(true);
      expect(it.oracle.size / it.table.slots).toBeGreaterThan(0.97);
      await it.check(keys);
      // As many as go fit in again.
      await it.erase(keys.slice(0, 1000));
      expect(await it.insert(keys.slice(0, 900), valuesOf(keys))).toMatchObject({ count: 0 });
      await it.check(keys);
    });
  });

  test("new and different keys, which are not looked for in their second buckets", async () => {
    await Beside.on(gpu(), type, { params: { ...resize, unique: false } }, async (it) => {
      for (let batch = 0; batch < 4; batch++) {
        const keys = keysFrom(batch * 2000, 2000);
        expect(await it.insert(keys, valuesOf(keys))).toMatchObject({ count: 0 });
      }
      await it.check(keysFrom(0, 9000));
    });
  });

  test.each(["relocate", "rehash"] as const)("single resizes, up and down: %s", async (how) => {
    await Beside.on(gpu(), type, { n: 5000, loadFactor: 0.6, params: resize }, async (it) => {
      const keys = keysFrom(0, 5000);
      await it.insert(keys, valuesOf(keys));
      const before = it.table.slots;
      for (const direction of ["up", "up", "down", "down"] as const) {
        const bytes = it.table.bytes;
        const { resizing } = (await it.table.resizable?.resize(it.run, direction, how)) ?? {};
        expect(resizing).toMatchObject({ failed: 0, [direction === "up" ? "upsizes" : "downsizes"]: 1 });
        expect(resizing?.peakBytes).toBeGreaterThan(Math.max(bytes, it.table.bytes));
        await it.check([...keys, ...keysFrom(5000, 500)]);
      }
      expect(it.table.slots).toBe(before);
    });
  });

  test("a downsizing for which there is no room leaves the table as it was", async () => {
    // Seven eighths of the slots are too few for the pairs.
    await Beside.on(gpu(), type, { n: 5000, loadFactor: 0.9, params: { ...resize, beta: 0.95 } }, async (it) => {
      const keys = keysFrom(0, 5000);
      await it.insert(keys, valuesOf(keys));
      const before = it.table.filling();
      for (let time = 0; time < 2; time++) {
        const { resizing } = (await it.table.resizable?.resize(it.run, "down")) ?? {};
        expect(resizing).toMatchObject({ failed: 1, downsizes: 0 });
        // Which sub-table of its two a pair is in may have changed.
        const { pairs, slots, bytes } = it.table.filling();
        expect({ pairs, slots, bytes }).toEqual({ pairs: 5000, slots: before.slots, bytes: before.bytes });
        await it.check([...keys, ...keysFrom(5000, 500)]);
      }
    });
  });

  test("where there is no memory to grow, pairs are refused and the table goes on", async () => {
    let most = Number.POSITIVE_INFINITY;
    const alloc = async (label: string, bytes: number) => {
      if (label.startsWith("sub-table") && bytes > most) throw new DoesNotFit(`${label}: no memory`);
      return gpu().alloc(label, bytes);
    };
    const small = Object.create(gpu(), { alloc: { value: alloc } });
    await Beside.on(small, type, { params: resize }, async (it) => {
      const keys = keysFrom(0, 9000);
      // A sub-table may have 32 buckets.
      most = 32 * 256;
      const { count, resizing } = await it.insert(keys, valuesOf(keys));
      expect(count).toBeGreaterThan(0);
      expect(resizing?.failed).toBeGreaterThan(0);
      expect(it.oracle.size).toBe(keys.length - count);
      await it.check(keys);
      const there = [...it.oracle.keys()];
      expect(await it.insert(there, valuesOf(there, 8))).toMatchObject({ count: 0 });
      await it.erase(there.slice(0, 500));
      await it.check(keys);
      most = Number.POSITIVE_INFINITY;
      expect(await it.insert(keys, valuesOf(keys))).toMatchObject({ count: 0 });
      await it.check(keys);
      it.checkFilled(0.3, 0.85);
    });
  });

  test("evictions that race for the pairs of a few buckets lose none", async () => {
    await Beside.on(gpu(), type, { n: 240, loadFactor: 0.94, params: { tile: 4 } }, async (it) => {
      for (let round = 0; round < 40; round++) {
        // Twice each: some find their copy at once, others once it has been evicted.
        const keys = keysFrom(300 * round, 230);
        await it.insert([...keys, ...keys], valuesOf([...keys, ...keys]));
        await it.check(keysFrom(300 * round, 300));
        await it.erase(keys);
      }
    });
  });

  test("a cleared table has the size that it began with", async () => {
    await Beside.on(gpu(), type, { params: resize }, async (it) => {
      const { slots, bytes } = it.table;
      await it.insert(keysFrom(0, 3000), keysFrom(0, 3000));
      expect(it.table.slots).toBeGreaterThan(slots);
      await it.table.clear();
      it.oracle.clear();
      expect(it.table.slots).toBe(slots);
      await it.check(keysFrom(0, 3000));
      // Nor has one that went back by itself more bytes.
      await it.insert(keysFrom(0, 3000), keysFrom(0, 3000));
      await it.erase(keysFrom(0, 3000));
      expect(it.table.slots).toBe(slots);
      await it.table.clear();
      expect(it.table.bytes).toBe(bytes);
    });
  });
});
