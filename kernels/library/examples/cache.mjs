/**
 * A cache that stays full: each round erases the oldest keys and inserts as many new ones. All commands are recorded, and no round waits
 * for the host. Slots of erased keys come back, so that the last round is as the first.
 */
import { createTable, OUTCOME_BYTES, readOutcome } from "webgpu-hash-table";
import { expect, kernel, read, storage } from "./device.mjs";

/** Rounds of a submission. */
const TOGETHER = 500;
const BATCH = 64;
const BATCHES = 16;
const CAPACITY = BATCH * BATCHES;

// Key number i is i times an odd number, its value i.
const ODD = 0x9e3779b1;
const NEXT = /* wgsl */ `
@group(0) @binding(0) var<storage, read_write> round: u32;
@group(0) @binding(1) var<storage, read_write> oldest: array<u32>;
@group(0) @binding(2) var<storage, read_write> keys: array<u32>;
@group(0) @binding(3) var<storage, read_write> values: array<u32>;

@compute @workgroup_size(${BATCH}) fn main(@builtin(local_invocation_index) lane: u32) {
  let i = (round + ${BATCHES}u) * ${BATCH}u + lane;
  oldest[lane] = (i - ${CAPACITY}u) * ${ODD}u;
  keys[lane] = i * ${ODD}u;
  values[lane] = i;
  storageBarrier();
  if (lane == 0u) { round++; }
}`;

/** @param {GPUDevice} device @param {number} rounds a multiple of TOGETHER */
export async function cache(device, rounds = 10_000) {
  const table = await createTable(device, "quotient", { capacity: CAPACITY });
  const next = await kernel(device, NEXT);
  const numbers = (first) => Uint32Array.from({ length: CAPACITY }, (_, i) => first + i);
  const keysOf = (first) => numbers(first).map((i) => Math.imul(i, ODD));
  const [keys, values] = [keysOf(0), numbers(0)].map((words) => storage(device, words));
  const own = [1, BATCH, BATCH, BATCH].map((words) => storage(device, words));
  const [, oldest, newKeys, newValues] = own;
  const outcomes = storage(device, (2 * rounds * OUTCOME_BYTES) / 4);
  await table.insert({ keys, values, n: CAPACITY });
  for (let first = 0; first < rounds; first += TOGETHER) {
    const encoder = device.createCommandEncoder();
    for (let round = first; round < first + TOGETHER; round++) {
      const outcome = (which) => ({ buffer: outcomes, offset: (2 * round + which) * OUTCOME_BYTES });
      next(encoder, 1, own);
      table.encodeErase(encoder, { keys: oldest, n: BATCH }, outcome(0));
      table.encodeInsert(encoder, { keys: newKeys, values: newValues, n: BATCH }, outcome(1));
    }
    device.queue.submit([encoder.finish()]);
    // Else the commands of all rounds wait side by side.
    await device.queue.onSubmittedWorkDone();
  }
  const words = await read(device, outcomes);
  for (let i = 0; i < 2 * rounds; i++) {
    const { erased, refused } = readOutcome(words.subarray((i * OUTCOME_BYTES) / 4));
    expect("erased", erased, i % 2 === 0 ? BATCH : 0);
    expect("refused", refused, 0);
  }
  expect("pairs", await table.size(), CAPACITY);
  const last = rounds * BATCH;
  device.queue.writeBuffer(keys, 0, keysOf(last));
  await table.find({ keys, results: values, n: CAPACITY });
  expect("values", (await read(device, values)).join(), numbers(last).join());
  table.destroy();
  for (const buffer of [keys, values, ...own, outcomes]) buffer.destroy();
  return `${rounds} rounds: ${CAPACITY} pairs in ${table.slots} slots, nothing refused`;
}
