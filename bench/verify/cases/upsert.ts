/** Rows whose keys repeat, by every rule, and all pairs of a table: beside a Map. */
import { uniform } from "../../../datasets/rng.js";
import { DELETED, EMPTY } from "../../../kernels/common/steps.js";
import type { Gpu } from "../../../kernels/device/gpu.js";
import { type Rows, STATES, type TableType } from "../../../kernels/table.js";
import { hex } from "../../scenarios/workload/check.js";
import { type Bulk, Mismatch, withTable } from "../bulk.js";
import { type Case, type PartEnded, roundSeed } from "../case.js";
import { keysFrom, valuesFor } from "../draw.js";
import { MERGED, RULE_NAMES, type Rule } from "../rules.js";

const KEYS = 700;
const ROWS = 3000;
/** Rows of the keys that are drawn most, and the others. */
const SKEW = 4;

export const cases: readonly Case[] = [
  {
    name: "a random history of upserts",
    core: true,
    random: true,
    needs: ["upsert", "values"],
    async check(gpu, type, round, ended) {
      const loadFactor = Math.min(0.8, type.safeLoadFactor);
      // Slots that are not used again: each round may take new ones.
      const insertions = KEYS * 2 * RULE_NAMES.length;
      await withTable(gpu, type, { n: type.reusesSlots ? KEYS : insertions, loadFactor, insertions }, (bulk) =>
        history(bulk, type, round, ended),
      );
    },
  },
  {
    name: "upserts of more keys than there are slots",
    needs: ["upsert", "values"],
    async check(gpu, type) {
      for (const combine of [false, true])
        for (const rule of ["add", "id"] as const) await overfilled(gpu, type, { rule, combine });
    },
  },
  {
    name: "all pairs are exported",
    needs: ["export", "values"],
    check: exported,
  },
];

type Contents = Map<number, number>;

/** What a table has by its history. */
interface Known {
  readonly contents: Contents;
  /** The next new key's, of rule `id`. */
  nextId: number;
}

async function history(bulk: Bulk, type: TableType, round: number, ended: PartEnded): Promise<void> {
  const draw = uniform(roundSeed(91, round));
  const all = keysFrom(0, KEYS, roundSeed(92, round));
  const some = () => all[Math.floor(KEYS * draw() ** SKEW)] ?? 0;
  const known: Known = { contents: new Map(), nextId: 0 };
  const { contents } = known;
  for (const [i, rule] of [...RULE_NAMES, ...RULE_NAMES.toReversed()].entries()) {
    // Neighbours have one key half of the time, and race.
    const drawn = Array.from({ length: ROWS }, some).map((key, row, other) => other[row & (row & 4 ? ~3 : ~0)] ?? key);
    const keys = drawn.map((key, row) => (row % 100 === 99 ? reserved(row) : key));
    const values = Array.from({ length: ROWS }, (_, row) => (row % 100 === 98 ? EMPTY : Math.floor(draw() * 2 ** 20)));
    await step(bulk, known, keys, values, { rule, combine: i % 2 === 1 });
    if (type.ops.includes("erase")) {
      const gone = Array.from({ length: KEYS / 4 }, some);
      await bulk.erase(gone);
      for (const key of gone) contents.delete(key);
    }
    if (type.ops.includes("export")) expectEqual(await bulk.export(2 * KEYS), contents);
    ended();
  }
  await bulk.table.clear();
  await step(bulk, { contents: new Map(), nextId: 0 }, all, all, { rule: "id" });
}

const reserved = (row: number) => (row % 200 === 99 ? EMPTY : DELETED);

/** One upsert, and what it has to have told and done; the contents are then the table's. */
async function step(
  bulk: Bulk,
  known: Known,
  keys: readonly number[],
  values: readonly number[],
  how: Pick<Rows, "rule" | "combine">,
): Promise<void> {
  const { contents } = known;
  const { count, states, results } = await bulk.upsert(keys, values, how);
  const rows = new Map<number, number[]>();
  for (const [row, key] of keys.entries()) {
    const refused = key >= DELETED || (values[row] === EMPTY && how.rule !== "id");
    if (refused !== (states[row] === STATES.refused)) throw wrong(how, row, key, `state ${states[row]}`);
    if (!refused) rows.set(key, [...(rows.get(key) ?? []), row]);
  }
  const refused = states.filter((state) => state === STATES.refused).length;
  if (count !== refused) throw new Mismatch(`upsert said ${count} refused rows, expected ${refused}`);
  const found = await bulk.find([...rows.keys()]);
  const fresh = [...rows.keys()].flatMap((key, i) => (contents.has(key) ? [] : [found[i] ?? 0]));
  for (const [i, [key, own]] of [...rows].entries()) {
    const answer = found[i] ?? 0;
    const times = own.filter((row) => states[row] === STATES.new).length;
    if (times !== (contents.has(key) ? 0 : 1)) throw wrong(how, own[0] ?? 0, key, `is new in ${times} rows`);
    const given = own.map((row) => values[row] ?? 0);
    if (!mayBe(how.rule, contents.get(key), given, answer)) throw wrong(how, own[0] ?? 0, key, `has ${hex(answer)}`);
    // Of `replace` a row is told its own value, or that of a row that came with it.
    const told = own.find((row) => results.length > 0 && !toldRight(how.rule, results[row] ?? 0, answer, given));
    if (told !== undefined) throw wrong(how, told, key, `was told ${hex(results[told] ?? 0)}, has ${hex(answer)}`);
    contents.set(key, answer);
  }
  if (how.rule !== "id") return;
  expectIds(fresh, known.nextId);
  known.nextId += fresh.length;
}

