import { expect, test } from "vitest";
import { rowOf } from "../claims/testing.js";
import type { ResultRow } from "../results/record.js";
import { hybridThresholds } from "./thresholds.js";

const CHUNKS = 10;
const LOAD_FACTOR = 0.95;

/** Rows of a ticket size whose clStash takes `gain(occupancy)` less than Stash. */
function rowsOf(ticket: number, gain: (occupancy: number) => number, params = {}, chunks = CHUNKS) {
  return Array.from({ length: chunks }, (_, i) => {
    const occupancy = ((i + 0.5) / chunks) * LOAD_FACTOR;
    const row = (table: string, value: number) =>
      rowOf({
        experiment: "stadium/fig13",
        op: "insert",
        metric: "time",
        unit: "ns",
        load_factor: LOAD_FACTOR,
        table,
        value,
        params: { ticket, chunks, chunk: i + 1, keyBytes: 8, valueBytes: 8, ...params },
      });
    return [row("stash", 1000), row("clstash", 1000 - gain(occupancy))];
  }).flat();
}

/** By ticket size. */
const occupancies = (rows: readonly ResultRow[], chunks = CHUNKS) =>
  new Map(hybridThresholds(rows, chunks).map(({ ticket, occupancy }) => [ticket, occupancy]));

test("a threshold is where the gain passes 0 from below, at the second of a parabola's roots", () => {
  const rows = [...rowsOf(1, (x) => 100 * (x - 0.6)), ...rowsOf(4, (x) => 400 * (x - 0.2) * (x - 0.7))];
  const thresholds = occupancies(rows);
  expect(thresholds.get(1)).toBeCloseTo(0.6);
  expect(thresholds.get(4)).toBeCloseTo(0.7);
});

test("lanes that pay always collaborate from the start, lanes that never pay not at all", () => {
  expect(occupancies(rowsOf(8, (x) => 50 + x)).get(8)).toBe(0);
  expect(occupancies(rowsOf(2, (x) => x - 50)).get(2)).toBe(1);
});

test("a gain that only falls below 0 is judged by all chunks together", () => {
  expect(occupancies(rowsOf(4, (x) => 100 * (0.7 - x))).get(4)).toBe(0);
  expect(occupancies(rowsOf(4, (x) => 100 * (0.2 - x))).get(4)).toBe(1);
});

test("chunks of another size, of other experiments and of one table say nothing", () => {
  const rows = rowsOf(1, (x) => x - 0.5);
  expect(hybridThresholds(rows, 50)).toEqual([]);
  expect(occupancies(rows.filter(({ table }) => table === "stash")).size).toBe(0);
  expect(occupancies(rows.map((row) => ({ ...row, experiment: "stadium/full" }))).size).toBe(0);
});

test("pairs of each size have their own thresholds, of either experiment, the smaller pairs first", () => {
  const narrow = { keyBytes: 4, valueBytes: 4 };
  const others = rowsOf(1, (x) => 100 * (x - 0.2), narrow).map((row) => ({ ...row, experiment: "stadium/thresholds" }));
  const found = hybridThresholds([...rowsOf(1, (x) => 100 * (x - 0.6)), ...others], CHUNKS);
  expect(found.map(({ pairBytes, occupancy }) => [pairBytes, Number(occupancy.toFixed(3))])).toEqual([
    [8, 0.2],
    [16, 0.6],
  ]);
});
