import { expect, test } from "vitest";
import type { CellSpec } from "../base/experiment.js";
import { testGpu } from "../device/testing.js";
import { byName, cellOf, cellsOn, sampled } from "./testing.js";

const cells = cellsOn(testGpu());
const N = 3001;
const cell = cellOf({ bench: "join", table: "crystal", op: "join", n: N, loadFactor: 0.5, params: { probeRatio: 3 } });
const prepare = (change: Partial<CellSpec>) => cells.prepare({ ...cell, ...change });

test.each([
  ["crystal", {}],
  ["gph", {}],
  // Records, which are made words after the search.
  ["gph", { pairBytes: 16 }],
  ["stash", { valueBytes: 8 }],
  ["warpcore", {}],
  ["cuckoo", {}],
] as const)("%s %o joins, and every sample's aggregate is right", async (table, params) => {
  const join = await prepare({ table, params: { ...cell.params, ...params } });
  const samples: number[] = [];
  for (let run = 0; run < 3; run++) {
    samples.push(...(await sampled(join, 1)));
    expect(await join.verify()).toBe("");
  }
  expect(join.operations).toBe(4 * N);
  const metrics = byName(await join.metrics(1));
  const { build_time: build = 0, probe_time: probe = 0, build_share: share = 0 } = metrics;
  expect(Math.min(build, probe)).toBeGreaterThan(0);
  expect(build).toBeLessThan(Math.max(...samples));
  expect(share).toBeGreaterThan(0);
  expect(share).toBeLessThan(1);
});

test("rows that are aggregated twice are seen", async () => {
  const join = await prepare({});
  await sampled(join, 1);
  expect(await join.verify()).toBe("");
  // A second sample without a reset aggregates twice.
  await join.sample();
  expect(await join.verify()).toMatch(/^the join has 18006 rows and the sum \d+; right are 9003 and \d+$/);
});

test("a join has a ratio, a load factor and different keys", async () => {
  await expect(prepare({ params: {} })).rejects.toThrow("parameter probeRatio is missing");
  await expect(prepare({ loadFactor: null })).rejects.toThrow("needs a load factor");
  await expect(prepare({ dataset: "zipf:1" })).rejects.toThrow("R has every key once");
});