/** Throws Mismatch if these are not so many numbers from the first one on, in any order. */
function expectIds(ids: readonly number[], first: number): void {
  const odd = ids.toSorted((a, b) => a - b).find((id, i) => id !== first + i);
  if (odd !== undefined)
    throw new Mismatch(`ids of ${ids.length} new keys from ${first} on: ${odd} is twice or not one`);
}

const toldRight = (rule: Rule, told: number, answer: number, given: readonly number[]) =>
  rule === "replace" ? given.includes(told) : told === answer;

/** Whether a key with that value, or none, may have the answer after rows with the given values. */
function mayBe(rule: Rule, before: number | undefined, given: readonly number[], answer: number): boolean {
  if (rule === "id") return before === undefined || answer === before;
  // Any of the rows may have been the last one, or the first.
  if (rule === "replace" || (rule === "first" && before === undefined)) return given.includes(answer);
  const [first, ...others] = before === undefined ? given : [before, ...given];
  return answer === others.reduce((old, value) => MERGED[rule](old, value), first ?? EMPTY);
}

function wrong({ rule, combine }: Pick<Rows, "rule" | "combine">, row: number, key: number, what: string): Mismatch {
  return new Mismatch(`${rule}${combine ? ", combined" : ""}, row ${row}: key ${hex(key)} ${what}`);
}

/** Throws Mismatch if a row that was not refused is not there, or one that was is. */
async function overfilled(gpu: Gpu, type: TableType, how: Pick<Rows, "rule" | "combine">): Promise<void> {
  await withTable(gpu, type, { n: 60, loadFactor: type.maxLoadFactor }, async (bulk) => {
    const own = keysFrom(0, 3 * bulk.table.slots, 93);
    const keys = own.flatMap((key) => [key, key]);
    const { count, states } = await bulk.upsert(keys, keys, how);
    const found = await bulk.find(own);
    let absent = 0;
    const ids: number[] = [];
    for (const [i, key] of own.entries()) {
      const twice = [states[2 * i], states[2 * i + 1]];
      const taken = twice.filter((state) => state !== STATES.refused).length;
      const answer = found[i] ?? 0;
      absent += 2 - taken;
      if (how.rule === "id" && taken > 0) ids.push(answer);
      const expected = taken === 0 ? EMPTY : how.rule === "id" ? answer : (taken * key) >>> 0;
      if (answer !== expected) throw wrong(how, i, key, `has ${hex(answer)}: ${twice}`);
    }
    expectIds(ids, 0);
    if (absent !== count || count === 0) throw new Mismatch(`upsert said ${count} refused rows, expected ${absent}`);
  });
}

async function exported(gpu: Gpu, type: TableType): Promise<void> {
  const loadFactor = type.safeLoadFactor;
  for (const n of [1, 50, 3000, ...type.thresholds.filter((pairs) => pairs < 2 ** 18).map(Math.ceil)]) {
    await withTable(gpu, type, { n, loadFactor }, async (bulk) => {
      expectEqual(await bulk.export(n), new Map());
      const keys = keysFrom(0, n, 94);
      const values = valuesFor(keys, 95);
      await bulk.insert(keys, values);
      expectEqual(await bulk.export(n), new Map(keys.map((key, i) => [key, values[i] ?? 0])));
      // Less room than pairs.
      const part = await bulk.export(Math.floor(n / 2));
      if (part.length !== Math.floor(n / 2)) throw new Mismatch(`${part.length} of ${n} pairs were written`);
    });
  }
}

/** Throws Mismatch if these are not the pairs of the Map, each once. */
function expectEqual(pairs: readonly (readonly [key: number, value: number])[], contents: Contents): void {
  if (pairs.length !== contents.size) throw new Mismatch(`${pairs.length} pairs were exported, of ${contents.size}`);
  const left = new Map(contents);
  for (const [key, value] of pairs) {
    if (left.get(key) !== value) throw new Mismatch(`exported (${hex(key)}, ${hex(value)}), not once or not there`);
    left.delete(key);
  }
}
