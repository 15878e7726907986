/** Conformance at bounds: reserved keys and values, pairs in the middle of their buffers, tables that are filled to the last slot. */
import { DELETED, EMPTY } from "../../../kernels/common/steps.js";
import type { Gpu } from "../../../kernels/device/gpu.js";
import type { TableType } from "../../../kernels/table.js";
import { Mismatch, POISON } from "../bulk.js";
import { type Case, isInHostMemory } from "../case.js";
import { keysFrom, valuesFor } from "../draw.js";
import { compare, Harness } from "../harness.js";

const SEED = 99;
const range = (from: number, count: number) => keysFrom(from, count, SEED);
const { on } = Harness;

/** Pairs and load factor of the first two. */
const USUAL = [3000, 0.8] as const;

const wantsLastSlot = (type: TableType) => {
  if (type.ownSize) return "chooses its size, or grows";
  return type.safeLoadFactor < 1 ? "cannot be filled to the last slot" : "";
};

export const cases: readonly Case[] = [
  {
    name: "reserved keys are refused, not found and not erased",
    core: true,
    needs: ["values"],
    check: reservedKeys,
  },
  {
    name: "pairs whose value is EMPTY are refused, and no others",
    core: true,
    applies(type) {
      if (type.answers || type.keysOnly) return "stores no values";
      return type.api === undefined ? "" : "is not asked to, by the protocol of native tables";
    },
    check: emptyValues,
  },
  {
    name: "pairs in the middle of their buffers",
    core: true,
    needs: ["values", "additions"],
    check: inTheMiddle,
  },
  {
    name: "a full table refuses the next key and keeps the others",
    core: true,
    needs: ["values", "additions"],
    applies: wantsLastSlot,
    check: fullTable,
  },
  {
    name: "small tables are filled to the last slot, many times",
    core: true,
    needs: ["values", "additions"],
    applies: wantsLastSlot,
    check: smallTables,
  },
];

/**
 * Many keys are erased, so that a search for DELETED would meet slots that have it. By the protocol of native tables no program is asked to
 * insert a reserved key.
 */
async function reservedKeys(gpu: Gpu, type: TableType): Promise<void> {
  const reserved = type.api === undefined ? [EMPTY, DELETED] : [];
  await on(gpu, type, ...USUAL, async (table) => {
    const keys = range(0, 2900);
    const inserted = [...reserved, ...keys.slice(0, 1000), ...reserved, ...keys.slice(1000)];
    const values = valuesFor(inserted, 1);
    const refused = await table.refused(inserted, values);
    const expected = 2 * reserved.length;
    if (refused !== expected) throw new Mismatch(`insert refused ${refused} pairs, ${expected} have reserved keys`);
    table.knows(inserted.flatMap((key, i) => (key < DELETED ? [[key, values[i] ?? 0] as const] : [])));
    await table.find([EMPTY, DELETED, ...keys, 0, 1]);
    if (!type.ops.includes("erase")) return;
    await table.erase([DELETED, ...keys.slice(0, 2800), EMPTY]);
    await table.find([EMPTY, DELETED, ...keys]);
  });
}

/** DELETED is a value as others. */
async function emptyValues(gpu: Gpu, type: TableType): Promise<void> {
  const keys = range(0, 2900);
  const insert = async (table: Harness, some: readonly number[], values: readonly number[]) => {
    const refused = await table.refused(some, values);
    const taken = some.flatMap((key, i) => (values[i] === EMPTY ? [] : [[key, values[i] ?? 0] as const]));
    const expected = some.length - taken.length;
    if (refused !== expected) throw new Mismatch(`insert refused ${refused} pairs, ${expected} have the value EMPTY`);
    table.knows(taken);
    await table.find([...keys, ...range(2900, 100)]);
  };
  const work = async (table: Harness) => {
    const values = valuesFor(keys, 1).map((value, i) => (i % 7 === 3 ? EMPTY : i % 7 === 5 ? DELETED : value));
    await insert(table, keys, values);
    // What is there stays, and what was refused comes.
    const others = valuesFor(keys, 2).map((value, i) => (values[i] === EMPTY ? value : EMPTY));
    if (type.incremental) await insert(table, keys, others);
    if (!type.duplicates) return;
    // Of a key in one insertion.
    await table.clear();
    const thrice = keys.slice(0, 900).flatMap((key) => [key, key, key]);
    await insert(
      table,
      thrice,
      valuesFor(thrice, 3).map((value, i) => (i % 3 === Math.floor(i / 3) % 3 ? value : EMPTY)),
    );
  };
  await on(gpu, type, ...USUAL, work, { insertions: 2 * 2900 + 2700 });
}

