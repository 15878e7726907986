import { describe, expect, test } from "vitest";
import { openDawn } from "../../bench/device/dawn.js";
import type { WebGpu } from "../../bench/device/gpu.js";
import { spared, testGpu } from "../../bench/device/testing.js";
import { upload } from "../../bench/verify/bulk.js";
import { Harness } from "../../bench/verify/harness.js";
import { casesFor, testCases } from "../../bench/verify/testing.js";
import { keyOf } from "../../datasets/random.js";
import { bucketed } from "../bucketed/bucketed.js";
import { further } from "../common/further.js";
import { DELETED, EMPTY, WORKGROUP } from "../common/steps.js";
import { configure } from "../define.js";
import { USAGE } from "../device/commands.js";
import { scoped } from "../device/owned.js";
import { statusOf } from "../device/status.js";
import { createBuckets, LAYOUTS, parameters, quotient } from "../quotient/quotient.js";
import { distinctKeys, SEED, Simulated } from "../quotient/testing.js";
import type { GpuTable, RunSteps } from "../table.js";
import { altered } from "../testing.js";
import { partitionedBuild } from "./partitioned.js";

const gpu = testGpu();
const PARAMS = { partitioned: true };
const range = (first: number, count: number) => Array.from({ length: count }, (_, i) => keyOf(first + i, 99));
const times = <T>(items: readonly T[], count: number) => Array.from({ length: count }, () => items).flat();
const valuesOf = (keys: readonly number[], salt: number) => keys.map((key) => (key ^ salt) >>> 1);

