import { expect, test } from "vitest";
import { uniform } from "../../datasets/rng.js";
import { EMPTY } from "../../kernels/common/steps.js";
import { MIXED_KINDS } from "../../kernels/table.js";
import { TangledHistory, type TangledOptions, type TangledSlice } from "./tangled-history.js";

const { insert: INSERT, find: FIND, erase: ERASE } = MIXED_KINDS;
const options: TangledOptions = { universe: 50, slice: 400, seed: 3, member: false, insertsOnce: false };

/** What a Map answers that does a slice's operations one after another, in random order. */
function answersOf(table: Map<number, number>, slice: TangledSlice, draw: () => number): Uint32Array {
  const order = [...slice.kinds.keys()].map((at) => ({ at, by: draw() })).sort((a, b) => a.by - b.by);
  const answers = new Uint32Array(slice.kinds.length);
  for (const { at } of order) {
    const key = slice.keys[at] ?? 0;
    if (slice.kinds[at] === INSERT) table.set(key, slice.values[at] ?? 0);
    answers[at] =
      slice.kinds[at] === INSERT
        ? 1
        : slice.kinds[at] === ERASE
          ? Number(table.delete(key))
          : (table.get(key) ?? EMPTY);
  }
  return answers;
}

interface Answered {
  readonly history: TangledHistory;
  readonly slice: TangledSlice;
  readonly answers: Uint32Array;
  readonly left: Uint32Array;
}

/** A history with a Map's right answers; the last of `slices` is not settled yet. */
function answered(change: Partial<TangledOptions> = {}, slices = 3): Answered {
  const history = new TangledHistory({ ...options, ...change });
  const table = new Map<number, number>();
  const draw = uniform(5);
  for (let number = 1; ; number++) {
    const slice = history.next();
    const answers = answersOf(table, slice, draw);
    const left = history.keys.map((key) => table.get(key) ?? EMPTY);
    if (number === slices) return { history, slice, answers, left };
    history.settle(slice, answers, left);
    expect(history.present).toBe(table.size);
  }
}

test.each([{}, { member: true }, { insertsOnce: true }, { universe: 5000, slice: 3000 }])(
  "a Map's answers are admissible whatever the order in a slice: %o",
  (change) => {
    const { history, slice, answers, left } = answered(change, 20);
    expect(() => history.settle(slice, answers, left)).not.toThrow();
  },
);

test("keys are inserted, erased and searched for several times in one slice", () => {
  const { slice } = answered();
  const most = (kind: number) => {
    const times = new Map<number, number>();
    for (const [at, item] of slice.items.entries()) {
      if (slice.kinds[at] === kind) times.set(item, (times.get(item) ?? 0) + 1);
    }
    return Math.max(...times.values());
  };
  for (const kind of [INSERT, FIND, ERASE]) expect(most(kind)).toBeGreaterThan(3);
});

test("a table that takes every key once gets it once, and only if it is absent", () => {
  const { history, slice } = answered({ insertsOnce: true });
  const inserted = [...slice.items].filter((_, at) => slice.kinds[at] === INSERT);
  expect(new Set(inserted).size).toBe(inserted.length);
  for (const item of inserted) expect(history.values[item]).toBe(EMPTY);
});

/** How often the slice does something of that kind to the item. */
function count({ slice }: Answered, item: number, kind: number): number {
  return slice.items.filter((one, at) => one === item && slice.kinds[at] === kind).length;
}

test.each<[string, (at: Answered) => void, RegExp]>([
  [
    "a search that finds nothing, of a key that nobody erases",
    (all) => {
      const at = all.slice.items.findIndex(
        (item, i) => all.slice.kinds[i] === FIND && all.history.values[item] !== EMPTY && count(all, item, ERASE) === 0,
      );
      expect(at).toBeGreaterThanOrEqual(0);
      all.answers[at] = EMPTY;
    },
    /^find\(.*: 0xffffffff where the slice found 0x/,
  ],
  ["a torn value", (all) => all.answers.fill(5, all.slice.kinds.indexOf(FIND)), /: 0x00000005 where the slice/],
  ["a refused insertion", (all) => all.answers.fill(0, all.slice.kinds.indexOf(INSERT)), /^insert/],
  ["an answer that was not written", (all) => all.answers.fill(0xdeadbeef), /0xdeadbeef/],
  [
    "a key that is erased more often than it was there",
    (all) => {
      for (const [at, kind] of all.slice.kinds.entries()) if (kind === ERASE) all.answers[at] = 1;
    },
    /^\d+ of \d+ erasures say that they erased/,
  ],
  [
    "a key that is there, and that no erasure erases",
    (all) => {
      for (const [at, kind] of all.slice.kinds.entries()) if (kind === ERASE) all.answers[at] = 0;
    },
    /^0 of \d+ erasures say that they erased/,
  ],
  [
    "an old value that is left beside an insertion",
    (all) => {
      const item = all.slice.items.find(
        (one) => all.history.values[one] !== EMPTY && count(all, one, INSERT) > 0 && count(all, one, ERASE) === 0,
      );
      expect(item).toBeDefined();
      all.left[item ?? 0] = all.history.values[item ?? 0] ?? 0;
    },
    /^after a slice find/,
  ],
  [
    "a key that is lost though the slice did not touch it",
    (all) => {
      const item = [...all.history.keys.keys()].find(
        (one) => all.history.values[one] !== EMPTY && !all.slice.items.includes(one),
      );
      expect(item).toBeDefined();
      all.left[item ?? 0] = EMPTY;
    },
    /^after a slice find.*: 0xffffffff where the slice did not touch/,
  ],
])("%s is seen", (_, spoil, message) => {
  const all = answered({ universe: 150 });
  spoil(all);
  expect(() => all.history.settle(all.slice, all.answers, all.left)).toThrow(message);
});
