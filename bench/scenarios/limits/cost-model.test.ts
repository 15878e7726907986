import { expect, test } from "vitest";
import { mix } from "../../../datasets/random.js";
import { attempts, chapterTime, ownTime, turnAttempts } from "./cost-model.js";

const n = 1e6;
/** The chapter's constants of a GTX 480, in ns. */
const GTX_480 = { uncoalesced: 1.5, coalesced: 0.05 };
const share = (space: number) => (n * GTX_480.uncoalesced) / chapterTime({ n, slots: space * n }, GTX_480);

test("attempts are those of inserting the pairs one by one at random", () => {
  // Σ 1 / (1 − (k − 1) / m), without the integral.
  const slots = 1250;
  let sum = 0;
  for (let k = 1; k <= 1000; k++) sum += 1 / (1 - (k - 1) / slots);
  expect(attempts({ n: 1000, slots }) / sum).toBeCloseTo(1, 2);
});

test("with 1.25n slots a pair takes two attempts, as the chapter says", () => {
  expect(attempts({ n, slots: 1.25 * n }) / n).toBeCloseTo(2, 1);
});

test("with the chapter's constants the best space is 4.5n, with 78 % of the bound; 1.3n give half of it", () => {
  const spaces = Array.from({ length: 150 }, (_, i) => 1.05 + i * 0.05);
  const best = spaces.reduce((a, b) => (share(b) > share(a) ? b : a));
  expect(best).toBeCloseTo(4.5, 0);
  expect(share(best)).toBeCloseTo(0.78, 1);
  expect(share(1.3)).toBeCloseTo(0.5, 1);
});

test("with endlessly many places a key never comes back to one", () => {
  for (const space of [1.05, 1.25, 2, 8]) {
    const size = { n, slots: space * n };
    expect(turnAttempts(size, 200) / attempts(size)).toBeCloseTo(1, 2);
  }
});

/** Cuckoo insertion of one key after another by ideal random functions; attempts a key. */
function inserted(count: number, slots: number, functions: number): number {
  const table = new Int32Array(slots).fill(-1);
  const places = Int32Array.from({ length: count * functions }, (_, i) => mix(mix(i) ^ 7) % slots);
  const turns = new Uint8Array(count);
  let sum = 0;
  for (let own = 0; own < count; own++) {
    for (let key = own; key >= 0; sum++) {
      const turn = turns[key] ?? 0;
      const slot = places[key * functions + turn] ?? 0;
      turns[key] = (turn + 1) % functions;
      [key, table[slot]] = [table[slot] ?? -1, key];
    }
  }
  return sum / count;
}

test.each([
  [3, 1.25],
  [4, 1.05],
  [4, 1.1],
  [4, 1.25],
  [5, 1.05],
])("attempts with %d places taken in turn and space %d are those of a simulated build", (functions, space) => {
  const count = 100_000;
  const theory = turnAttempts({ n: count, slots: space * count }, functions) / count;
  expect(Math.abs(inserted(count, Math.round(space * count), functions) / theory - 1)).toBeLessThan(0.05);
});

test("our build costs what its accesses cost", () => {
  const size = { n, slots: 2 * n };
  const none = { uncoalesced: 0, coalesced: 0, key: 0, pair: 0 };
  const tries = 1.5 * n;
  expect(ownTime(size, tries, { ...none, uncoalesced: 1 })).toBe(tries);
  expect(ownTime(size, tries, { ...none, key: 1 })).toBe(tries - n);
  expect(ownTime(size, tries, { ...none, pair: 1 })).toBe(n);
  // Bytes: pairs read and written; numbers read, entries written.
  expect(8 * ownTime(size, tries, { ...none, coalesced: 1 })).toBe(16 * n + 4 * size.slots + 8 * size.slots);
});
