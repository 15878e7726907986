import { expect, test } from "vitest";
import { testGpu } from "../gpu/testing.js";
import { cellOf, cellsOn, sample } from "./testing.js";

const gpu = testGpu();
const { prepare } = cellsOn(gpu, cellOf({ bench: "conflicts", table: "cas", op: "update", dataset: "", n: 5001 }));
const tables = ["cas", "exchange", "sequential"];

test.each(tables.flatMap((table) => [1, 7, 64].map((conflicts) => ({ table, conflicts }))))(
  "$table with $conflicts lanes a word leaves what one of them wrote",
  async ({ table, conflicts }) => {
    const prepared = await prepare({ table, params: { conflicts } });
    if (prepared.mutates) await prepared.reset();
    // Nothing has been written yet.
    expect(await prepared.verify()).toMatch(/^the words of 5001 of 5001 lanes/);
    await sample(prepared);
    expect(await prepared.verify()).toBe("");
  },
);
