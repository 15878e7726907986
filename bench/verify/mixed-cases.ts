/** Conformance of mixed batches: operations of several kinds that run at the same time. */
import { EMPTY } from "../../kernels/common/steps.js";
import { conflictOf } from "../../kernels/define.js";
import type { Gpu } from "../../kernels/device/gpu.js";
import type { TableType } from "../../kernels/table.js";
import { type Case, Inconclusive, type PartEnded, roundSeed } from "./case.js";
import { compare, Harness, Mismatch } from "./harness.js";
import { checkAnswers, MixedHistory } from "./mixed-history.js";
import { TangledHistory } from "./tangled-history.js";

/** A history: batches of so many slices. */
interface Size {
  readonly universe: number;
  /** Operations a slice, at most; half as many on average. */
  readonly slice: number;
  readonly slices: number;
  readonly batches: number;
}

/** So few keys that most lanes meet at one slot. */
const HOT: Size = { universe: 40, slice: 700, slices: 4, batches: 3 };
const SMALL: Size = { universe: 1500, slice: 1500, slices: 2, batches: 3 };
/** 10^7 operations, slices larger than the number of lanes any GPU has resident. */
const LARGE: Size = { universe: 500_000, slice: 1_000_000, slices: 2, batches: 10 };

const wantsMixed = (type: TableType) => {
  if (type.answers && type.answers !== "member") return `answers with a ${type.answers}`;
  return type.ops.includes("mixed") ? "" : "has no mixed batches";
};

/** The cases at these sizes. */
const casesOf = (sizes: readonly Size[]): readonly Case[] => [
  {
    name: "slices of insertions, and of searches for keys of earlier slices",
    applies: wantsMixed,
    random: true,
    async check(gpu, type, round, ended) {
      for (const size of sizes) await history(gpu, type, size, { erase: false, races: false, round, ended });
    },
  },
  {
    name: "slices in which all kinds of operations race",
    core: true,
    applies: (type) => wantsMixed(type) || conflictOf(type, type.mixedParams ?? {}),
    random: true,
    async check(gpu, type, round, ended) {
      const erase = type.ops.includes("erase");
      for (const size of sizes) await history(gpu, type, size, { erase, races: true, round, ended });
    },
  },
  {
    name: "slices that insert, erase and search for one key several times",
    core: true,
    applies: (type) =>
      wantsMixed(type) || (type.ops.includes("erase") ? conflictOf(type, type.mixedParams ?? {}) : "cannot erase keys"),
    random: true,
    async check(gpu, type, round, ended) {
      for (const size of sizes) await tangled(gpu, type, size, round, ended);
    },
  },
];

export const mixedCases: readonly Case[] = [
  ...casesOf([HOT, SMALL]),
  ...casesOf([LARGE]).map((one) => ({
    ...one,
    name: `${one.name}, a million a slice`,
    core: false,
    long: true,
    check: async (...given: Parameters<Case["check"]>) => {
      if (given[0].info.software) throw new Inconclusive("a software adapter takes minutes");
      await one.check(...given);
    },
  })),
];

/** As many slices as a history of that size has, each of them a batch: what one leaves is known before the next is made. */
async function tangled(
  gpu: Gpu,
  type: TableType,
  { universe, slice, slices, batches }: Size,
  round: number,
  ended: PartEnded,
): Promise<void> {
  const oracle = new TangledHistory({
    universe,
    slice,
    seed: roundSeed(universe, round),
    member: type.answers === "member",
    insertsOnce: !type.duplicates,
  });
  const all = slices * batches;
  const work = async (table: Harness) => {
    for (let number = 0; number < all; number++) {
      const next = oracle.next();
      oracle.settle(next, await table.mixed(next), await table.answers(oracle.keys));
      ended();
    }
    const { present } = oracle;
    const erased = await table.erased(oracle.keys);
    if (erased !== present) throw new Mismatch(`${erased} keys could be erased, ${present} are present`);
    await checkAll(table, { keys: oracle.keys, values: oracle.keys.map(() => EMPTY) }, "after everything was erased");
  };
  const n = type.reusesSlots ? universe : universe + slice * all;
  await Harness.on(gpu, type, n, 0.95, work, { params: type.mixedParams });
}

interface Kinds {
  readonly erase: boolean;
  readonly races: boolean;
  readonly round: number;
  readonly ended: PartEnded;
}

/** Every answer of every slice, then what is left in the table. */
async function history(gpu: Gpu, type: TableType, size: Size, kinds: Kinds): Promise<void> {
  const { universe, slice, slices, batches } = size;
  const { erase, races, round, ended } = kinds;
  // Keys that are never erased are soon all present: more of them, so that the last slice still inserts some.
  const keys = erase ? universe : Math.max(SMALL.universe, universe, Math.ceil((slice * slices * batches) / 6));
  const oracle = new MixedHistory({
    universe: keys,
    slice,
    erase,
    races,
    seed: roundSeed(universe, round),
    member: type.answers === "member",
  });
  const n = erase && !type.reusesSlots ? keys + slice * slices * batches : keys;
  const check = async (table: Harness) => {
    for (let batch = 0; batch < batches; batch++) {
      const next = oracle.next(slices);
      checkAnswers(next, await table.mixed(next));
      await checkAll(table, oracle, `after batch ${batch}`);
      ended();
    }
    if (erase) await eraseAll(table, oracle);
  };
  // A table that reuses slots is nearly full when the history has filled it.
  await Harness.on(gpu, type, n, erase ? 0.95 : 0.8, check, { params: races ? type.mixedParams : {} });
}

/** Nothing is lost and nothing invented: a search of its own finds each present key with its newest value, and no other. */
async function checkAll(
  table: Harness,
  { keys, values }: Pick<MixedHistory, "keys" | "values">,
  when: string,
): Promise<void> {
  compare(keys, await table.answers(keys), (item) => values[item] ?? EMPTY, `${when}: `);
}

/** Each key is there once: it can be erased once, and is then gone. */
async function eraseAll(table: Harness, oracle: MixedHistory): Promise<void> {
  const present = oracle.present();
  const erased = await table.erased(oracle.keys);
  if (erased !== present.length) throw new Mismatch(`${erased} keys could be erased, ${present.length} are present`);
  for (const item of present) oracle.values[item] = EMPTY;
  await checkAll(table, oracle, "after everything was erased");
}
