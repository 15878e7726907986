import { describe, expect, test } from "vitest";
import { uniform } from "../../datasets/rng.js";
import { EMPTY } from "../../kernels/common/steps.js";
import { MIXED_KINDS } from "../../kernels/table.js";
import { type HistoryOptions, MixedHistory } from "./mixed-history.js";
import { type HostBatch, MixedOracle } from "./mixed-oracle.js";

const { insert: INSERT, find: FIND, erase: ERASE } = MIXED_KINDS;
const racing: HistoryOptions = {
  universe: 200,
  slice: 400,
  mixing: "racing",
  erase: true,
  insertsOnce: false,
  seed: 7,
  member: false,
};
const tangled: HistoryOptions = { ...racing, mixing: "tangled", universe: 150 };

type Order = "given" | "reverse" | "random";

/** What a Map answers that does a slice's operations one after another. */
function answersOf(table: Map<number, number>, batch: HostBatch, order: Order = "random"): Uint32Array {
  const answers = new Uint32Array(batch.kinds.length);
  const draw = uniform(5);
  for (const { first, count } of batch.slices) {
    const lanes = Array.from({ length: count }, (_, i) => ({ at: first + i, by: order === "random" ? draw() : i }));
    lanes.sort((a, b) => (order === "reverse" ? b.by - a.by : a.by - b.by));
    for (const { at } of lanes) {
      const key = batch.keys[at] ?? 0;
      if (batch.kinds[at] === INSERT) table.set(key, batch.values[at] ?? 0);
      answers[at] =
        batch.kinds[at] === INSERT
          ? 1
          : batch.kinds[at] === ERASE
            ? Number(table.delete(key))
            : (table.get(key) ?? EMPTY);
    }
  }
  return answers;
}

interface Answered {
  readonly history: MixedHistory;
  readonly batch: HostBatch;
  readonly answers: Uint32Array;
  /** What the table has after the batch. */
  readonly left: Uint32Array;
}

/** A history with a Map's right answers; the last of its batches is not checked yet. */
function answered(options: HistoryOptions, slices = 1, batches = 3, order: Order = "random"): Answered {
  const history = new MixedHistory(options);
  const table = new Map<number, number>();
  for (let number = 1; ; number++) {
    const batch = history.next(slices);
    const answers = answersOf(table, batch, order);
    const left = history.keys.map((key) => table.get(key) ?? EMPTY);
    if (number === batches) return { history, batch, answers, left };
    history.check(batch, answers);
    history.settle(left, "");
    expect(history.present).toBe(table.size);
  }
}

describe.each(["given", "reverse", "random"] as const)("in %s order", (order) => {
  test.each([
    racing,
    { ...racing, mixing: "apart" as const, erase: false },
    tangled,
    { ...tangled, member: true },
    { ...tangled, insertsOnce: true },
    { ...tangled, universe: 5000, slice: 3000 },
  ])("a Map's answers are admissible: $mixing, $universe keys", (options) => {
    for (const slices of [1, 3]) {
      const { history, batch, answers, left } = answered(options, slices, 10, order);
      expect(() => history.check(batch, answers)).not.toThrow();
      expect(() => history.settle(left, "")).not.toThrow();
    }
  });
});

/** By key, how many operations of a kind each slice has for it. */
function timesOf({ batch }: Answered, kind: number): number[] {
  return batch.slices.flatMap(({ first, count }) => {
    const times = new Map<number, number>();
    for (let at = first; at < first + count; at++) {
      const item = batch.items[at] ?? 0;
      if (batch.kinds[at] === kind) times.set(item, (times.get(item) ?? 0) + 1);
    }
    return [...times.values()];
  });
}

/** Whether a slice changes a key that it also searches for. */
function races({ batch }: Answered): number {
  return batch.slices.reduce((sum, { first, count }) => {
    const own = (wanted: (kind: number) => boolean) =>
      new Set([...batch.items.slice(first, first + count)].filter((_, i) => wanted(batch.kinds[first + i] ?? 0)));
    return sum + [...own((kind) => kind === FIND)].filter((item) => own((kind) => kind !== FIND).has(item)).length;
  }, 0);
}

test("all kinds race: keys are searched for, and erased by several lanes, in the slice that changes them", () => {
  const all = answered(racing, 3);
  expect(races(all)).toBeGreaterThan(20);
  expect(Math.max(...timesOf(all, INSERT))).toBe(1);
  expect(Math.max(...timesOf(all, ERASE))).toBeGreaterThan(2);
});

test("apart no key is searched for in the slice that changes it, and without erasures nothing is erased", () => {
  const all = answered({ ...racing, mixing: "apart", erase: false }, 3);
  expect(races(all)).toBe(0);
  expect(all.batch.kinds).not.toContain(ERASE);
  expect(all.batch.kinds).toContain(INSERT);
});

test("tangled: keys are inserted, erased and searched for several times in one slice", () => {
  const all = answered({ ...tangled, universe: 50 });
  for (const kind of [INSERT, FIND, ERASE]) expect(Math.max(...timesOf(all, kind))).toBeGreaterThan(3);
});

