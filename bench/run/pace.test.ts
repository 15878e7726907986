import { expect, test } from "vitest";
import type { CellSpec } from "../base/experiment.js";
import { Budget, Pace } from "./pace.js";

function cells(count: number, n: number, lookups = 0): CellSpec[] {
  return new Array<CellSpec>(count).fill({ n, params: { lookups } } as unknown as CellSpec);
}

test("without a limit there is room for everything", () => {
  expect(new Budget(null, new Pace()).room(cells(7, 10))).toBe(7);
});

test("one cell first, then as many as the time left allows at the pace so far", () => {
  let time = 0;
  const pace = new Pace();
  const budget = new Budget(10_000, pace, () => time);
  expect(budget.room(cells(50, 10))).toBe(1);
  time = 1000;
  pace.learn(cells(1, 10), 1000);
  expect(budget.room(cells(50, 10))).toBe(9);
  time = 9600;
  expect(budget.room(cells(50, 10))).toBe(0);
});

test("larger cells cost in proportion to their operations, smaller ones as much as the mean", () => {
  const pace = new Pace();
  pace.learn(cells(10, 100, 100), 10_000);
  const budget = new Budget(20_000, pace, () => 0);
  expect(budget.room(cells(50, 500, 500))).toBe(4);
  expect(budget.room(cells(50, 1000))).toBe(4);
  expect(budget.room(cells(50, 1))).toBe(20);
});

test("nothing begins after the end, whatever a cell costs", () => {
  expect(new Budget(0, new Pace()).room(cells(1, 1))).toBe(0);
  expect(new Budget(-5, new Pace()).room(cells(1, 1))).toBe(0);
});
