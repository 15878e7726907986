/**
 * A join whose keys repeat on both sides: orders of customers, and payments of customers; the sum of price × share over all pairs of an
 * order and a payment of one customer, modulo 2^32. The table is a multimap of the orders.
 */
import { createTable } from "webgpu-hash-table";
import { expect, kernel, read, storage } from "./device.mjs";

const LANES = 256;
const ORDERS = 10_000;
const PAYMENTS = 12_000;
const CUSTOMERS = 4_000;

const SUM = /* wgsl */ `
// First and count in the list, of the orders of each payment; an absent customer's are ~0.
@group(0) @binding(0) var<storage, read> ranges: array<vec2u>;
@group(0) @binding(1) var<storage, read> list: array<u32>;
@group(0) @binding(2) var<storage, read> prices: array<u32>;
@group(0) @binding(3) var<storage, read> shares: array<u32>;
@group(0) @binding(4) var<storage, read_write> total: atomic<u32>;

@compute @workgroup_size(${LANES}) fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&shares)) { return; }
  let range = ranges[id.x];
  if (range.x == ~0u) { return; }
  var sum = 0u;
  for (var i = 0u; i < range.y; i++) { sum += prices[list[range.x + i]] * shares[id.x]; }
  atomicAdd(&total, sum);
}`;

const words = (length, of) => Uint32Array.from({ length }, (_, i) => of(i));
/** Every third customer that pays has no orders. */
const customer = (i, salt) => (Math.imul(i + salt, 0x9e3779b1) >>> 8) % CUSTOMERS;
const orders = {
  customers: words(ORDERS, (i) => customer(i, 0)),
  prices: words(ORDERS, (i) => 100 + (i % 900)),
};
const payments = {
  customers: words(PAYMENTS, (i) => customer(i, ORDERS) + (i % 3 === 0 ? CUSTOMERS : 0)),
  shares: words(PAYMENTS, (i) => 1 + (i % 50)),
};

/** @param {GPUDevice} device */
export async function join(device) {
  const table = await createTable(device, "slab-hash", { capacity: ORDERS, params: { unique: false } });
  const sum = await kernel(device, SUM);
  const given = [orders.customers, words(ORDERS, (i) => i), orders.prices, payments.customers, payments.shares];
  const [keys, rows, prices, asked, shares] = given.map((one) => storage(device, one));
  const [ranges, total] = [storage(device, 2 * PAYMENTS), storage(device, 1)];
  const { stored } = await table.insert({ keys, values: rows, n: ORDERS });
  const { found, list } = await table.findAll({ keys: asked, results: ranges, n: PAYMENTS });
  const encoder = device.createCommandEncoder();
  sum(encoder, Math.ceil(PAYMENTS / LANES), [ranges, list, prices, shares, total]);
  device.queue.submit([encoder.finish()]);
  const [own] = await read(device, total);
  table.destroy();
  for (const buffer of [keys, rows, prices, asked, shares, ranges, total]) buffer.destroy();

  const [counts, sums] = [new Map(), new Map()];
  for (const [row, key] of orders.customers.entries()) {
    counts.set(key, (counts.get(key) ?? 0) + 1);
    sums.set(key, (sums.get(key) ?? 0) + orders.prices[row]);
  }
  let [pairs, expected] = [0, 0];
  for (const [i, key] of payments.customers.entries()) {
    pairs += counts.get(key) ?? 0;
    expected = (expected + (sums.get(key) ?? 0) * payments.shares[i]) >>> 0;
  }
  expect("stored", stored, ORDERS);
  expect("pairs", found, pairs);
  expect("sum", own, expected);
  return `${pairs} pairs of ${ORDERS} orders and ${PAYMENTS} payments, sum ${own}`;
}
