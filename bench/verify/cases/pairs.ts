/** Conformance of all tables with values, each case against the CPU oracle. */
import { shuffle } from "simple-statistics";
import { keyConstants, keyRange } from "../../../datasets/random.js";
import { uniform } from "../../../datasets/rng.js";
import { DELETED, EMPTY } from "../../../kernels/common/steps.js";
import type { Gpu } from "../../../kernels/device/gpu.js";
import type { TableType } from "../../../kernels/table.js";
import type { Making } from "../bulk.js";
import { type Case, Inconclusive, isSlow, type PartEnded, roundSeed } from "../case.js";
import { drawn, keysFrom, valuesFor, valueWords } from "../draw.js";
import { compare, Harness } from "../harness.js";

const SEED = 99;
const range = (from: number, count: number) => keysFrom(from, count, SEED);

const { on } = Harness;

/** Pairs and load factor where the size does not matter: one, because each is compiled anew on a software adapter. */
const USUAL = [3000, 0.8] as const;
/** The same where there are to be many workgroups. */
const many = ({ info }: Gpu) => [info.software ? 6007 : 50_001, 0.8] as const;

/** A check of a table of that size. */
const usual =
  (making: Making, work: (table: Harness, type: TableType) => Promise<void>): Case["check"] =>
  (gpu, type) =>
    on(gpu, type, ...USUAL, (table) => work(table, type), making);

async function insertAndAsk(table: Harness, n: number): Promise<void> {
  const keys = range(0, n);
  await table.insert(keys, valuesFor(keys, n));
  await table.find([...keys, ...range(n, n)]);
}

async function buildAndAsk(gpu: Gpu, type: TableType, n: number, loadFactor: number, fixed = false): Promise<void> {
  await on(gpu, type, n, loadFactor, (table) => insertAndAsk(table, n), { fixed });
}

/** Erases keys that were inserted several times: one that the table has twice is still found. */
async function erasedOnce(table: Harness, type: TableType, keys: number[]): Promise<void> {
  if (!type.ops.includes("erase")) return;
  await table.erase(keys);
  await table.find(keys);
}

export const cases: readonly Case[] = [
  {
    name: "one pair",
    needs: ["values"],
    check: (gpu, type) => buildAndAsk(gpu, type, 1, 0.8, true),
  },
  {
    name: "sizes around workgroups and warps",
    needs: ["values"],
    async check(gpu, type) {
      for (const n of [2, 33, 257]) await buildAndAsk(gpu, type, n, 0.6);
      await on(gpu, type, ...USUAL, async (table) => {
        for (const n of [2, 31, 32, 33, 255, 256, 257, 1000]) {
          await table.clear();
          await insertAndAsk(table, n);
        }
      });
    },
  },
  {
    name: "many pairs at the usual load factor",
    core: true,
    needs: ["values"],
    check: (gpu, type) => buildAndAsk(gpu, type, ...many(gpu), true),
  },
  {
    name: "many pairs at a high load factor",
    needs: ["values"],
    // Long lists and probe sequences: software adapters take ten seconds for them.
    check: (gpu, type) => buildAndAsk(gpu, type, isSlow(gpu, type) ? 8009 : 20_011, 0.95),
  },
  {
    name: "one key many times in one insertion",
    needs: ["values", "duplicates"],
    check: usual({ insertions: 5000 + 2999 }, async (table, type) => {
      await table.insert(new Array(5000).fill(7), new Array(5000).fill(70));
      await table.find([7, 8]);
      if (type.incremental) {
        // It took one slot only: the table still has room for the others.
        const keys = range(0, 2999);
        await table.insert(keys, valuesFor(keys, 1));
        await table.find([7, ...keys, ...range(2999, 100)]);
      }
      // Of many lanes one erases it.
      await erasedOnce(table, type, new Array(5000).fill(7));
    }),
  },
  {
    name: "every key a few times in one insertion",
    needs: ["values", "duplicates"],
    check: usual({ insertions: 8500 }, async (table, type) => {
      const draw = uniform(5);
      const keys = shuffle([...range(0, 3000), ...range(0, 3000), ...range(500, 2500)], draw);
      await table.insert(keys, valuesFor(keys, 2));
      await table.find([...range(0, 3000), ...range(3000, 3000)]);
      await erasedOnce(table, type, range(0, 3000));
      await table.clear();
      // Few keys, so that most parts of the table have none twice.
      const few = [...range(0, 2900), ...range(1000, 8)];
      await table.insert(few, valuesFor(few, 3));
      await table.find(range(0, 3000));
      await erasedOnce(table, type, range(0, 2900));
    }),
  },
  {
    name: "later values replace earlier ones",
    needs: ["values", "duplicates", "additions"],
    check: usual({}, async (table) => {
      const keys = range(0, 2000);
      await table.insert(keys, valuesFor(keys, 1));
      await table.insert(keys.slice(0, 700), valuesFor(keys.slice(0, 700), 2));
      await table.find(keys);
    }),
  },
  {
    name: "a cleared table is empty, and no value of the build before it comes back",
    needs: ["values"],
    check: usual({}, async (table) => {
      const keys = range(0, 3000);
      await table.insert(keys, valuesFor(keys, 1));
      await table.clear();
      await table.find(keys);
      await table.insert(keys, valuesFor(keys, 2));
      await table.find(keys);
    }),
  },
  {
    name: "the smallest and largest keys",
    needs: ["values"],
    check: (gpu, type) =>
      on(gpu, type, 16, 0.5, async (table) => {
        const keys = [0, 1, 2, 0x7fffffff, 0x80000000, 0xfffffffd, 0xfffffffc];
        await table.insert(keys, valuesFor(keys, 9));
        await table.find([...keys, 3, 0x80000001, EMPTY, DELETED]);
      }),
  },
  {
    name: "a random history of insertions, searches and erasures",
    core: true,
    random: true,
    needs: ["values"],
    check: (gpu, type, round, ended) => randomHistories(gpu, type, isSlow(gpu, type) ? SMALLEST : SMALL, round, ended),
  },
  {
    name: "a random history of a million keys",
    long: true,
    random: true,
    needs: ["values"],
    async check(gpu, type, round, ended) {
      if (isSlow(gpu, type)) throw new Inconclusive("takes minutes here");
      await randomHistories(gpu, type, LARGE, round, ended);
    },
  },
  {
    name: "pairs that the table refuses are counted, and all others are there",
    core: true,
    needs: ["values", "refusals"],
    check: refusing,
  },
];

