import { expect, test } from "vitest";
import { attempts, chapterTime, ownTime } from "./cost-model.js";

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

test("our build costs what its accesses cost", () => {
  const size = { n, slots: 2 * n };
  const none = { uncoalesced: 0, coalesced: 0, key: 0, pair: 0 };
  expect(ownTime(size, { ...none, uncoalesced: 1 })).toBeCloseTo(attempts(size));
  expect(ownTime(size, { ...none, key: 1 })).toBeCloseTo(attempts(size) - n);
  expect(ownTime(size, { ...none, pair: 1 })).toBe(n);
  // Bytes: pairs read and written, keys; numbers read, entries written.
  expect(8 * ownTime(size, { ...none, coalesced: 1 })).toBe(16 * n + 4 * n + 4 * size.slots + 8 * size.slots);
});
