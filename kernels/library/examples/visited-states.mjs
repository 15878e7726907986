/**
 * A set of visited states: breadth-first search through all positions of the 8-puzzle that can be reached from the solved one.
 *
 * One kernel expands a level: it asks the set by `find_or_insert`, and puts a position that is new into the queue. How long a level is,
 * only the device knows: the next one is dispatched indirectly, and the host looks once in a while whether there is one.
 */
import { createTable } from "webgpu-hash-table";
import { expect, kernel, read, storage } from "./device.mjs";

const STATES = 181_440;
/** Levels of a submission. */
const LEVELS = 16;
const LANES = 64;

const SEARCH = /* wgsl */ `
// The level is positions begin ... end - 1 of the queue, so many moves away; the next one ends at tail.
struct Search { begin: u32, end: u32, moves: u32, tail: atomic<u32> }
@group(0) @binding(0) var<storage, read_write> search: Search;`;

// A position is a number of nine digits to the base 9: the tile of each cell, 0 for the hole.
const EXPAND = /* wgsl */ `
${SEARCH}
@group(0) @binding(1) var<storage, read_write> queue: array<u32>;

@compute @workgroup_size(${LANES}) fn expand(@builtin(global_invocation_id) id: vec3u) {
  let i = search.begin + id.x / 4u;
  if (i >= search.end) { return; }
  var cells: array<u32, 9>;
  var rest = queue[i];
  var hole = 0u;
  for (var cell = 0u; cell < 9u; cell++) {
    cells[cell] = rest % 9u;
    if (cells[cell] == 0u) { hole = cell; }
    rest /= 9u;
  }
  let x = i32(hole % 3u) + array(1, -1, 0, 0)[id.x % 4u];
  let y = i32(hole / 3u) + array(0, 0, 1, -1)[id.x % 4u];
  if (x < 0 || x > 2 || y < 0 || y > 2) { return; }
  let other = u32(3 * y + x);
  cells[hole] = cells[other];
  cells[other] = 0u;
  var position = 0u;
  for (var cell = 9u; cell > 0u; cell--) { position = position * 9u + cells[cell - 1u]; }
  if (visited_find_or_insert(position, search.moves).state == visited_NEW) {
    queue[atomicAdd(&search.tail, 1u)] = position;
  }
}`;

const ADVANCE = /* wgsl */ `
${SEARCH}
@group(0) @binding(1) var<storage, read_write> groups: array<u32>;

@compute @workgroup_size(1) fn main() {
  search.begin = search.end;
  search.end = atomicLoad(&search.tail);
  let size = search.end - search.begin;
  search.moves += u32(size > 0u);
  groups[0] = (4u * size + ${LANES - 1}u) / ${LANES}u;
}`;

/** @param {GPUDevice} device */
export async function visitedStates(device) {
  const visited = await createTable(device, "quotient", { capacity: STATES });
  const solved = [1, 2, 3, 4, 5, 6, 7, 8, 0].reduceRight((position, tile) => position * 9 + tile, 0);
  const queue = storage(device, STATES);
  device.queue.writeBuffer(queue, 0, Uint32Array.of(solved));
  const search = storage(device, Uint32Array.of(0, 1, 0, 1));
  const groups = storage(device, Uint32Array.of(1, 1, 1), GPUBufferUsage.INDIRECT);
  await visited.insert({ keys: queue, values: search, n: 1 });

  const set = visited.device({ group: 1, prefix: "visited_", functions: ["find_or_insert"] });
  const expand = await kernel(device, set.code + EXPAND, "expand", [set]);
  const advance = await kernel(device, ADVANCE);
  for (let begin = 0, end = 1; begin < end; ) {
    const encoder = device.createCommandEncoder();
    for (let level = 0; level < LEVELS; level++) {
      expand(encoder, groups, [search, queue]);
      advance(encoder, 1, [search, groups]);
    }
    device.queue.submit([encoder.finish()]);
    [begin, end] = await read(device, search, 2);
  }
  const [, states, moves] = await read(device, search, 3);
  visited.destroy();
  for (const buffer of [queue, search, groups]) buffer.destroy();
  expect("positions", states, STATES);
  // It is known to be the most.
  expect("moves", moves, 31);
  return `${states} positions, the farthest ${moves} moves away`;
}
