import { expect, test } from "vitest";
import { EMPTY } from "../../../kernels/common/steps.js";
import { scoped } from "../../../kernels/device/owned.js";
import { testGpu } from "../../device/testing.js";
import { probeRelation } from "./join.js";
import { loadKeys } from "./keys.js";
import { writeValues } from "./workload.js";

const gpu = testGpu();

/** The join by a Map, the aggregate of the device for the Map's answers, and what is expected. */
async function joined(n: number, parts: number, answer = (value: number, _row: number) => value) {
  return scoped(gpu(), async (own) => {
    const data = await loadKeys(own, "random", n, 3);
    const values = await own.alloc("values", n * 4);
    await writeValues(own, data.keys, values, n, 5);
    const words = await own.read(values, n);
    const value = new Map([...(await own.read(data.keys, n))].map((key, i) => [key, words[i] ?? 0]));
    const relation = await probeRelation(own, data, parts, 7);
    const asked = new Set<number>();
    let sum = 0n;
    for (let number = 0; number < parts; number++) {
      const { lookups, aggregate } = await relation.part(number);
      const keys = await own.read(lookups.keys, n);
      const answers = keys.map((key, i) => answer(value.get(key) ?? EMPTY, number * n + i));
      own.write(lookups.results, 0, answers);
      await own.run([aggregate]);
      for (const [i, key] of keys.entries()) {
        asked.add(key);
        sum += BigInt((value.get(key) ?? 0) + number * n + i);
      }
    }
    const result = {
      sum,
      distinct: asked.size,
      is: await relation.aggregated(),
      expected: await relation.expected(values),
    };
    data.destroy();
    return result;
  });
}

// Of the larger one the sums of halves need a second word.
test.each([
  [1000, 1],
  [999, 5],
  [2 ** 17 + 1, 2],
])("R of %i rows, S of %i times as many: aggregate and expectation are those of a join by a Map", async (n, parts) => {
  const { sum, distinct, is, expected } = await joined(n, parts);
  expect(is).toEqual({ rows: n * parts, sum });
  expect(expected).toEqual({ rows: n * parts, sum });
  // Draws with replacement miss e^-parts of the keys.
  expect(distinct / n).toBeCloseTo(1 - Math.exp(-parts), 1);
});

test("an answer that is missing, and one that is another value, change the aggregate", async () => {
  const missing = await joined(999, 2, (value, row) => (row === 1500 ? EMPTY : value));
  expect(missing.is.rows).toBe(missing.expected.rows - 1);
  const other = await joined(999, 2, (value, row) => (row === 3 ? value ^ 0x10000 : value));
  expect(other.is.rows).toBe(other.expected.rows);
  expect(other.is.sum - other.expected.sum).toSatisfy(
    (difference: bigint) => difference === 65536n || difference === -65536n,
  );
});

test("S of 2^32 rows is refused", async () => {
  await scoped(gpu(), async (own) => {
    const data = await loadKeys(own, "random", 1024, 3);
    await expect(probeRelation(own, data, 2 ** 22, 7)).rejects.toThrow("fewer than 2^32 rows");
    data.destroy();
  });
});
