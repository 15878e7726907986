import { expect, test } from "vitest";
import { slotsFor } from "../../kernels/cuckoo/cuckoo.js";
import type { CellSpec } from "../base/experiment.js";
import { testGpu } from "../device/testing.js";
import { attempts, chapterTime, ownTime, turnAttempts } from "./limits/cost-model.js";
import { byName, cellOf, cellsOn } from "./testing.js";

const { prepare } = cellsOn(testGpu());
const cell = cellOf({ bench: "model", table: "cuckoo", n: 20_000, seed: 1 });
const size = { n: cell.n, slots: slotsFor(cell.n, 0.8) };

/** One sample of the model, and its metrics. */
async function sampled(spec: CellSpec) {
  const prepared = await prepare(spec);
  const ns = await prepared.sample();
  expect(await prepared.verify()).toBe("");
  expect(prepared.operations).toBe(cell.n);
  return { ns, metrics: byName(await prepared.metrics(ns)) };
}

test("a sample is the chapter's formula with the constants that stand in the row", async () => {
  const { ns, metrics } = await sampled(cell);
  const { uncoalesced_access: uncoalesced = 0, coalesced_access: coalesced = 0 } = metrics;
  expect(Math.min(uncoalesced, coalesced)).toBeGreaterThan(0);
  expect(ns).toBeCloseTo(chapterTime(size, { uncoalesced, coalesced }));
  expect(metrics.limit_mops).toBeCloseTo(1e3 / uncoalesced);
  expect(metrics.limit_share).toBeCloseTo((cell.n * uncoalesced) / ns);
  expect(metrics.probes).toBeCloseTo(attempts(size) / cell.n);
});

test("with gathers it is that of our build", async () => {
  const { ns, metrics } = await sampled({ ...cell, params: { gathers: true } });
  const { uncoalesced_access: uncoalesced = 0, coalesced_access: coalesced = 0 } = metrics;
  const { key_access: key = 0, pair_access: pair = 0 } = metrics;
  expect(Math.min(key, pair)).toBeGreaterThan(0);
  const tries = turnAttempts(size, 4);
  expect(metrics.probes).toBeCloseTo(tries / cell.n);
  expect(ns).toBeCloseTo(ownTime(size, tries, { uncoalesced, coalesced, key, pair }));
});

test("a full table has no model", async () => {
  await expect(sampled({ ...cell, loadFactor: 1 })).rejects.toThrow("needs a load factor below 1");
});
