import { describe, expect, test } from "vitest";
import { keyConstants, keyRange } from "../../../datasets/random.js";
import { EMPTY } from "../../../kernels/common/steps.js";
import { efficiencyOf, type Insertion, simulateClStash, simulateCuckoo, simulateStash } from "./testing.js";

const keysOf = (n: number) => keyRange(0, n, keyConstants(3));
const cuckoo = (insertion: Insertion) => simulateCuckoo({ ...insertion, seed: 3 });
const simulations = { cuckoo, stash: simulateStash, clstash: simulateClStash };
const LOAD_FACTORS = [0.8, 0.85, 0.9, 0.95];

const N = 2 ** 17;
/** An eighth of the warps in flight: as with 1,024 of them and 2^18 keys. */
const EIGHTH = { keys: keysOf(N), inFlight: N / 32 / 8 };

describe.each(Object.entries(simulations))("%s", (_, simulate) => {
  test.each([1, 31, 33, 1024, 5001])("places every key of %d exactly once", (n) => {
    const keys = keysOf(n);
    const { table } = simulate({ keys, loadFactor: 0.9, inFlight: 5 });
    expect(table.filter((key) => key !== EMPTY).toSorted()).toEqual(keys.toSorted());
  });

  test("has an efficiency in (0, 1], which falls with the load factor and with more warps in flight", () => {
    const efficiencies = [0.8, 0.95].flatMap((loadFactor) =>
      [1, 128].map((inFlight) => efficiencyOf(simulate({ keys: keysOf(2 ** 15), loadFactor, inFlight }).passes)),
    );
    for (const one of efficiencies) expect(one > 0 && one <= 1).toBe(true);
    const [alone = 0, many = 0, fullAlone = 0, fullMany = 0] = efficiencies;
    expect(many).toBeLessThan(alone);
    expect(fullMany).toBeLessThan(fullAlone);
    expect(fullAlone).toBeLessThan(alone);
    expect(fullMany).toBeLessThan(many);
  });
});

test("full warps without collisions have efficiency 1", () => {
  // One warp, and a table so large that its 32 keys meet nobody: one turn of 32 lanes.
  const { passes } = simulateStash({ keys: keysOf(32), loadFactor: 1e-5 });
  expect(passes).toEqual([{ laneSteps: 32, warpSteps: 1 }]);
});

test("a lane without a key is idle", () => {
  const { passes } = simulateClStash({ keys: keysOf(33), loadFactor: 1e-5 });
  expect(passes).toEqual([{ laneSteps: 33, warpSteps: 2 }]);
});

// Per cent by an independent simulation of the same schedules.
test.each([
  { name: "stash", expected: [29.6, 28.0, 26.1, 23.5] },
  { name: "cuckoo", expected: [29.0, 27.2, 24.8, 20.1] },
] as const)("an eighth of the warps in flight: $name has $expected %", ({ name, expected }) => {
  for (const [i, loadFactor] of LOAD_FACTORS.entries()) {
    const [first] = simulations[name]({ ...EIGHTH, loadFactor }).passes;
    expect(Math.abs(100 * efficiencyOf(first ? [first] : []) - (expected[i] ?? 0))).toBeLessThan(0.5);
  }
});

test("collaborating lanes are more than twice as efficient", () => {
  for (const loadFactor of LOAD_FACTORS) {
    const [alone, together] = [simulateStash, simulateClStash].map((simulate) =>
      efficiencyOf(simulate({ ...EIGHTH, loadFactor }).passes),
    );
    expect((together ?? 0) / (alone ?? 1)).toBeGreaterThan(2);
  }
});

test("cuckoo: a build that fails counts, and the next one has other functions", () => {
  // 2^10 keys at the smallest space: of these seeds some need a second build.
  const keys = keysOf(2 ** 10);
  const passes = Array.from(
    { length: 20 },
    (_, seed) => simulateCuckoo({ keys, loadFactor: 0.97, seed }).passes.length,
  );
  expect(new Set(passes).size).toBeGreaterThan(1);
});
