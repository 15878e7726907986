import { readFileSync, truncateSync } from "node:fs";
import { expect, test } from "vitest";
import { SharedFiles } from "./shared-files.js";

const counting = (first: number, n: number) => Uint32Array.from({ length: n }, (_, i) => first + i);
const unasked = () => {
  throw new Error("written twice");
};
const wordsIn = (path: string) => [...new Uint32Array(new Uint8Array(readFileSync(path)).buffer)];

test("what several arrays hold is written once, and is there for the next ones", async () => {
  const files = new SharedFiles();
  const one = await files.holding("a", 3, counting);
  expect(await files.holding("a", 3, unasked)).toBe(one);
  files.give(one, true);
  files.give(one, true);
  expect(await files.holding("a", 3, unasked)).toBe(one);
  expect(wordsIn(one.path)).toEqual([0, 1, 2]);
  expect(await files.holding("b", 3, () => Uint32Array.of(7, 8, 9))).not.toBe(one);
});

test("a file that nobody uses any more is taken again, by one that it is about as large as", async () => {
  const files = new SharedFiles();
  const one = await files.scratch(100);
  expect(await files.scratch(100)).not.toBe(one);
  files.give(one, true);
  expect(await files.scratch(50)).not.toBe(one);
  expect(await files.scratch(90)).toBe(one);
});

test("what is held is not written over while there is room", async () => {
  const files = new SharedFiles();
  const one = await files.holding("a", 3, counting);
  files.give(one, true);
  expect(await files.scratch(3)).not.toBe(one);
  expect(await files.holding("a", 3, unasked)).toBe(one);
});

test("beyond so many words those that were given back first go", async () => {
  const files = new SharedFiles(250);
  const [a, b, c] = [
    await files.holding("a", 100, counting),
    await files.holding("b", 100, counting),
    await files.holding("c", 100, counting),
  ];
  for (const file of [b, a, c]) files.give(file, true);
  expect(await files.holding("a", 100, unasked)).toBe(a);
  expect(await files.holding("c", 100, unasked)).toBe(c);
  await expect(files.holding("b", 100, unasked)).rejects.toThrow("written twice");
});

test.each([
  ["was cut", (path: string) => truncateSync(path, 4), true],
  ["a lost program may write to", () => undefined, false],
])("a file that %s is not taken again", async (_, spoil, whole) => {
  const files = new SharedFiles();
  const one = await files.scratch(3);
  spoil(one.path);
  files.give(one, whole);
  expect(await files.scratch(3)).not.toBe(one);
});
