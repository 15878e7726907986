import { expect, test } from "vitest";
import { tickOf } from "./timer.js";

test("the clock's tick is what all durations are multiples of", () => {
  expect(tickOf([1024, 1056, 6880])).toBe(32);
  expect(tickOf([1000, 1001])).toBe(1);
  expect(tickOf([0, 1024, 0])).toBe(1024);
  expect(tickOf([0, 0])).toBe(0);
});
