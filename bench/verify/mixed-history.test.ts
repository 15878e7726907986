import { expect, test } from "vitest";
import { EMPTY } from "../../kernels/common/steps.js";
import { MIXED_KINDS } from "../../kernels/table.js";
import { checkAnswers, type HistoryOptions, type HostBatch, MixedHistory } from "./mixed-history.js";

const { insert: INSERT, find: FIND, erase: ERASE } = MIXED_KINDS;
const racing: HistoryOptions = { universe: 200, slice: 400, erase: true, races: true, seed: 7 };

/** What a Map answers that does a slice's operations one after another, in the order given or the reverse. */
function answersOf(table: Map<number, number>, batch: HostBatch, backwards = false): Uint32Array {
  const answers = new Uint32Array(batch.kinds.length);
  for (const { first, count } of batch.slices) {
    for (let i = 0; i < count; i++) {
      const at = backwards ? first + count - 1 - i : first + i;
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

/** The first operation after `from` for which `wanted` holds. */
function place(batch: HostBatch, wanted: (at: number) => boolean): number {
  const at = [...batch.kinds.keys()].findIndex(wanted);
  expect(at).toBeGreaterThanOrEqual(0);
  return at;
}

/** A second batch, on a table that the first one filled, with its right answers. */
function second(options = racing): { batch: HostBatch; answers: Uint32Array } {
  const history = new MixedHistory(options);
  const table = new Map<number, number>();
  answersOf(table, history.next(3));
  const batch = history.next(3);
  return { batch, answers: answersOf(table, batch) };
}

const either = (batch: HostBatch, at: number) => batch.either[at] ?? 0;
const or = (batch: HostBatch, at: number) => batch.or[at] ?? 0;

test.each([false, true])("a Map's answers are right whatever the order in a slice, backwards: %s", (backwards) => {
  const history = new MixedHistory(racing);
  const table = new Map<number, number>();
  for (let round = 0; round < 20; round++) {
    const batch = history.next(3);
    checkAnswers(batch, answersOf(table, batch, backwards));
    expect(history.present().map((item) => [history.keys[item], history.values[item]])).toEqual(
      expect.arrayContaining([...table]),
    );
    expect(history.present().length).toBe(table.size);
  }
});

test("all kinds race: keys are searched for, and erased by several lanes, in the slice that changes them", () => {
  const { batch } = second();
  const at = (kind: number, wanted: (i: number) => boolean) =>
    [...batch.kinds.keys()].filter((i) => batch.kinds[i] === kind && wanted(i)).length;
  expect(at(FIND, (i) => either(batch, i) !== or(batch, i))).toBeGreaterThan(20);
  expect(at(FIND, (i) => either(batch, i) === or(batch, i) && or(batch, i) !== EMPTY)).toBeGreaterThan(20);
  expect(at(INSERT, () => true)).toBeGreaterThan(20);
  expect(at(ERASE, (i) => or(batch, i) === 0)).toBeGreaterThan(5);
  // Keys that a slice erases, slices apart, and the lanes that try to.
  const own = batch.slices.map(({ first, count }) =>
    [...batch.keys.slice(first, first + count)].filter(
      (_, i) => batch.kinds[first + i] === ERASE && or(batch, first + i) === 1,
    ),
  );
  const keys = own.reduce((sum, erased) => sum + new Set(erased).size, 0);
  expect(own.flat().length).toBeGreaterThan(1.5 * keys);
});

test("without races every answer is certain, and without erasures nothing is erased", () => {
  const { batch } = second({ ...racing, erase: false, races: false });
  expect(batch.either).toEqual(batch.or);
  expect(batch.kinds).not.toContain(ERASE);
  expect(batch.kinds).toContain(INSERT);
});

test.each<[string, (batch: HostBatch, at: number) => boolean, (was: number) => number, RegExp]>([
  [
    "a lost key",
    (b, i) => b.kinds[i] === FIND && either(b, i) === or(b, i) && or(b, i) !== EMPTY,
    () => EMPTY,
    /^find/,
  ],
  [
    "an invented value",
    (b, i) => b.kinds[i] === FIND && or(b, i) === EMPTY,
    () => 5,
    /^find.*0x00000005, expected 0xffff/,
  ],
  ["a torn value", (b, i) => b.kinds[i] === FIND && either(b, i) !== or(b, i), () => 5, /expected 0x\w+ or 0x/],
  ["a refused insertion", (b, i) => b.kinds[i] === INSERT, () => 0, /^insert.*expected 0x00000001$/],
  ["an erasure of what is absent", (b, i) => b.kinds[i] === ERASE && or(b, i) === 0, () => 1, /^erase/],
  ["an answer that was not written", () => true, () => 0xdeadbeef, /0xdeadbeef/],
])("%s is seen", (_, wanted, spoil, message) => {
  const { batch, answers } = second();
  const at = place(batch, (i) => wanted(batch, i));
  answers[at] = spoil(answers[at] ?? 0);
  expect(() => checkAnswers(batch, answers)).toThrow(message);
});

test("a key erased twice in one slice, or by nobody, is seen", () => {
  const { batch, answers } = second();
  const all = [...batch.kinds.keys()].filter((i) => batch.kinds[i] === ERASE && or(batch, i) === 1);
  const won = all.find((i) => answers[i] === 1) ?? 0;
  const { first = 0, count = 0 } = batch.slices.find(({ first, count }) => won >= first && won < first + count) ?? {};
  const lost = all.find((i) => i > won && i < first + count && batch.keys[i] === batch.keys[won]) ?? 0;
  expect(answers[lost]).toBe(0);
  answers[lost] = 1;
  expect(() => checkAnswers(batch, answers)).toThrow(/erased twice/);
  answers[lost] = 0;
  answers[won] = 0;
  expect(() => checkAnswers(batch, answers)).toThrow(/no lane erased it/);
});
