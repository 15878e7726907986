/** Conformance of mixed batches: operations of several kinds that run at the same time. */
import { DELETED, EMPTY } from "../../../kernels/common/steps.js";
import type { Gpu } from "../../../kernels/device/gpu.js";
import { MIXED_KINDS, type TableType } from "../../../kernels/table.js";
import { Mismatch, withTable } from "../bulk.js";
import { type Case, Inconclusive, isSlow, type PartEnded, roundSeed } from "../case.js";
import { keysFrom, valuesFor } from "../draw.js";
import { compare, Harness } from "../harness.js";
import { type HistoryOptions, MixedHistory } from "../mixed-history.js";

type Mixing = HistoryOptions["mixing"];

/**
 * Histories: so many batches of slices, each of `slice` operations at most, half as many on average. Here of so few keys that most lanes
 * meet at one slot.
 */
const HOT = { universe: 40, slice: 700, slices: 4, batches: 3 };
const SMALL = { universe: 1500, slice: 1500, slices: 2, batches: 3 };
/** 10^7 operations, slices larger than the number of lanes any GPU has resident. */
const LARGE = { universe: 500_000, slice: 1_000_000, slices: 2, batches: 10 };
type Size = typeof HOT;

/** The cases at these sizes. */
const casesOf = (sizes: readonly Size[]): readonly Case[] => {
  const check =
    (mixing: Mixing): Case["check"] =>
    async (gpu, type, round, ended) => {
      for (const size of sizes) await history(gpu, type, size, mixing, round, ended);
    };
  return [
    {
      name: "slices of insertions, and of searches for keys of earlier slices",
      needs: ["values", "mixed"],
      random: true,
      check: check("apart"),
    },
    {
      name: "slices in which all kinds of operations race",
      core: true,
      needs: ["values", "mixed", "races"],
      random: true,
      check: check("racing"),
    },
    {
      name: "slices that insert, erase and search for one key several times",
      core: true,
      needs: ["values", "mixed", "erase", "races"],
      random: true,
      check: check("tangled"),
    },
  ];
};

export const cases: readonly Case[] = [
  ...casesOf([HOT, SMALL]),
  {
    name: "slices in the middle of a batch, with reserved keys and values",
    core: true,
    needs: ["values", "mixed", "races"],
    check: reserved,
  },
  ...casesOf([LARGE]).map((one) => ({
    ...one,
    name: `${one.name}, a million a slice`,
    core: false,
    long: true,
    check: async (...given: Parameters<Case["check"]>) => {
      const [gpu, type] = given;
      if (isSlow(gpu, type)) throw new Inconclusive("takes minutes here");
      await one.check(...given);
    },
  })),
];

/**
 * Insertions, and operations that change nothing: of reserved keys and values (which no program of its own is asked to insert), and searches
 * for and erasures of absent ones.
 */
async function reserved(gpu: Gpu, type: TableType): Promise<void> {
  const { insert, find, erase } = MIXED_KINDS;
  const kindsOf = type.ops.includes("erase") ? [insert, find, erase] : [insert, find];
  const slices = [
    { first: 3, count: 257 },
    { first: 260, count: 300 },
  ];
  const fresh = keysFrom(0, 600, 91);
  const kinds = fresh.map((_, i) => kindsOf[i % kindsOf.length] ?? find);
  const keys = fresh.map((key, i) => {
    if (kinds[i] === insert && type.api !== undefined) return key;
    return [key, EMPTY, DELETED][Math.floor(i / kindsOf.length) % 3] ?? key;
  });
  const values = valuesFor(fresh, 1).map((value, i) =>
    type.api === undefined && Math.floor(i / kindsOf.length) % 6 === 3 ? EMPTY : value,
  );
  const isPair = (i: number) => (keys[i] ?? EMPTY) < DELETED && (type.answers === "member" || values[i] !== EMPTY);
  const runs = keys.map((_, i) => slices.some(({ first, count }) => i >= first && i < first + count));
  const comes = keys.map((_, i) => runs[i] && kinds[i] === insert && isPair(i));
  const refusals = keys.filter((_, i) => runs[i] && kinds[i] === insert && !comes[i]).length;
  const size = { n: fresh.length, loadFactor: Math.min(0.8, type.safeLoadFactor), params: type.mixedParams ?? {} };
  await withTable(gpu, type, size, async (bulk) => {
    const { count, answers } = await bulk.mixed({ kinds, keys, values, slices });
    compare(keys, answers, (i) => {
      if (!runs[i]) return answers[i] ?? 0;
      return kinds[i] === find ? EMPTY : Number(comes[i]);
    });
    if (count !== refusals) throw new Mismatch(`${count} insertions were refused, ${refusals} are reserved`);
    const value = (i: number) => (type.answers === "member" ? 1 : (values[i] ?? 0));
    compare(fresh, await bulk.find(fresh), (i) => (comes[i] ? value(i) : EMPTY));
  });
}

/** Checks every answer of every slice, and after each batch what is in the table. */
async function history(
  gpu: Gpu,
  type: TableType,
  { universe, slice, slices, batches }: Size,
  mixing: Mixing,
  round: number,
  ended: PartEnded,
): Promise<void> {
  const erase = mixing !== "apart" && type.ops.includes("erase");
  const operations = slice * slices * batches;
  // Keys that are never erased are soon all present: more of them, so that the last slice still inserts some.
  const keys = erase ? universe : Math.max(SMALL.universe, universe, Math.ceil(operations / 6));
  const oracle = new MixedHistory({
    universe: keys,
    slice,
    mixing,
    erase,
    insertsOnce: !type.duplicates,
    seed: roundSeed(universe, round),
    member: type.answers === "member",
  });
  // What a tangled slice leaves is one of several: it is asked for before the next one is made.
  const [each, all] = mixing === "tangled" ? [1, slices * batches] : [slices, batches];
  const work = async (table: Harness) => {
    for (let batch = 0; batch < all; batch++) {
      const next = oracle.next(each);
      oracle.check(next, await table.mixed(next));
      oracle.settle(await table.answers(oracle.keys), `after batch ${batch}: `);
      ended();
    }
    if (erase) await eraseAll(table, oracle);
  };
  const n = erase && !type.reusesSlots ? keys + operations : keys;
  const params = mixing === "apart" ? {} : type.mixedParams;
  // A table that reuses slots is nearly full when the history has filled it.
  await Harness.on(gpu, type, n, erase ? 0.95 : 0.8, work, { params });
}

/** Each key is there once: it can be erased once, and is then gone. */
async function eraseAll(table: Harness, { keys, present }: MixedHistory): Promise<void> {
  const erased = await table.erased(keys);
  if (erased !== present) throw new Mismatch(`${erased} keys could be erased, ${present} are present`);
  compare(keys, await table.answers(keys), () => EMPTY, "after everything was erased: ");
}
