import { expect, test } from "vitest";
import type { CellSpec } from "../experiment.js";
import { testGpu } from "../gpu/testing.js";
import { prepareCell } from "../measure/benchmark.js";
import { loadKeys } from "../workload/workload.js";
import { conflictsBenchmark } from "./conflicts.js";

const gpu = testGpu();
const keys = { get: (dataset: string, n: number, seed: number) => loadKeys(gpu(), dataset, n, seed) };
const cell: CellSpec = {
  ...{ experiment: "none", bench: "conflicts", table: "cas", variant: "", op: "update", dataset: "" },
  ...{ n: 5001, loadFactor: null, positiveRatio: null, seed: 1, params: { conflicts: 32 } },
};
const tables = ["cas", "exchange", "sequential"];

test.each(tables.flatMap((table) => [1, 7, 64].map((conflicts) => ({ table, conflicts }))))(
  "$table with $conflicts lanes a word leaves what one of them wrote",
  async ({ table, conflicts }) => {
    const prepared = await prepareCell(conflictsBenchmark, { ...cell, table, params: { conflicts } }, gpu(), keys);
    try {
      if (prepared.mutates) await prepared.reset();
      // Nothing has been written yet.
      expect(await prepared.verify()).toMatch(/^the words of 5001 of 5001 lanes/);
      expect(await prepared.sample()).toBeGreaterThan(0);
      expect(await prepared.verify()).toBe("");
    } finally {
      prepared.destroy();
    }
  },
);
