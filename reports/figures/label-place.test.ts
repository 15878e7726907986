import { expect, test } from "vitest";
import { freest, Marks, type Spot } from "./label-place.js";

const panel = { width: 100, height: 100 };
const lineOf = (from: Spot, to: Spot): Marks => {
  const marks = new Marks();
  marks.line(from, to);
  return marks;
};
const box = (x: number, y: number) => ({ x, y, width: 30, height: 10 });

test("the box that hides fewest spots is taken, the first of equal ones", () => {
  const line = lineOf({ x: 0, y: 15 }, { x: 50, y: 15 });
  expect(freest([box(0, 10), box(60, 10), box(60, 30)], line, panel)).toEqual(box(60, 10));
  expect(freest([box(0, 10), box(40, 10)], line, panel)).toEqual(box(40, 10));
  const [first, second] = [1, 2].map((name) => ({ ...box(0, 10), name }));
  expect([first, second].map((one) => one && line.under(one))).toEqual([11, 11]);
  expect(first && second && freest([first, second], line, panel)).toBe(first);
});

test("a box that lies outside the panel is taken only where all do", () => {
  const crowded = lineOf({ x: 0, y: 15 }, { x: 100, y: 15 });
  expect(freest([box(0, -5), box(80, 50), box(0, 10)], crowded, panel)).toEqual(box(0, 10));
  expect(freest([box(0, -5), box(80, 50)], crowded, panel)).toEqual(box(0, -5));
});

test("a line has both its ends, and spots so near that no name slips between them", () => {
  const line = lineOf({ x: 0, y: 0 }, { x: 30, y: 40 });
  const small = (x: number, y: number) => ({ x: x - 1.5, y: y - 1.5, width: 3, height: 3 });
  const along = Array.from({ length: 26 }, (_, i) => small((30 * i) / 25, (40 * i) / 25));
  expect(along.filter((one) => line.under(one) === 0)).toEqual([]);
  expect([small(-2, -2), small(32, 42), small(30, 0)].map((one) => line.under(one))).toEqual([0, 0, 0]);
  expect(lineOf({ x: 1, y: 2 }, { x: 1, y: 2 }).under({ x: 1, y: 2, width: 0, height: 0 })).toBeGreaterThan(0);
});

test("of a box its top, its middle and its bottom are marked", () => {
  const marks = new Marks();
  marks.outline({ x: 10, y: 10, width: 9, height: 20 });
  const at = (y: number) => marks.under({ x: 0, y, width: 100, height: 0 });
  expect([9, 10, 20, 30, 31].map(at)).toEqual([0, 4, 4, 4, 0]);
});
