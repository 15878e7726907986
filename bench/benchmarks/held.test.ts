import { expect, test } from "vitest";
import { experiments } from "../experiments/index.js";
import { heldPerPair } from "./held.js";
import { knownSeries } from "./index.js";

const cell = { bench: "table", table: "bucketed", n: 2 ** 20, load_factor: 0.8, params: {} };
const tables = experiments.find(({ id }) => id === "tables/load-factor");

test("a pair takes the slots, with tickets where there are some, or its share of a compact table", () => {
  expect(heldPerPair(cell)).toBeCloseTo(10, 3);
  expect(heldPerPair({ ...cell, table: "stash" })).toBeCloseTo(11.25, 3);
  expect(heldPerPair({ ...cell, table: "stash", params: { ticket: 4, lookups: 7 } })).toBeCloseTo(10.625, 3);
  expect(heldPerPair({ ...cell, table: "quotient" })).toBeCloseTo(10, 3);
  // Bits of locks, and counts of its sub-tables.
  expect(heldPerPair({ ...cell, table: "dycuckoo" })).toBeCloseTo(10.007, 3);
});

test("what a table needs only while it is built is not held", () => {
  expect(heldPerPair({ ...cell, table: "cuckoo" })).toBeCloseTo(10, 3);
  expect(heldPerPair({ ...cell, table: "radix-sort" })).toBe(8);
});

test("a table that refused a fifth of the pairs holds its bytes for the others", () => {
  expect(heldPerPair(cell, 0.2)).toBeCloseTo(12.5, 3);
});

test("what is no table of pairs on the GPU, or not known, has none", () => {
  expect(heldPerPair({ ...cell, bench: "cpu", table: "js-map" })).toBeNull();
  expect(heldPerPair({ ...cell, table: "my-table" })).toBeNull();
  expect(heldPerPair({ ...cell, table: "cuckoo-set" })).toBeNull();
  expect(heldPerPair({ ...cell, load_factor: null })).toBeNull();
});

test.each(tables?.axes.loadFactor ?? [])(
  "every table of tables/load-factor says it at %s, reached or not",
  (load_factor) => {
    for (const { table, bench, params = {} } of tables?.series ?? []) {
      if (bench !== undefined) continue;
      expect(knownSeries("table", table), table).toBeDefined();
      const held = heldPerPair({ ...cell, table, load_factor, params });
      expect(held, table).toBeGreaterThan(0.99 * (8 / load_factor));
      expect(held, table).toBeLessThan(1.6 * (8 / load_factor));
    }
  },
);
