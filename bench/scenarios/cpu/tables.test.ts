import { expect, test } from "vitest";
import { EMPTY } from "../../../datasets/dataset.js";
import { uniform } from "../../../datasets/rng.js";
import { cpuTables, typedArray } from "./tables.js";

test.each(cpuTables)("$id agrees with a Map on a random history", ({ create }) => {
  const draw = uniform(2);
  const word = () => Math.floor(draw() * 2000);
  const oracle = new Map<number, number>();
  const table = create(2000, 0.95);
  for (let batch = 0; batch < 20; batch++) {
    const keys = Uint32Array.from({ length: 200 }, word);
    const values = keys.map((key) => key * 7 + batch);
    table.insert(keys, values);
    for (const [i, key] of keys.entries()) oracle.set(key, values[i] ?? 0);
    const queries = Uint32Array.from({ length: 500 }, word);
    const results = new Uint32Array(500);
    table.find(queries, results);
    expect([...results]).toEqual([...queries].map((key) => oracle.get(key) ?? EMPTY));
  }
  table.clear();
  const results = new Uint32Array(1);
  table.find(Uint32Array.of(5), results);
  expect(results[0]).toBe(EMPTY);
});

test("a typed array that is full to the last slot says so, and does not search for ever", () => {
  const table = typedArray.create(100, 1);
  const keys = Uint32Array.from({ length: 102 }, (_, i) => i);
  expect(() => table.insert(keys, keys)).toThrow(/no free slot: more than the 100 keys/);
  expect(() => table.find(Uint32Array.of(1000), new Uint32Array(1))).toThrow(RangeError);
});
