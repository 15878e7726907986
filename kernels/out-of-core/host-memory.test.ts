import { expect, test } from "vitest";
import { EMPTY } from "../common/steps.js";
import { DoesNotFit } from "../device/errors.js";
import { HostMemory } from "./host-memory.js";
import { JOB_WORDS } from "./rounds.js";

const SLOTS = 1009;
const words = (n: number, of: (i: number) => number) => Uint32Array.from({ length: n }, (_, i) => of(i));
/** Jobs for these slots; their other words are given by `rest`. */
const jobsFor = (slots: readonly number[], rest: (job: number, word: number) => number = () => 77) =>
  words(slots.length * JOB_WORDS, (i) =>
    i % JOB_WORDS ? rest(Math.floor(i / JOB_WORDS), i % JOB_WORDS) : (slots[i / JOB_WORDS] ?? 0),
  );

test.each([
  [1, 1],
  [2, 2],
  [1, 16],
  [4, 2],
])("pairs of %i + %i words come back from their slots, and other slots stay empty", (keyWords, valueWords) => {
  const memory = new HostMemory(SLOTS, keyWords, valueWords);
  memory.clear();
  // More than a block, and not a whole number of them.
  const n = 150;
  const slots = words(n, (i) => (i * 37) % SLOTS);
  slots[5] = EMPTY;
  const keys = words(n * keyWords, (i) => 1000 + i);
  const values = words(n * valueWords, (i) => 9_000_000 + i);
  expect(memory.store(slots, keys, values)).toBe(n - 1);

  const jobs = jobsFor([...slots].map((slot) => (slot === EMPTY ? (5 * 37) % SLOTS : slot)));
  const [gotKeys, gotValues] = [new Uint32Array(n * keyWords), new Uint32Array(n * valueWords)];
  expect(memory.load(jobs, gotKeys, gotValues)).toBe(n);
  // The pair that had no slot was written nowhere.
  keys.fill(EMPTY, 5 * keyWords, 6 * keyWords);
  values.fill(EMPTY, 5 * valueWords, 6 * valueWords);
  expect(gotKeys).toEqual(keys);
  expect(gotValues).toEqual(values);

  const onlyKeys = new Uint32Array(n * keyWords);
  memory.load(jobs, onlyKeys, new Uint32Array());
  expect(onlyKeys).toEqual(keys);
});

test("exchanges on one slot happen one after another", () => {
  const memory = new HostMemory(SLOTS, 1, 1);
  memory.clear();
  const n = 100;
  const jobs = jobsFor(new Array(n).fill(8), (job, word) => 10 * job + word);
  const [keys, values] = [new Uint32Array(n), new Uint32Array(n)];
  expect(memory.exchange(jobs, keys, values)).toBe(n);
  expect(keys).toEqual(words(n, (i) => (i === 0 ? EMPTY : 10 * (i - 1) + 1)));
  expect(values).toEqual(words(n, (i) => (i === 0 ? EMPTY : 10 * (i - 1) + 2)));
});

test("more than one array holds does not fit", () => {
  expect(() => new HostMemory(2 ** 30, 1, 1)).toThrow(DoesNotFit);
});
