/** A table that may refuse pairs, and refuses all of them. */
import { expect, test } from "vitest";
import { defineTable } from "../../kernels/define.js";
import { registerTable } from "../../kernels/index.js";
import { testGpu } from "../device/testing.js";
import { describe } from "../native/table.js";
import { manifestOf } from "../native/testing.js";
import { temporaryFolder } from "../results/testing.js";
import { cellOf, cellsOn } from "./testing.js";

const { prepare, measured } = cellsOn(testGpu());

test("a build that refuses every pair has no rate, nor has a search after it", async () => {
  const change = { id: "refusing-all", safeLoadFactor: 0.4 };
  registerTable(defineTable(describe(manifestOf(temporaryFolder(), "refusing all", change))));
  const cell = cellOf({ table: "refusing-all", n: 500 });
  await expect(measured(cell)).rejects.toThrow(/^all of 500 pairs found no slot$/);
  await expect(prepare({ ...cell, op: "find", positiveRatio: 0 })).rejects.toThrow(/^all of 500 pairs found no slot$/);
});
