import { describe, expect, test } from "vitest";
import { checkNames, dispatch, wordsOf } from "./bind.js";
import type { Bindings, Kernel, Resource } from "./gpu.js";
import { idleBuffer } from "./idle.js";

const file = "kernels/any/insert.wgsl";
const RANGE = [
  { name: "first", offset: 0, words: 1 },
  { name: "end", offset: 1, words: 1 },
];
const resources = new Map<string, Resource>([
  ["keys", { binding: 4 }],
  ["range", { binding: 0, fields: RANGE }],
  ["n", { binding: 1, fields: [{ name: "", offset: 0, words: 1 }] }],
]);
const made: (readonly number[])[] = [];
const kernel: Kernel = {
  file,
  pipeline: {} as GPUComputePipeline,
  resources,
  bound: {},
  uniform: (words) => {
    made.push(words);
    return idleBuffer(`uniform ${words.join()}`, 16);
  },
};
const keys = idleBuffer("keys", 16);

describe("a kernel that is made", () => {
  test.each([
    [{ takes: ["keys", "range"] }, `${file}: nothing is bound to n`],
    [{ takes: ["keys", "range", "n", "key"] }, `${file}: no variable key; it uses keys, range, n`],
  ])("with %o is an error", (names, message) => {
    expect(() => checkNames({ file, ...names }, resources)).toThrow(message);
  });

  test("is offered more than it uses, and may leave its names open", () => {
    expect(() => checkNames({ file, bound: { keys, n: 1, status: keys }, takes: ["range"] }, resources)).not.toThrow();
    expect(() => checkNames({ file }, resources)).not.toThrow();
  });
});

test("a step binds what its kernel binds, and what it is given, by name; values of uniforms become their words", () => {
  const step = dispatch({ ...kernel, bound: { n: 7, status: keys } }, 3, { keys, range: { end: 5, first: 2 } });
  expect(step.groups).toBe(3);
  expect(Object.entries(step.bindings).map(([name, bound]) => [name, "buffer" in bound ? bound : bound.label])).toEqual(
    [
      ["n", "uniform 7"],
      ["keys", "keys"],
      ["range", "uniform 2,5"],
    ],
  );
});

test.each<[Bindings, string]>([
  [{ keys, n: 1 }, "nothing is bound to range"],
  [{ keys, n: 1, range: { first: 1, end: 2 }, more: keys }, "no variable more; it uses keys, range, n"],
  [{ keys: 3, n: 1, range: { first: 1, end: 2 } }, "keys is a buffer, and was given a value"],
  [{ keys, n: 1, range: { first: 1 } }, "range.end has 0 words; it takes 1"],
  [{ keys, n: 1, range: { first: 1, ende: 2 } }, "range has no ende; it has first, end"],
  [{ keys, n: 1, range: 5 }, "range has no value of its own; it has first, end"],
  [{ keys, n: { n: 1 }, range: { first: 1, end: 2 } }, "n has no n; it has no members"],
  [{ keys, n: [1, 2], range: { first: 1, end: 2 } }, "n has 2 words; it takes 1"],
  [{ keys, n: 1, range: { first: -1, end: 2 } }, "range.first is -1; it takes a u32"],
])("a step that does not fit its kernel is an error, with its kernel and name", (bindings, message) => {
  expect(() => dispatch(kernel, 1, bindings)).toThrow(message);
  expect(() => dispatch(kernel, 1, bindings)).toThrow(file);
});

test("words of members stand where the uniform has them, with zeros between", () => {
  const fields = [
    { name: "n", offset: 0, words: 1 },
    { name: "seeds", offset: 4, words: 4 },
  ];
  expect(wordsOf("plan", fields, { seeds: [1, 2, 3, 4], n: 9 })).toEqual([9, 0, 0, 0, 1, 2, 3, 4]);
});
