import { afterEach, beforeEach, expect, test, vi } from "vitest";

const real = globalThis.setImmediate;
const NAME = Symbol.for("hashbench: how Dawn waits");
const known = globalThis as { [NAME]?: unknown };

beforeEach(() => {
  vi.resetModules();
  known[NAME] = undefined;
});

afterEach(() => {
  globalThis.setImmediate = real;
  known[NAME] = undefined;
});

/** Asks again and again as Dawn's binding does, for so many ms; how often. @param asked does what comes between */
function wait(ms: number, asked: () => void = () => undefined): Promise<number> {
  return new Promise((resolve) => {
    const begin = performance.now();
    let polls = 0;
    const poll = () => {
      polls += 1;
      asked();
      if (performance.now() - begin >= ms) resolve(polls);
      else setImmediate(poll);
    };
    setImmediate(poll);
  });
}

test("the longer a wait has lasted, the less often it asks, and soon enough after something new", async () => {
  const often = await wait(40);
  const { pollSeldom, waitAnew } = await import("./polling.js");
  pollSeldom();
  const seldom = await wait(40);
  // Every quarter of a millisecond from the fifth one on, and every twentieth part of the time before.
  expect(seldom).toBeLessThan(300);
  // Beside others' work a quarter of a millisecond becomes several.
  expect(seldom).toBeGreaterThan(5);
  expect(often).toBeGreaterThan(2 * seldom);
  // What is waited for is always new: as often as without.
  expect(await wait(40, waitAnew)).toBeGreaterThan(2 * seldom);
});

test("all copies of the module are one, and one that sleeps does so for all", async () => {
  const first = await import("./polling.js");
  const waiting = first.pollSeldom();
  const replaced = globalThis.setImmediate;
  vi.resetModules();
  const second = await import("./polling.js");
  second.sleepInWaits();
  expect(second.pollSeldom()).toBe(waiting);
  expect(globalThis.setImmediate).toBe(replaced);
  // A millisecond and more between polls, but for the first one.
  let begin = 0;
  let late = 0;
  await wait(60, () => {
    begin ||= performance.now();
    if (performance.now() - begin > 5) late += 1;
  });
  expect(late).toBeGreaterThan(0);
  expect(late).toBeLessThan(56);
});