// The passes are the same for both tables: what builds their parts is compiled by SwiftShader for one.
describe.each(spared ? [bucketed] : [bucketed, quotient])("$id", (type) => {
  const partitioned = configure(type, PARAMS);
  // Sizes at which the build has two passes, and quotient other layouts, are below, with fewer pairs.
  // SwiftShader has only what compiles kernels of its own.
  const own = spared ? [] : casesFor(partitioned).filter(({ name }) => !name.startsWith("pairs beyond"));
  testCases(own, gpu, partitioned);

  /** Buckets of 4 slots in 8 bytes a slot: a few more and a few less than parts of 512 hold, and than a power of two. */
  test.each(spared ? [9000] : [2050, 4090, 4100, 9000, 40_000])(
    "%i pairs fill a table, and all are found",
    async (n) => {
      await Harness.on(gpu(), partitioned, n, 0.95, async (table) => {
        const keys = range(0, n);
        await table.insert(keys, valuesOf(keys, 1));
        await table.find([...keys, ...range(n, n)]);
      });
    },
  );

  test("one insertion of an eighth of the slots and more into a cleared table is partitioned, and no other", async () => {
    await Harness.on(gpu(), partitioned, 5000, 0.8, async ({ table }) => {
      const steps: number[] = [];
      const run: RunSteps = (all, status) => {
        steps.push(all.length);
        return gpu().time(all, status);
      };
      const words = new Uint32Array(5000).map((_, i) => keyOf(i, 1));
      const keys = await gpu().alloc("test", words.byteLength);
      gpu().write(keys, 0, words);
      const insert = (n: number, first = 0) => table.insert(run, { keys, values: keys, n, first });
      try {
        for (const n of [5000, 5000, 100]) await insert(n);
        await table.clear();
        const back = table.storage?.restorable?.remember();
        const eighth = Math.ceil(table.slots / 8);
        await insert(eighth - 1);
        await insert(4000);
        back?.();
        await insert(eighth);
        await table.clear();
        await insert(4000, 1000);
      } finally {
        gpu().free(keys);
      }
      expect(steps.map((count) => count > 1)).toEqual([true, false, false, false, false, true, false]);
    });
  });

  test("a key that occurs over and over is there once, and hides no other", async () => {
    const others = range(0, 6000);
    const often = [keyOf(7, 99), keyOf(8000, 99)];
    await Harness.on(gpu(), partitioned, 8000, 0.8, async (table) => {
      const keys = [...others.slice(0, 3000), ...times(often, 10_000), ...others, ...others.slice(3000)];
      await table.insert(keys, valuesOf(keys, 2));
      await table.find([...keys, ...range(8001, 2000)]);
      await table.erase([...others, ...often]);
      await table.find([...keys, ...range(8001, 2000)]);
    });
  });

  test("keys that occur twice, and find their first buckets full, are there once", async () => {
    await Harness.on(gpu(), partitioned, 51_000, 0.85, async (table) => {
      // No bin overflows: what is left over begins at the key's last bucket of the part.
      const keys = range(0, 45_000);
      const all = [...keys, ...keys.slice(0, 6000)];
      await table.insert(all, valuesOf(all, 1));
      await table.erase(keys);
      await table.find(keys);
    });
  });

  // More than 512 parts of 512 buckets: two passes. A key that fills the bins of both, as a whole and in its part.
  test.skipIf(spared)("two passes, and a key that occurs over and over", async () => {
    const others = range(0, 160_000);
    const keys = [...others.slice(0, 80_000), ...times([keyOf(7, 99)], 40_000), ...others.slice(80_000)];
    await Harness.on(gpu(), partitioned, 1_060_000, 0.9, async (table) => {
      for (const salt of [1, 2]) {
        await table.table.clear();
        await table.insert(keys, valuesOf(keys, salt));
        await table.find([...keys.slice(70_000, 130_000), ...range(160_000, 50_000)]);
      }
    });
  });

  test("where there are no subgroups, and no workgroups of more than 256 lanes", async () => {
    const { info } = gpu();
    const limits = { ...info.limits, maxComputeInvocationsPerWorkgroup: 256 };
    const plain: WebGpu = Object.create(gpu(), { info: { value: { ...info, limits, features: [] } } });
    await Harness.on(plain, partitioned, 9000, 0.95, async (table) => {
      const keys = [...range(0, 9000), ...times([keyOf(7, 99)], 3000)];
      await table.insert(keys, valuesOf(keys, 1));
      await table.find([...keys, ...range(9000, 9000)]);
    });
  });

  test("reserved keys are counted, and not there", async () => {
    await Harness.on(gpu(), partitioned, 4000, 0.8, async (table) => {
      const keys = [...range(0, 2000), ...times([EMPTY, DELETED], 5), ...range(2000, 1000)];
      expect(await table.refused(keys, keys)).toBe(10);
      expect([...(await table.answers(keys))]).toEqual(keys.map((key) => (key < DELETED ? key : EMPTY)));
    });
  });
});

// Metal and D3D clamp what is read past a buffer's end, as Vulkan without this does; else the words in it are read.
const CLAMPS = ["-vulkan_use_buffer_robust_access_2"];

// Dawn clamps, whichever the adapter is.
test.skipIf(spared)("pairs in buffers that end within four pairs are all there", async () => {
  const clamping = await openDawn({ adapter: process.env.HASHBENCH_ADAPTER ?? "", robust: true, toggles: CLAMPS });
  const upload = (words: readonly number[]) => {
    const buffer = clamping.device.createBuffer({ size: 4 * words.length, usage: USAGE.STORAGE | USAGE.COPY_DST });
    clamping.write(buffer, 0, Uint32Array.from(words));
    return buffer;
  };
  try {
    for (const n of [9001, 9002, 9003]) {
      await Harness.on(clamping, configure(bucketed, PARAMS), n, 0.8, async (table) => {
        const keys = range(0, n);
        const values = valuesOf(keys, 1);
        const run: RunSteps = (steps, ...read) => {
          expect(steps.length).toBeGreaterThan(1);
          return clamping.time(steps, ...read);
        };
        const { count } = await table.table.insert(run, { keys: upload(keys), values: upload(values), n });
        expect(count).toBe(0);
        table.knows(keys.map((key, i) => [key, values[i] ?? 0] as const));
        await table.find([...keys, ...range(n, 100)]);
      });
    }
  } finally {
    clamping.destroy();
  }
});

