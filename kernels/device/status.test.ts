import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { STATUS_WORDS, statusOf } from "./status.js";

test("the words of the status are the members of the struct that kernels write", () => {
  const wgsl = readFileSync(new URL("../common/status.wgsl", import.meta.url), "utf8");
  expect([...wgsl.matchAll(/(\w+): atomic<u32>/g)].map(([, name]) => name)).toEqual([...STATUS_WORDS]);
});

test("words that a pass did not bring are zero", () => {
  expect(statusOf(Uint32Array.of(3, 4))).toMatchObject({ refused: 3, changed: 4, distinct: 0, halted: 0 });
});