/** The words before and after the pairs are a key and a value too. */
async function inTheMiddle(gpu: Gpu, type: TableType): Promise<void> {
  await on(gpu, type, ...USUAL, async (table) => {
    let next = 0;
    for (const [first, count] of [
      [1, 257],
      [300, 700],
      [31, 1],
    ] as const) {
      const keys = range(next, count);
      next += count;
      await table.insert(keys, valuesFor(keys, first), first);
      await table.find([...range(0, next + 100), POISON]);
    }
  });
}

async function fullTable(gpu: Gpu, type: TableType): Promise<void> {
  // In host memory every probe of a refused pair is a round. Else several parts of a partitioned build.
  const [n, more] = isInHostMemory(gpu, type) ? [150, 60] : [2100, 70];
  await on(gpu, type, n, 1, async (table) => {
    const keys = range(0, table.table.slots);
    const late = range(keys.length, more);
    await table.insert(keys, valuesFor(keys, 3));
    await table.find(keys);
    const refuse = async (some: number[]) => {
      const refused = await table.refused(some, valuesFor(some, 4));
      if (refused !== some.length) throw new Mismatch(`a full table refused ${refused} of ${some.length} pairs`);
      await table.find([...keys, ...late]);
    };
    await refuse(late.slice(0, 1));
    await refuse(late);
    await tooMany(table, [...keys, ...late], keys.length);
    if (!type.reusesSlots || !type.ops.includes("erase")) return;
    // As many as were erased fit in again, wherever their slots are, and not one more.
    for (const kept of [late.length - 1, 0]) {
      const erased = keys.slice(kept, late.length);
      await table.erase(erased);
      await table.insert(late.slice(kept), valuesFor(late.slice(kept), 5));
      await table.find([...keys, ...late]);
      await refuse(erased);
      await table.erase(late.slice(kept));
      await table.insert(erased, valuesFor(erased, 6));
    }
    await table.find([...keys, ...late]);
  });
}

/** Fills the table by one insertion of more keys than it has slots, then by the first of them again. */
async function tooMany(table: Harness, all: number[], slots: number): Promise<void> {
  await table.clear();
  const values = valuesFor(all, 5);
  const refused = await table.refused(all, values);
  const answers = await table.answers(all);
  compare(all, answers, (i) => (answers[i] === EMPTY ? EMPTY : table.answerFor(all[i] ?? 0, values[i] ?? 0)));
  const missing = answers.reduce((sum, answer) => sum + (answer === EMPTY ? 1 : 0), 0);
  if (refused !== all.length - slots || missing !== refused)
    throw new Mismatch(`of ${all.length} pairs ${slots} slots refused ${refused}, and ${missing} are missing`);
  await table.clear();
  const keys = all.slice(0, slots);
  await table.insert(keys, valuesFor(keys, 3));
}

/** Of few slots, so that some keys come to the last one of their probe sequence. */
async function smallTables(gpu: Gpu, type: TableType): Promise<void> {
  for (const n of [2, 5, 13]) {
    await on(gpu, type, n, 1, async (table) => {
      const { slots } = table.table;
      for (let time = 0; time < 8; time++) {
        await table.clear();
        const keys = range(time * slots, slots);
        await table.insert(keys, valuesFor(keys, time));
        await table.find([...keys, ...range((time + 1) * slots, slots)]);
        if (type.ops.includes("erase")) await table.erase(keys);
      }
    });
  }
}