/** Builds the table, and says how many pairs the parts left over. */
async function leftOver(table: GpuTable, keys: readonly number[]): Promise<number> {
  let left = Number.NaN;
  const run: RunSteps = async (steps, ...read) => {
    const pass = await gpu().time(steps, ...read);
    left = statusOf(pass.status).left;
    return pass;
  };
  await scoped(gpu(), async (own) => {
    const words = await upload(own, keys);
    await table.insert(run, { keys: words, values: words, n: keys.length });
  });
  return left;
}

test("bucketed: few pairs are left over, as a key has seven buckets of its part", async () => {
  const n = 40_000;
  await Harness.on(gpu(), configure(bucketed, PARAMS), n, 0.8, async ({ table }) => {
    const left = await leftOver(table, range(0, n));
    // A simulation says 0.3 %; with four buckets it would be 1.8 %.
    expect(left).toBeGreaterThan(0.0015 * n);
    expect(left).toBeLessThan(0.005 * n);
  });
});

describe.skipIf(spared).each(LAYOUTS)("quotient, $pairs pairs a bucket", (layout) => {
  const [BUCKETS, STASH] = [700, 64];
  const own = altered(quotient, (_, given) => ({
    create(gpu, { seed, counting }) {
      const params = parameters.of(given);
      // Its lanes insert what is left over in several turns.
      const build = partitionedBuild("QUOTIENT", { restGroups: 1 });
      return createBuckets(gpu, layout, { buckets: BUCKETS, stash: STASH, seed, params, counting, build, further });
    },
  }));
  const universe = distinctKeys(layout, BUCKETS, 6000);

  test("few pairs are left over: a key's second bucket is in its part", async () => {
    await Harness.on(
      gpu(),
      own,
      1,
      0.5,
      async ({ table }) => {
        // What takes 8 bytes a pair at load factor 0.8.
        const keys = universe.slice(0, 3.2 * BUCKETS);
        const simulated = new Simulated(layout, BUCKETS, SEED);
        for (const key of keys) simulated.insert(key);
        const left = await leftOver(table, keys);
        const expected = simulated.beyond(2);
        expect(simulated.beyond(1)).toBeGreaterThan(1.5 * expected);
        expect(Math.abs(left - expected)).toBeLessThan(4 * Math.sqrt(expected) + 3);
      },
      { params: PARAMS },
    );
  });

  test("all slots are filled; then keys come and go", async () => {
    await Harness.on(
      gpu(),
      own,
      1,
      0.5,
      async (table) => {
        const { slots } = table.table;
        // Several for each lane that inserts them.
        expect(await leftOver(table.table, universe)).toBeGreaterThan(4 * WORKGROUP);
        await table.clear();
        const refused = await table.refused(universe, valuesOf(universe, 1));
        const answers = await table.answers(universe);
        const there = universe.filter((_, i) => answers[i] !== EMPTY);
        expect(there.length).toBe(universe.length - refused);
        expect(there.length).toBeGreaterThan(0.97 * slots);
        await table.clear();
        const some = universe.slice(0, Math.floor(0.8 * slots));
        const all = [...times(some.slice(0, 1000), 3), ...some];
        await table.insert(all, valuesOf(all, 2));
        await table.find(universe);
        // Once each: no key is there a second time.
        await table.erase(some.slice(0, 1500));
        await table.find(universe);
        // Each time another key is the only one that occurs twice: in one word of tags or in two.
        for (const key of universe.slice(some.length, some.length + 8)) {
          await table.clear();
          const once = some.slice(0, 1500);
          await table.insert([...once, key, key], valuesOf([...once, key, key], 4));
          await table.erase([key]);
          await table.find([...once, key]);
        }
        const late = universe.slice(some.length, some.length + 1000);
        await table.insert(late, valuesOf(late, 3));
        await table.find(universe);
      },
      { params: PARAMS },
    );
  });
});
