import { expect, test } from "vitest";
import { freest, trace } from "./label-place.js";

const panel = { width: 100, height: 100 };
const box = (x: number, y: number) => ({ x, y, width: 30, height: 10 });

test("the box that hides fewest spots is taken, the first of equal ones", () => {
  const line = trace({ x: 0, y: 15 }, { x: 50, y: 15 });
  expect(freest([box(0, 10), box(60, 10), box(60, 30)], line, panel)).toEqual(box(60, 10));
  expect(freest([box(0, 10), box(40, 10)], line, panel)).toEqual(box(40, 10));
});

test("a box that lies outside the panel is taken only where all do", () => {
  const crowded = trace({ x: 0, y: 15 }, { x: 100, y: 15 });
  expect(freest([box(0, -5), box(80, 50), box(0, 10)], crowded, panel)).toEqual(box(0, 10));
  expect(freest([box(0, -5), box(80, 50)], crowded, panel)).toEqual(box(0, -5));
});

test("a line is traced densely enough that no name slips between its spots", () => {
  const spots = trace({ x: 0, y: 0 }, { x: 30, y: 40 });
  expect(spots[0]).toEqual({ x: 0, y: 0 });
  expect(spots.at(-1)).toEqual({ x: 30, y: 40 });
  expect(spots.length).toBeGreaterThan(50 / 4);
  expect(trace({ x: 1, y: 2 }, { x: 1, y: 2 })[0]).toEqual({ x: 1, y: 2 });
});
