import { expect, test } from "vitest";
import { row } from "../testing.js";
import { fitOf, fitPoints, fits } from "./fit.js";

/** A cell of a table: its rate, limit (M op/s) and transactions an operation. */
function cell(seed: number, mops: number, limit: number, transactions: number, op = "find") {
  return Object.entries({ mops, limit_mops: limit, transactions }).map(([metric, value]) =>
    row({ seed, op, metric, value }),
  );
}

test("the predicted time is transactions over the limit's rate", () => {
  const [point] = fitPoints(cell(1, 500, 1000, 1.5));
  expect(point).toMatchObject({ predicted: 1.5, measured: 2, table: "gph" });
});

test("cells without a limit or counted transactions, and failed ones, have no part in it", () => {
  const [rate, limit] = cell(1, 500, 1000, 1.5);
  if (!rate || !limit) throw new Error("a cell has three rows");
  expect(fitPoints([rate, limit])).toEqual([]);
  expect(fitPoints(cell(1, 500, 1000, 1.5).map((r) => ({ ...r, bench: "cpu" })))).toEqual([]);
});

test("r is 1 for times in proportion, and errors are relative to the measured time", () => {
  const points = fitPoints([1, 2, 4].flatMap((t, i) => cell(i, 500 / t, 1000, t)));
  expect(fitOf(points)?.r).toBeCloseTo(1, 12);
  expect(fitOf(points)?.medianError).toBeCloseTo(0.5, 12);
  expect(fitOf([])).toBeNull();
  expect(fitOf(points.slice(0, 2))?.r).toBeNull();
});

test("operations are also judged alone, where there are several", () => {
  const one = fitPoints(cell(1, 500, 1000, 1.5));
  expect(fits(one).map((f) => f.name)).toEqual(["all"]);
  const two = fitPoints([...cell(1, 500, 1000, 1.5), ...cell(2, 500, 1000, 1.5, "insert")]);
  expect(fits(two).map((f) => f.name)).toEqual(["all", "find", "insert"]);
});
