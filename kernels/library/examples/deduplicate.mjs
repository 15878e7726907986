/**
 * Each key of many once: one kernel asks a table for every key, and pushes those that are new.
 *
 *     node kernels/library/examples/deduplicate.mjs
 */
import { pathToFileURL } from "node:url";
import { createTable } from "webgpu-hash-table";
import { kernel, openDevice, read, storage } from "./device.mjs";

const LANES = 256;

// Lanes of a workgroup push together: they ask for their places at once.
const PUSH = /* wgsl */ `
@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<storage, read_write> distinct: array<u32>;
@group(0) @binding(2) var<storage, read_write> count: atomic<u32>;
var<workgroup> pushed: atomic<u32>;
var<workgroup> first: u32;

@compute @workgroup_size(${LANES})
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
  let has_key = id.x < arrayLength(&keys);
  let key = keys[min(id.x, arrayLength(&keys) - 1u)];
  let is_new = has_key && seen_find_or_insert(key, id.x).state == seen_NEW;
  var place = 0u;
  if (is_new) { place = atomicAdd(&pushed, 1u); }
  workgroupBarrier();
  if (lane == 0u) { first = atomicAdd(&count, atomicLoad(&pushed)); }
  let begin = workgroupUniformLoad(&first);
  if (is_new) { distinct[begin + place] = key; }
}`;

/** The different keys, in any order. @param {GPUDevice} device @param {Uint32Array} keys at most 65,535 workgroups of them */
export async function deduplicate(device, keys) {
  const seen = await createTable(device, "bucketed", { capacity: keys.length });
  const functions = seen.device({ group: 1, prefix: "seen_", functions: ["find_or_insert"] });
  const push = await kernel(device, functions.code + PUSH, "main", [functions]);
  const [own, distinct, count] = [storage(device, keys), storage(device, keys.length), storage(device, 1)];
  const encoder = device.createCommandEncoder();
  push(encoder, Math.ceil(keys.length / LANES), [own, distinct, count]);
  device.queue.submit([encoder.finish()]);
  const [size] = await read(device, count, 1);
  const found = await read(device, distinct, size);
  seen.destroy();
  for (const buffer of [own, distinct, count]) buffer.destroy();
  return found;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const keys = Uint32Array.from({ length: 1_000_000 }, (_, i) => Math.imul(i, i) % 300_000);
  const { length } = await deduplicate(await openDevice(), keys);
  console.log(`${length} different keys of ${keys.length}`);
  process.exit();
}
