/**
 * Corners of triangles become vertices and indices: a table tells which corners are one vertex.
 *
 * The value of a position is the corner that brought it in, which has the number of the vertex. Numbers are given without gaps.
 */
import { createTable } from "webgpu-hash-table";
import { expect, kernel, read, storage } from "./device.mjs";

const LANES = 256;
const SIDE = 100;

const SHARED = /* wgsl */ `
@group(0) @binding(0) var<storage, read> corners: array<u32>;
@group(0) @binding(1) var<storage, read_write> count: atomic<u32>;
@group(0) @binding(2) var<storage, read_write> vertices: array<u32>;
@group(0) @binding(3) var<storage, read_write> numbers: array<u32>;
@group(0) @binding(4) var<storage, read_write> indices: array<u32>;`;

// A corner's index is the corner that has the vertex, at first.
const SHARE = /* wgsl */ `
${SHARED}
@compute @workgroup_size(${LANES}) fn main(@builtin(global_invocation_id) id: vec3u) {
  let corner = id.x;
  if (corner >= arrayLength(&corners)) { return; }
  let settled = seen_find_or_insert(corners[corner], corner);
  indices[corner] = settled.value;
  if (settled.state == seen_NEW) {
    let vertex = atomicAdd(&count, 1u);
    vertices[vertex] = corners[corner];
    numbers[corner] = vertex;
  }
}`;

const NUMBER = /* wgsl */ `
${SHARED}
@compute @workgroup_size(${LANES}) fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < arrayLength(&indices)) { indices[id.x] = numbers[indices[id.x]]; }
}`;

/** Corners of a grid of squares, two triangles each: x and y, 16 bits each. */
const soup = Uint32Array.from({ length: 6 * SIDE * SIDE }, (_, i) => {
  const [square, corner] = [Math.floor(i / 6), i % 6];
  const x = (square % SIDE) + [0, 1, 0, 0, 1, 1][corner];
  const y = Math.floor(square / SIDE) + [0, 0, 1, 1, 0, 1][corner];
  return (y << 16) | x;
});

/** @param {GPUDevice} device */
export async function mesh(device) {
  const table = await createTable(device, "bucketed", { capacity: soup.length });
  const seen = table.device({ group: 1, prefix: "seen_", functions: ["find_or_insert"] });
  const share = await kernel(device, seen.code + SHARE, "main", [seen]);
  const number = await kernel(device, NUMBER);
  const count = storage(device, 1);
  const corners = storage(device, soup);
  const [vertices, numbers, indices] = [0, 1, 2].map(() => storage(device, soup.length));
  const buffers = [corners, count, vertices, numbers, indices];
  const encoder = device.createCommandEncoder();
  for (const step of [share, number]) step(encoder, Math.ceil(soup.length / LANES), buffers);
  device.queue.submit([encoder.finish()]);
  const [size] = await read(device, count);
  const [positions, order] = [await read(device, vertices, size), await read(device, indices)];
  table.destroy();
  for (const buffer of buffers) buffer.destroy();

  expect("vertices", size, (SIDE + 1) ** 2);
  for (const [i, corner] of soup.entries()) expect(`corner ${i}`, positions[order[i]], corner);
  return `${soup.length / 3} triangles of ${size} vertices`;
}
