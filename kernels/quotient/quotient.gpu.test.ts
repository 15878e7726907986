import { describe, expect, test } from "vitest";
import { testGpu } from "../../bench/device/testing.js";
import { countingRunner, countMetrics } from "../../bench/measure/counting/counters.js";
import { Mismatch, poisoned, upload } from "../../bench/verify/bulk.js";
import { Harness } from "../../bench/verify/harness.js";
import { keyOf } from "../../datasets/random.js";
import { uniform } from "../../datasets/rng.js";
import { further } from "../common/further.js";
import { DELETED, EMPTY } from "../common/steps.js";
import { createTable } from "../create.js";
import { DoesNotFit } from "../device/errors.js";
import { type Owner, scoped } from "../device/owned.js";
import { MIXED_KINDS, type RunSteps, type TableType } from "../table.js";
import { altered } from "../testing.js";
import { keyOfHash } from "./hash.js";
import { createBuckets, LAYOUTS, layoutFor, leastBuckets, parameters, quotient } from "./quotient.js";
import { distinctKeys, SEED, Simulated } from "./testing.js";

const gpu = testGpu();
const STASH = 64;
const valuesOf = (keys: readonly number[], salt: number) => keys.map((key) => (key ^ salt) >>> 1);
const times = <T>(items: readonly T[], count: number) => Array.from({ length: count }, () => items).flat();
const halves = (keys: readonly number[]) => [0, 1].map((half) => keys.filter((_, i) => i % 2 === half));

type Layout = (typeof LAYOUTS)[number] & { readonly banks?: number; readonly passes?: 1 | 2 | 3 | 4 };

/** The table with that layout and so many buckets, whatever it is made for, in so many `banks`, with insertions in so many `passes`. */
const having = (layout: Layout, buckets: number): TableType =>
  altered(quotient, () => ({
    create(own, { seed, counting }) {
      const { banks = 1, passes = 1 } = layout;
      const bytes = 32 * buckets + 8 * STASH;
      const bank = 32 * Math.ceil(bytes / 32 / banks);
      const device: Owner = banks > 1 ? Object.create(own, { maxBinding: { value: bank } }) : own;
      return createBuckets(device, layout, {
        buckets,
        stash: STASH,
        seed,
        params: parameters.of({ passes }),
        counting,
        further,
      });
    },
  }));

/** Does `work` with a table of that layout and so many buckets. */
const on = (layout: Layout, buckets: number, work: (table: Harness) => Promise<void>) =>
  Harness.on(gpu(), having(layout, buckets), 1, 0.5, work);

test("a table has the layout with the most pairs that its buckets allow", () => {
  expect([2 ** 24, 2 ** 24 - 1, 2 ** 20, 2 ** 20 - 1, 128].map((buckets) => layoutFor(buckets).pairs)).toEqual([
    6, 5, 5, 4, 4,
  ]);
  // What 8 bytes a pair take at that load factor.
  expect((quotient.bytes(1e8, 0.8) * 0.8) / 8e8).toBeCloseTo(1, 6);
});

test("all pairs get in at the largest load factor, in small tables too", async () => {
  for (const n of [480, 540, 700, 1500, 4000]) {
    await Harness.on(gpu(), quotient, n, quotient.maxLoadFactor, async (table) => {
      const keys = Array.from({ length: n }, (_, i) => keyOf(i, n));
      await table.insert(keys, valuesOf(keys, n));
      await table.find([...keys, ...Array.from({ length: n }, (_, i) => keyOf(n + i, n))]);
    });
  }
});

test.each([1, 3] as const)(
  "an insertion has %i passes, where the table is in banks too; the other operations have one",
  async (passes) => {
    const layout = { ...LAYOUTS[0], banks: 4, passes };
    await on(layout, 100, async ({ table }) => {
      const dispatches: number[] = [];
      const run: RunSteps = (steps, ...read) => {
        dispatches.push(steps.length);
        return gpu().time(steps, ...read);
      };
      await scoped(gpu(), async (own) => {
        const keys = await upload(own, [1, 2, 3]);
        await table.insert(run, { keys, values: keys, n: 3 });
        await table.find(run, { keys, results: await poisoned(own, 3), n: 3 });
        await table.erase?.(run, { keys, n: 3 });
      });
      expect(dispatches).toEqual([passes, 1, 1]);
    });
  },
);

const draw = uniform(7);

