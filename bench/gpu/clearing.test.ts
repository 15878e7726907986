import { expect, test } from "vitest";
import { Clearing } from "./clearing.js";

const GIB = 2 ** 30;

test("what was freed takes 3 ms a GiB from the next submission on, and what is freed meanwhile so much more", () => {
  const clearing = new Clearing();
  clearing.free(10 * GIB);
  expect(clearing.waits).toBe(true);
  expect(clearing.leftMs(0)).toBe(0);
  clearing.submitted(100);
  expect(clearing.waits).toBe(false);
  expect(clearing.leftMs(100)).toBeCloseTo(32);
  expect(clearing.leftMs(120)).toBeCloseTo(12);
  clearing.free(5 * GIB);
  clearing.submitted(120);
  expect(clearing.leftMs(120)).toBeCloseTo(27);
  expect(clearing.leftMs(200)).toBe(0);
});

test("little is not waited for, until it is much together", () => {
  const clearing = new Clearing();
  for (let i = 0; i < 16; i++) {
    expect(clearing.waits).toBe(false);
    clearing.free(2 ** 22);
    clearing.submitted(0);
  }
  expect(clearing.waits).toBe(false);
  expect(clearing.leftMs(0)).toBeCloseTo(2 + 3 / 16);
});
