import { describe, expect, test } from "vitest";
import { testGpu } from "../../bench/device/testing.js";
import { Harness } from "../../bench/verify/harness.js";
import { casesFor, testCases } from "../../bench/verify/testing.js";
import { keyOf } from "../../datasets/random.js";
import { bucketed } from "../bucketed/bucketed.js";
import { configure } from "../define.js";
import { crystal, doubleHashing } from "../double-hashing/double-hashing.js";

const gpu = testGpu();
const range = (first: number, count: number) => Array.from({ length: count }, (_, i) => keyOf(first + i, 99));

describe.each([bucketed, doubleHashing, crystal])("$id that reuses slots", (type) => {
  const reusing = configure(type, { reuse: true });
  testCases(casesFor(reusing), gpu, reusing);

  test("lives on while keys come and go, and is full at last without", async () => {
    const rounds = (own: typeof type) =>
      Harness.on(gpu(), own, 1000, 0.8, async (harness) => {
        await harness.insert(range(0, 1000), range(0, 1000));
        for (let round = 0; round < 20; round++) {
          await harness.erase(range(100 * round, 100));
          await harness.insert(range(1000 + 100 * round, 100), range(round, 100));
          await harness.find(range(0, 3100));
        }
      });
    await rounds(reusing);
    await expect(rounds(type)).rejects.toThrow(/^insert refused \d+ of 100 pairs$/);
  });

  test("a cleared table forgets how far its keys got", async () => {
    await Harness.on(gpu(), reusing, 1000, 1, async (harness) => {
      const { slots } = harness.table;
      await harness.insert(range(0, slots), range(0, slots));
      await harness.clear();
      await harness.insert(range(slots, 10), range(0, 10));
      await harness.find(range(0, slots + 10));
    });
  });
});