describe.each<Layout>([
  ...LAYOUTS.map((layout) => ({ ...layout, banks: 1, passes: 1 }) as const),
  // Not all banks are as large.
  { ...LAYOUTS[0], banks: 6, passes: 3 },
])("$pairs pairs a bucket, in $banks banks, $passes passes", (layout) => {
  const least = leastBuckets(layout);

  /** Keys whose first hashes are the smallest and the largest: each bucket's neighbours differ by least. */
  const neighbours = Array.from({ length: 900 }, (_, i) => keyOfHash(i < 450 ? i : 2 ** 32 - i, SEED)).filter(
    (key) => key < DELETED,
  );
  const half = halves(neighbours)[0] ?? [];
  const askAll = (buckets: number) =>
    on(layout, buckets, async (table) => {
      await table.insert(half, valuesOf(half, 1));
      await table.find(neighbours);
    });

  test.for([least, least + 2])("keys are told apart in %i buckets", async (buckets, { skip }) => {
    await askAll(buckets).catch((error: unknown) => {
      if (!(error instanceof DoesNotFit)) throw error;
      skip(error.message);
    });
  });

  test("in half as many they are not", async ({ skip }) => {
    const error: unknown = await askAll(least / 2).catch((thrown: unknown) => thrown);
    if (error instanceof DoesNotFit) skip(error.message);
    expect(error).toBeInstanceOf(Mismatch);
  });

  /** So few buckets that all fill up, and keys that their remainders tell apart all the same. */
  const BUCKETS = 64;
  const universe = distinctKeys(layout, BUCKETS, 900);
  const slots = BUCKETS * layout.pairs + STASH;

  test("pairs fill the buckets and the stash; those that find no slot are counted, and not there", async () => {
    await on(layout, BUCKETS, async (table) => {
      expect(table.table.slots).toBe(slots);
      for (const round of [1, 2]) {
        const refused = await table.refused(universe, valuesOf(universe, round));
        const answers = await table.answers(universe);
        const there = universe.filter((_, i) => answers[i] !== EMPTY);
        expect(there.length).toBe(universe.length - refused);
        expect(there.length).toBeGreaterThan(0.97 * slots);
        const expected = valuesOf(universe, round).filter((_, i) => answers[i] !== EMPTY);
        expect([...answers].filter((answer) => answer !== EMPTY)).toEqual(expected);
        // All slots are used again in the next round.
        expect(await table.erased(times(universe, 3))).toBe(there.length);
        await table.find(universe);
      }
    });
  });

  test("keys that many lanes insert, beside slots of erased keys, are there once", async () => {
    const some = universe.slice(0, Math.floor(0.9 * slots));
    await on(layout, BUCKETS, async (table) => {
      const each = some.flatMap((key) => times([key], 3));
      await table.insert(each, valuesOf(each, 1));
      const [gone = [], kept = []] = halves(some);
      await table.erase(gone);
      // Keys whose slots lie behind those that are free now, and new ones.
      const all = [...kept, ...universe.slice(some.length, some.length + gone.length)];
      await table.insert(times(all, 4), times(valuesOf(all, 2), 4));
      await table.find(universe);
      // A second copy would be found then. One of the neighbours that erase a key does, and is counted.
      await table.erase(all.flatMap((key) => times([key], 32)));
      await table.find(universe);
    });
  });

  test("it stays right in long use, with most pairs on other places than their first", async () => {
    const draw = uniform(layout.pairs);
    const pick = (count: number) => universe.slice(0, slots - 30).filter(() => draw() < count / slots);
    await on(layout, BUCKETS, async (table) => {
      for (let round = 0; round < 40; round++) {
        const some = pick(150);
        await table.insert([...some, ...some], times(valuesOf(some, round), 2));
        await table.find(universe);
        await table.erase(pick(90));
        await table.find(universe);
      }
      await table.erase(universe);
      await table.find(universe);
    });
  });

  test("insertions, searches and erasures of one slice all get an answer that may be, and leave what they should", async () => {
    await on(layout, BUCKETS, async (table) => {
      const [kept, leaving, coming] = [0, 1, 2].map((i) => universe.slice(100 * i, 100 * (i + 1))) as [
        number[],
        number[],
        number[],
      ];
      const { insert, find, erase } = MIXED_KINDS;
      for (let round = 0; round < 6; round++) {
        const there = [...kept, ...leaving];
        await table.insert(there, valuesOf(there, round));
        const next = valuesOf(coming, round + 1);
        const operations = [
          ...times(kept, 3).map((key) => ({ kind: find, key, answers: valuesOf([key], round) })),
          ...leaving.map((key) => ({ kind: erase, key, answers: [1] })),
          ...leaving.map((key) => ({ kind: find, key, answers: [EMPTY, ...valuesOf([key], round)] })),
          ...coming.map((key, i) => ({ kind: insert, key, value: next[i], answers: [1] })),
          ...times(coming, 3).map((key) => ({ kind: find, key, answers: [EMPTY, ...valuesOf([key], round + 1)] })),
          ...universe.slice(300, 600).map((key) => ({ kind: find, key, answers: [EMPTY] })),
        ].map((one) => ({ one, at: draw() }));
        const batch = operations.toSorted((a, b) => a.at - b.at).map(({ one }) => one);
        const answers = await table.mixed({
          kinds: Uint32Array.from(batch, ({ kind }) => kind),
          keys: Uint32Array.from(batch, ({ key }) => key),
          values: Uint32Array.from(batch, (one) => ("value" in one ? (one.value ?? 0) : 0)),
          slices: [{ first: 0, count: batch.length }],
        });
        for (const [i, one] of batch.entries()) expect(one.answers, `${one.kind}, ${one.key}`).toContain(answers[i]);
        const stored = [...kept, ...coming];
        const found = [...valuesOf(kept, round), ...next, ...leaving.map(() => EMPTY)];
        expect([...(await table.answers([...stored, ...leaving]))]).toEqual(found);
        // A second copy would be found after the first is gone.
        expect(await table.erased(times(stored, 2))).toBe(stored.length);
        expect(await table.erased(universe)).toBe(0);
      }
    });
  });

  // It reads the table as one buffer.
  test.skipIf((layout.banks ?? 1) > 1)(
    "an erased slot keeps no value, which a search beside the next insertion could see",
    async () => {
      const some = universe.slice(0, Math.floor(0.9 * slots));
      await scoped(gpu(), async (own) => {
        const type = having(layout, BUCKETS);
        const table = await createTable(type, own, {
          n: 1,
          loadFactor: 0.5,
          seed: SEED,
          params: {},
          counting: false,
        });
        const [memory] = own.storage();
        if (!memory) throw new Error("the table has no memory");
        await table.clear();
        const run: RunSteps = (...pass) => gpu().time(...pass);
        const [keys, values] = [await upload(own, some), await upload(own, valuesOf(some, 1))];
        const stored = async () => {
          const words = await gpu().read(memory, table.bytes / 4);
          const isValue = (i: number) => (i < 8 * BUCKETS ? i % 8 >= 8 - layout.pairs : i % 2 === 1);
          return words.filter((word, i) => isValue(i) && word !== EMPTY).length;
        };
        await table.insert(run, { keys, values, n: some.length });
        expect(await stored()).toBe(some.length);
        await table.erase?.(run, { keys, n: some.length });
        expect(await stored()).toBe(0);
      });
    },
  );

  test("probes are those of a simulation, and an insertion takes one RMW beside those that clear marks", async () => {
    // Fewer differ by chance from the simulation, as the lanes' order is any.
    const buckets = 2500;
    const simulated = new Simulated(layout, buckets, SEED);
    const n = Math.floor(0.9 * 0.125 * 32 * buckets);
    const keys = distinctKeys(layout, buckets, 2 * n);
    for (const key of keys.slice(0, n)) simulated.insert(key);
    const counted = await countedIn(having(layout, buckets), keys, n);
    // Insertions that run at once come in another order.
    expectWithin(0.05, counted.present.probes, simulated.probes(keys.slice(0, n)));
    expectWithin(0.05, counted.absent.probes, simulated.probes(keys.slice(n, 2 * n)));
    expect(counted.insert.table_writes).toBe(1);
    // Several lanes may clear one mark at once, and lose a slot to each other.
    expectWithin(0.1, counted.insert.table_rmws, 1 + simulated.cleared / n);
    // Lanes whose keys are of other passes are there too.
    for (const { balance } of Object.values(counted)) expect(balance).toBeLessThanOrEqual(1);
    expect(counted.present[`requests_in_${32 * buckets + 8 * STASH}`]).toBe(counted.present.table_reads);
  });
});

function expectWithin(share: number, counted = 0, simulated: number): void {
  expect(Math.abs(counted / simulated - 1)).toBeLessThan(share);
}

/** What an insertion of the first n keys counts, and searches for these and for the n next ones; each by operation. */
function countedIn(type: TableType, keys: readonly number[], n: number) {
  return scoped(gpu(), async (own) => {
    const table = await createTable(type, own, { n, loadFactor: 0.5, seed: SEED, params: {}, counting: true });
    await table.clear();
    const metricsOf = async (work: (run: RunSteps) => Promise<unknown>) => {
      const { run, counts } = countingRunner(gpu());
      await work(run);
      return Object.fromEntries(
        countMetrics(counts, n, table).map(({ metric, value }) => [metric, value ?? undefined]),
      );
    };
    const [present, absent] = [await upload(own, keys.slice(0, n)), await upload(own, keys.slice(n, 2 * n))];
    const results = await poisoned(own, n);
    return {
      insert: await metricsOf((run) => table.insert(run, { keys: present, values: present, n })),
      present: await metricsOf((run) => table.find(run, { keys: present, results, n })),
      absent: await metricsOf((run) => table.find(run, { keys: absent, results, n })),
    };
  });
}
