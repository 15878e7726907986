import { expect, test } from "vitest";
import { createTable } from "../create.js";
import { FakeGpu } from "../device/fake.js";
import type { MemoryKind } from "../device/gpu.js";
import { idleBuffer } from "../device/idle.js";
import { Owner } from "../device/owned.js";
import { quotient } from "../quotient/quotient.js";
import type { RunSteps, TableType } from "../table.js";
import { fingerprints } from "./fingerprints.js";

const PAIRS = 120_000_000;
const buffer = () => idleBuffer("the caller's", 4 * PAIRS);

/** Dispatches of an insertion of all pairs, of a search for as many, and of one for 10,000. */
async function dispatches(type: TableType, memory: MemoryKind) {
  const gpu = new FakeGpu();
  const own = new Owner(gpu, "", memory);
  const table = await createTable(type, own, { n: PAIRS, loadFactor: 0.8, seed: 1, counting: false });
  const counts: number[] = [];
  const run: RunSteps = (steps) => {
    counts.push(steps.length);
    return gpu.time(steps);
  };
  await table.insert(run, { keys: buffer(), values: buffer(), n: PAIRS });
  for (const n of [PAIRS, 10_000]) await table.find(run, { keys: buffer(), results: buffer(), n });
  return { counts, allocations: gpu.allocations };
}

test.each([
  { type: fingerprints, elsewhere: [1, 1, 1] },
  { type: quotient, elsewhere: [2, 1, 1] },
])("operations visit a table in host memory part by part, if the keys are many: $type.id", async (one) => {
  // 1.2 GB in parts of 256 MiB.
  expect((await dispatches(one.type, "host")).counts).toEqual([5, 5, 2]);
  expect((await dispatches(one.type, "device")).counts).toEqual(one.elsewhere);
});

test("fingerprints are in the device's memory where the pairs are in the host's", async () => {
  const { allocations } = await dispatches(fingerprints, "host");
  const places = allocations.filter(({ label }) => /^(index|bank)/.test(label));
  expect(places.map(({ memory }) => memory)).toEqual(["device", "host"]);
});
