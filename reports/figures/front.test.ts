import { expect, test } from "vitest";
import { paretoFront } from "./front.js";

const at = (x: number, y: number) => ({ x, y });

test("what is left of a point and above it drives it off the front", () => {
  expect(paretoFront([at(10, 5), at(8, 6), at(12, 7)])).toEqual([at(8, 6), at(12, 7)]);
});

test("the front ascends in x and in y, whatever the order of the points", () => {
  const points = [at(16, 9), at(8, 1), at(10, 4), at(9, 2), at(12, 3), at(14, 9)];
  const front = paretoFront(points);
  expect(front).toEqual([at(8, 1), at(9, 2), at(10, 4), at(14, 9)]);
  expect(paretoFront(points.toReversed())).toEqual(front);
});

test("of points of one x the highest is on it, of points of one y the leftmost", () => {
  expect(paretoFront([at(8, 1), at(8, 3), at(9, 3), at(8, 2)])).toEqual([at(8, 3)]);
});

test("every point off the front has one on it that is as far left and as high", () => {
  const points = Array.from({ length: 200 }, (_, i) => at((i * 7919) % 101, (i * 104729) % 97));
  const front = paretoFront(points);
  for (const p of points) expect(front.some((f) => f.x <= p.x && f.y >= p.y)).toBe(true);
  for (const f of front) expect(points.some((p) => p.x <= f.x && p.y >= f.y && (p.x < f.x || p.y > f.y))).toBe(false);
});

test("points at texts are on no front", () => {
  expect(paretoFront([{ x: "random", y: 3 }])).toEqual([]);
  expect(paretoFront([])).toEqual([]);
});
