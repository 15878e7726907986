import { expect, test } from "vitest";
import { row } from "../../bench/results/testing.js";
import { onAxis } from "./beyond.js";
import { aboveNote, hiddenNote } from "./remarks.js";
import { plotData } from "./series.js";
import { experiment, threeRows } from "./testing.js";

const cuckoo = { table: "cuckoo", variant: "1.25n" };

test("a line that lies under another one is named, one that leaves it anywhere is not", () => {
  const both = [...threeRows(), ...threeRows(cuckoo)];
  expect(hiddenNote(plotData(experiment(), both))).toContain("GPH under Cuckoo 1.25n.");
  const apart = both.map((one) => (one.table === "cuckoo" && one.positive_ratio === 1 ? { ...one, value: 210 } : one));
  expect(hiddenNote(plotData(experiment(), apart))).toBe("");
});

test("a series above the limit is named with how far, one below it is not", () => {
  const limit = (changes: object) => row({ metric: "limit_mops", value: 100, ...changes });
  const rows = [...threeRows(), ...threeRows({ ...cuckoo, value: 50 })].map((one) => [
    one,
    limit({ table: one.table, variant: one.variant, positive_ratio: one.positive_ratio }),
  ]);
  const note = aboveNote(plotData(experiment({}, { beside: { limit: true } }), rows.flat()));
  expect(note).toContain("GPH (up to 2 times).");
  expect(note).not.toContain("Cuckoo");
});

test("values above the axis' end are not drawn, but named", () => {
  const shares = experiment({}, { y: { title: "Share (%)", factor: 1, most: 110 } });
  const { data, remarks } = onAxis(shares, plotData(shares, threeRows()), false);
  expect(data.points.map(({ y }) => y)).toEqual([100]);
  expect(remarks).toContain("Above this axis: GPH (150 % to 200 %).");
  expect(remarks).not.toContain("Intervals are cut at the axis' end.");
});

test("an interval that goes on above the axis' end is cut there, which is said", () => {
  const shares = experiment({}, { y: { title: "Share (%)", factor: 1, most: 110 } });
  const { data, remarks } = onAxis(shares, plotData(shares, [row({ value: 100, lo: 90, hi: 250 })]), false);
  expect(data.points.map(({ lo, hi }) => [lo, hi])).toEqual([[90, 110]]);
  expect(remarks).toContain("Intervals are cut at the axis' end.");
});
