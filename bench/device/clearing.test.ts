import { expect, test } from "vitest";
import { Clearing } from "./clearing.js";

const GIB = 2 ** 30;

test("what was freed takes 3 ms a GiB from the end of the next submission on, and what is freed meanwhile so much more", () => {
  const clearing = new Clearing();
  clearing.free(10 * GIB);
  expect(clearing.waits).toBe(true);
  clearing.submitted(1);
  clearing.ended(1, 100);
  expect(clearing.waits).toBe(false);
  expect(clearing.leftMs(100)).toBeCloseTo(32);
  expect(clearing.leftMs(120)).toBeCloseTo(12);
  clearing.free(5 * GIB);
  clearing.submitted(2);
  clearing.ended(2, 120);
  expect(clearing.leftMs(120)).toBeCloseTo(27);
  expect(clearing.leftMs(200)).toBe(0);
});

test("behind a long pass it begins when that has ended, and not with what ended before", () => {
  const clearing = new Clearing();
  clearing.free(10 * GIB);
  clearing.submitted(4);
  clearing.free(GIB);
  clearing.submitted(5);
  clearing.ended(3, 100);
  expect([clearing.waits, clearing.leftMs(100)]).toEqual([true, 0]);
  clearing.ended(4, 500);
  expect(clearing.waits).toBe(true);
  expect(clearing.leftMs(500)).toBeCloseTo(32);
  clearing.ended(6, 510);
  expect(clearing.waits).toBe(false);
  expect(clearing.leftMs(510)).toBeCloseTo(25);
});

test("little is not waited for, until it is much together", () => {
  const clearing = new Clearing();
  for (let i = 1; i <= 16; i++) {
    expect(clearing.waits).toBe(false);
    clearing.free(2 ** 22);
    clearing.submitted(i);
    clearing.ended(i, 0);
  }
  expect(clearing.waits).toBe(false);
  expect(clearing.leftMs(0)).toBeCloseTo(2 + 3 / 16);
});
