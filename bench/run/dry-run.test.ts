import { expect, test } from "vitest";
import { experiments } from "../experiments/index.js";
import { bytesOf } from "../scenarios/index.js";
import { largest } from "./dry-run.js";
import { plan } from "./plan.js";

const parts = plan(
  experiments.filter(({ id }) => id === "gph/fig10"),
  { quick: false, seed: 1 },
  { software: false, name: "some GPU" },
);

test("the largest cell is the one that holds the most", () => {
  const all = parts.flatMap(({ cells }) => cells.map((cell) => bytesOf(cell).all));
  expect(largest(parts, 2 ** 32).cell).toBe(Math.max(...all));
});

test("a group holds no more than the memory for cells", () => {
  const { cell, group } = largest(parts, 2 ** 34);
  expect(group).toBeLessThanOrEqual(2 ** 34);
  expect(group).toBeGreaterThan(cell);
});

test("a cell that is larger than that is a group by itself", () => {
  const { cell, group } = largest(parts, 1);
  expect(group).toBe(cell);
});