/** At a load factor at which it refuses some of so few pairs. */
async function refusing(gpu: Gpu, type: TableType): Promise<void> {
  const n = 20_011;
  const most = Math.min(type.maxLoadFactor, 0.95, 1.5 * type.safeLoadFactor);
  const work = async (table: Harness) => {
    const keys = range(0, n);
    await table.takesOrRefuses(keys, valuesFor(keys, 1));
    const absent = range(n, n);
    compare(absent, await table.answers(absent), () => EMPTY);
  };
  await on(gpu, type, n, most, work, { most });
}

/** A universe of so many keys, which batches of up to 3/8 of it take operations from, and how many histories a round has. */
const SMALL = { keys: 4096, histories: 3 };
/** Where operations are slow. On a software adapter a quarter of the keys fills as many workgroups as run at a time. */
const SMALLEST = { keys: 1600, histories: 2 };
/** Beyond any cache of a multiprocessor, and with buckets that are full. */
const LARGE = { keys: 2 ** 20, histories: 1 };

async function randomHistories(
  gpu: Gpu,
  type: TableType,
  { keys, histories }: typeof SMALL,
  round: number,
  ended: PartEnded,
): Promise<void> {
  for (let seed = 1; seed <= histories; seed++) {
    await randomHistory(gpu, type, keys, uniform(roundSeed(seed, round)), ended);
  }
}

/** Batches of random operations over a universe of keys, so that keys come back. */
async function randomHistory(
  gpu: Gpu,
  type: TableType,
  universe: number,
  draw: () => number,
  ended: PartEnded,
): Promise<void> {
  // The oracle, by number of the key: a Map of a million keys takes most of a history's time.
  const keys = keyRange(0, universe + universe / 8, keyConstants(SEED));
  const expected = new Uint32Array(keys.length);
  const keysOf = (items: Uint32Array) => items.map((item) => keys[item] ?? 0);
  const asked = Uint32Array.from(keys.keys());
  const inserted = asked.slice(0, universe);
  // Where erased slots are not reused the table is sized for everything that is ever inserted; else for less than that.
  const { n, loadFactor, batches } = type.reusesSlots
    ? { n: universe, loadFactor: 0.95, batches: 24 }
    : { n: 3 * universe, loadFactor: 0.6, batches: 8 };
  const history = async (table: Harness): Promise<void> => {
    expected.fill(EMPTY);
    for (let batch = 0; batch < batches; batch++) {
      const picks = drawn(inserted, draw, 1 + Math.floor((draw() * 3 * universe) / 8));
      const kind = draw();
      if (kind < 0.5) {
        // A table that cannot be added to is built anew.
        if (!type.incremental) {
          await table.clear();
          expected.fill(EMPTY);
        }
        const some = type.duplicates ? picks : picks.filter((item) => expected[item] === EMPTY);
        const own = keysOf(some);
        const values = valueWords(own, batch);
        await table.takes(own, values);
        for (const [i, item] of some.entries()) expected[item] = table.answerFor(own[i] ?? 0, values[i] ?? 0);
      } else if (type.ops.includes("erase")) {
        const there = picks.reduce((sum, item) => sum + (expected[item] === EMPTY ? 0 : 1), 0);
        // The first hundred twice, at the same time.
        const lanes = new Uint32Array(picks.length + Math.min(100, picks.length));
        lanes.set(picks.subarray(0, 100));
        lanes.set(picks, lanes.length - picks.length);
        await table.loses(keysOf(lanes), there);
        for (const item of picks) expected[item] = EMPTY;
      }
      const order = drawn(asked, draw);
      const queries = keysOf(order);
      compare(queries, await table.answers(queries), (i) => expected[order[i] ?? 0] ?? EMPTY);
      ended();
    }
  };
  await on(gpu, type, n, loadFactor, history, { fixed: true });
}