test("a table that takes every key once gets it once, and only if it is absent", () => {
  const all = answered({ ...tangled, insertsOnce: true });
  const inserted = [...all.batch.items].filter((_, at) => all.batch.kinds[at] === INSERT);
  expect(inserted.length).toBeGreaterThan(5);
  expect(new Set(inserted).size).toBe(inserted.length);
  for (const item of inserted) expect(all.history.values[item]).toBe(EMPTY);
});

/** How often the batch does something of that kind to the item. */
function count({ batch }: Answered, item: number, kind: number): number {
  return batch.items.filter((one, at) => one === item && batch.kinds[at] === kind).length;
}

/** The first operation of that kind for whose key `wanted` holds. */
function place(all: Answered, kind: number, wanted: (item: number, was: number) => boolean): number {
  const { batch, history } = all;
  const at = batch.items.findIndex((item, i) => batch.kinds[i] === kind && wanted(item, history.values[item] ?? EMPTY));
  expect(at).toBeGreaterThanOrEqual(0);
  return at;
}

type Spoil = (all: Answered) => void;
const faults: readonly [string, Spoil, RegExp][] = [
  [
    "a search that finds nothing, of a key that nobody erases",
    (all) => {
      const at = place(all, FIND, (item, was) => was !== EMPTY && count(all, item, ERASE) === 0);
      all.answers[at] = EMPTY;
    },
    /^find\(.*: 0xffffffff where the slice found 0x/,
  ],
  [
    "an invented key",
    (all) => {
      const at = place(all, FIND, (item, was) => was === EMPTY && count(all, item, INSERT) === 0);
      all.answers[at] = 5;
    },
    /^find\(.*: 0x00000005 where the slice found 0xffffffff/,
  ],
  ["a torn value", (all) => all.answers.fill(5, all.batch.kinds.indexOf(FIND)), /: 0x00000005 where the slice/],
  ["a refused insertion", (all) => all.answers.fill(0, all.batch.kinds.indexOf(INSERT)), /^insert/],
  ["an answer that was not written", (all) => all.answers.fill(0xdeadbeef), /0xdeadbeef/],
  [
    "an erasure of what is absent",
    (all) => {
      const at = place(all, ERASE, (item, was) => was === EMPTY && count(all, item, INSERT) === 0);
      all.answers[at] = 1;
    },
    /^1 of \d+ erasures say that they erased/,
  ],
  [
    "a key that is erased more often than it was there",
    (all) => {
      for (const [at, kind] of all.batch.kinds.entries()) if (kind === ERASE) all.answers[at] = 1;
    },
    /^\d+ of \d+ erasures say that they erased/,
  ],
  [
    "a key that is there, and that no erasure erases",
    (all) => {
      for (const [at, kind] of all.batch.kinds.entries()) if (kind === ERASE) all.answers[at] = 0;
    },
    /^0 of \d+ erasures say that they erased/,
  ],
  [
    "a key that is lost though the slice did not touch it",
    (all) => {
      const { history, batch, left } = all;
      const item = [...history.keys.keys()].find((one) => history.values[one] !== EMPTY && !batch.items.includes(one));
      expect(item).toBeDefined();
      left[item ?? 0] = EMPTY;
    },
    /^after: find\(.*0xffffffff, expected 0x/,
  ],
];
const overwritten: (typeof faults)[number] = [
  "an old value that is left beside an insertion",
  (all) => {
    const at = place(all, INSERT, (item, was) => was !== EMPTY && count(all, item, ERASE) === 0);
    const item = all.batch.items[at] ?? 0;
    all.left[item] = all.history.values[item] ?? 0;
  },
  /^after: find/,
];

describe.each([
  { options: racing, seen: faults },
  { options: tangled, seen: [...faults, overwritten] },
])("$options.mixing", ({ options, seen }) => {
  test.each(seen)("%s is seen", (_, spoil, message) => {
    const all = answered(options);
    spoil(all);
    expect(() => {
      all.history.check(all.batch, all.answers);
      all.history.settle(all.left, "after: ");
    }).toThrow(message);
  });
});

test("what a slice left undecided is asked of the next ones, until it is settled", () => {
  const oracle = new MixedOracle(Uint32Array.of(7));
  const batch = (...operations: readonly (readonly [kind: number, value: number])[]): HostBatch => ({
    kinds: Uint32Array.from(operations, ([kind]) => kind),
    keys: Uint32Array.from(operations, () => 7),
    values: Uint32Array.from(operations, ([, value]) => value),
    items: new Uint32Array(operations.length),
    slices: operations.map((_, first) => ({ first, count: 1 })),
  });
  const two = { ...batch([INSERT, 1], [INSERT, 2]), slices: [{ first: 0, count: 2 }] };
  oracle.check(two, [1, 1]);
  for (const value of [1, 2]) expect(() => oracle.check(batch([FIND, 0]), [value])).not.toThrow();
  expect(() => oracle.check(batch([FIND, 0]), [3])).toThrow(/0x00000001 or 0x00000002/);
  expect(() => oracle.check(batch([FIND, 0]), [EMPTY])).toThrow(/^find/);
  expect(() => oracle.settle(Uint32Array.of(3), "")).toThrow(/^find/);
  oracle.settle(Uint32Array.of(2), "");
  expect(() => oracle.check(batch([FIND, 0]), [1])).toThrow(/^find/);
  expect(() => oracle.check(batch([ERASE, 0], [FIND, 0]), [1, EMPTY])).not.toThrow();
});
