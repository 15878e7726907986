import { expect, test } from "vitest";
import { testGpu } from "../device/testing.js";
import { cellOf, cellsOn } from "./testing.js";

const { prepare } = cellsOn(testGpu());
const cell = cellOf({
  bench: "conflicts",
  table: "cas",
  op: "update",
  dataset: "",
  n: 5001,
  loadFactor: null,
  params: { conflicts: 32, words: 100 },
});
const tables = ["cas", "exchange", "sequential"];

test.each(tables.flatMap((table) => [1, 7, 64].map((conflicts) => ({ table, conflicts }))))(
  "$table with $conflicts lanes a word leaves what one of them wrote",
  async ({ table, conflicts }) => {
    const prepared = await prepare({ ...cell, table, params: { conflicts, words: 100 } });
    if (prepared.mutates) await prepared.reset();
    // Nothing has been written yet.
    expect(await prepared.verify()).toMatch(/^the words of 5001 of 5001 lanes/);
    expect(await prepared.sample()).toBeGreaterThan(0);
    expect(await prepared.verify()).toBe("");
  },
);
