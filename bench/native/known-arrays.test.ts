import { expect, test } from "vitest";
import { temporaryFolder } from "../results/testing.js";
import { KnownArrays } from "./known-arrays.js";
import { Program } from "./program.js";
import { manifestOf } from "./testing.js";

const N = 1000;
const words = (_: number, n: number) => new Uint32Array(n).fill(7);

/** Arrays of a program, and what they take of a device. */
async function opened(room: number) {
  const program = await Program.start(manifestOf(temporaryFolder()));
  const taken = { bytes: 0 };
  const takes = async (bytes: number) => {
    taken.bytes += bytes;
    return () => {
      taken.bytes -= bytes;
    };
  };
  return { program, taken, arrays: new KnownArrays(program, takes, room) };
}

test("an array that no table has is kept as long as there is room, those that were wanted last the longest", async () => {
  const { program, taken, arrays } = await opened(2 * 4 * N);
  const made = await arrays.get("a", N, words);
  expect(await arrays.get("a", N, words)).toBe(made);
  for (const content of ["b", "c"]) await arrays.get(content, N, words);
  expect(taken.bytes).toBe(3 * 4 * N);
  await arrays.give("a");
  for (const content of ["b", "c"]) await arrays.give(content);
  // One table has it still.
  expect(taken.bytes).toBe(3 * 4 * N);
  await arrays.give("a");
  expect(taken.bytes).toBe(2 * 4 * N);
  expect(await arrays.get("c", N, words)).toBeDefined();
  expect(await arrays.keep(0)).toBe(true);
  expect([taken.bytes, await arrays.keep(0)]).toEqual([4 * N, false]);
  expect(await arrays.get("a", N, words)).not.toBe(made);
  program.end();
});

test("where there is no room the array goes that was wanted longest ago, whenever it was made", async () => {
  const { program, taken, arrays } = await opened(4 * N);
  const made = await arrays.get("a", N, words);
  await arrays.get("b", N, words);
  await arrays.get("a", N, words);
  for (const content of ["a", "b", "a"]) await arrays.give(content);
  expect(taken.bytes).toBe(4 * N);
  expect(await arrays.get("a", N, words)).toBe(made);
  program.end();
});

test("of a program that has ended nothing is left, and an array that could not be made is made anew", async () => {
  const { program, taken, arrays } = await opened(0);
  const failing = () => {
    throw new Error("no words");
  };
  await expect(arrays.get("x", N, failing)).rejects.toThrow("no words");
  expect(taken.bytes).toBe(0);
  await arrays.get("x", N, words);
  arrays.end();
  program.end();
  await expect.poll(() => taken.bytes).toBe(0);
});
