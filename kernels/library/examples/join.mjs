/**
 * A hash join: orders by their key, and the items that name one; the sum of price × quantity over all pairs, modulo 2^32.
 *
 *     node kernels/library/examples/join.mjs
 *
 * Build, probe and sum are one submission. The value of a key is the number of its row: a search answers with rows.
 */
import { pathToFileURL } from "node:url";
import { createTable, EMPTY, OUTCOME_BYTES, readOutcome } from "webgpu-hash-table";
import { kernel, openDevice, read, storage } from "./device.mjs";

const LANES = 256;

const SUM = /* wgsl */ `
@group(0) @binding(0) var<storage, read> rows: array<u32>;
@group(0) @binding(1) var<storage, read> prices: array<u32>;
@group(0) @binding(2) var<storage, read> quantities: array<u32>;
// Matches, and the sum.
@group(0) @binding(3) var<storage, read_write> totals: array<atomic<u32>, 2>;

@compute @workgroup_size(${LANES}) fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= arrayLength(&rows) || rows[i] == ${EMPTY}u) { return; }
  atomicAdd(&totals[0], 1u);
  atomicAdd(&totals[1], prices[rows[i]] * quantities[i]);
}`;

/** Orders with keys 0, 7, 14 …, and items of which half name one of them. */
export function relations(orders, items) {
  return {
    keys: Uint32Array.from({ length: orders }, (_, i) => 7 * i),
    prices: Uint32Array.from({ length: orders }, (_, i) => 100 + (i % 900)),
    orderOf: Uint32Array.from({ length: items }, (_, i) => (7 * (Math.imul(i, 0x9e3779b1) >>> 8)) % (14 * orders)),
    quantities: Uint32Array.from({ length: items }, (_, i) => 1 + (i % 50)),
  };
}

/** Matches and sum. @param {GPUDevice} device */
export async function join(device, { keys, prices, orderOf, quantities }) {
  const table = await createTable(device, "bucketed", { capacity: keys.length });
  const sum = await kernel(device, SUM);
  const numbers = storage(
    device,
    keys.map((_, i) => i),
  );
  const [build, price, probe, quantity] = [keys, prices, orderOf, quantities].map((words) => storage(device, words));
  const rows = storage(device, orderOf.length);
  const totals = storage(device, 2);
  const outcome = storage(device, OUTCOME_BYTES / 4);
  const encoder = device.createCommandEncoder();
  table.encodeInsert(encoder, { keys: build, values: numbers, n: keys.length }, { buffer: outcome });
  table.encodeFind(encoder, { keys: probe, results: rows, n: orderOf.length });
  sum(encoder, Math.ceil(orderOf.length / LANES), [rows, price, quantity, totals]);
  device.queue.submit([encoder.finish()]);
  const { refused } = readOutcome(await read(device, outcome));
  if (refused > 0) throw new Error(`${refused} orders found no place`);
  const [matches, total] = await read(device, totals);
  table.destroy();
  for (const buffer of [numbers, build, price, probe, quantity, rows, totals, outcome]) buffer.destroy();
  return { matches, total };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { matches, total } = await join(await openDevice(), relations(100_000, 400_000));
  console.log(`${matches} pairs, sum ${total}`);
  process.exit();
}
