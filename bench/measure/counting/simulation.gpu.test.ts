/** The warp execution efficiency that counting variants report is that of the simulated schedule. */
import { availableParallelism } from "node:os";
import { describe, expect, test } from "vitest";
import { keyConstants, keyRange } from "../../../datasets/random.js";
import { createTable } from "../../../kernels/create.js";
import { cuckoo } from "../../../kernels/cuckoo/cuckoo.js";
import { clstash, stash } from "../../../kernels/stash/stash.js";
import type { Params, TableType } from "../../../kernels/table.js";
import { freedAfterTest, testGpu } from "../../device/testing.js";
import { countingRunner, countMetrics } from "./counters.js";
import {
  efficiencyOf,
  type Insertion,
  type Simulation,
  simulateClStash,
  simulateCuckoo,
  simulateStash,
} from "./testing.js";

const gpu = testGpu();
const N = 2 ** 17;
const SEED = 11;
const keys = keyRange(0, N, keyConstants(SEED));

const { keep, upload } = freedAfterTest(gpu);

async function counted(type: TableType, loadFactor: number): Promise<number> {
  // 32 pairs a lane, as the simulation has it.
  const params: Params = type.parameters.some(({ name }) => name === "batches") ? { batches: 32 } : {};
  const table = keep(await createTable(type, gpu(), { n: N, loadFactor, seed: SEED, params, counting: true }));
  await table.clear();
  const { run, counts } = countingRunner(gpu());
  const pairs = { keys: await upload(keys), values: await upload(keys), n: N };
  expect(await table.insert(run, pairs)).toMatchObject({ count: 0 });
  const metric = countMetrics(counts, N).find((one) => one.metric === "warp_efficiency");
  return metric?.value ?? Number.NaN;
}

/**
 * The least and the most efficient schedule that the adapter may have had. A software adapter has as many warps in flight as
 * threads; how many a GPU has, it does not say: between one and all.
 */
function expected(simulate: (insertion: Insertion) => Simulation, loadFactor: number): [least: number, most: number] {
  const schedule = (inFlight: number) => efficiencyOf(simulate({ keys, loadFactor, inFlight }).passes);
  const [most, fewest] = gpu().info.software ? [availableParallelism(), availableParallelism()] : [N / 32, 1];
  return [schedule(most), schedule(fewest)];
}

const tables = [
  { type: cuckoo, simulate: (insertion: Insertion) => simulateCuckoo({ ...insertion, seed: SEED }) },
  { type: stash, simulate: simulateStash },
  { type: clstash, simulate: simulateClStash },
];

describe.each(tables)("$type.id", ({ type, simulate }) => {
  test.each([0.8, 0.95])("counted and simulated efficiency agree within 0.02 at load factor %d", async (loadFactor) => {
    const [least, most] = expected(simulate, loadFactor);
    const value = await counted(type, loadFactor);
    expect(value).toBeGreaterThan(least - 0.02);
    expect(value).toBeLessThan(most + 0.02);
  });
});
