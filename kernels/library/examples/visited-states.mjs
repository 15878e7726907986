/**
 * A set of visited states: breadth-first search through all positions of the 8-puzzle that can be reached from the solved one.
 *
 *     node kernels/library/examples/visited-states.mjs
 *
 * Each level runs in one submission: expand the frontier, look the candidates up, insert them, look them up again. A candidate is new if
 * it was not there before, and the value that its key has now is its own number: of equal ones, one is.
 */
import { pathToFileURL } from "node:url";
import { createTable, EMPTY } from "webgpu-hash-table";
import { kernel, openDevice, read, storage } from "./device.mjs";

const STATES = 181_440;
/** Positions of a level, at most, and their moves. */
const FRONTIER = 2 ** 15;
const CANDIDATES = 4 * FRONTIER;
const LANES = 64;

// A position is a number of nine digits to the base 9: the tile of each cell, 0 for the hole.
const EXPAND = /* wgsl */ `
@group(0) @binding(0) var<storage, read> frontier: array<u32>;
@group(0) @binding(1) var<storage, read> count: array<u32>;
@group(0) @binding(2) var<storage, read_write> candidates: array<u32>;
@group(0) @binding(3) var<storage, read_write> numbers: array<u32>;

@compute @workgroup_size(${LANES}) fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= arrayLength(&candidates)) { return; }
  numbers[i] = i;
  candidates[i] = ${EMPTY}u;
  if (i / 4u >= count[0]) { return; }
  var cells: array<u32, 9>;
  var rest = frontier[i / 4u];
  var hole = 0u;
  for (var cell = 0u; cell < 9u; cell++) {
    cells[cell] = rest % 9u;
    if (cells[cell] == 0u) { hole = cell; }
    rest /= 9u;
  }
  let x = i32(hole % 3u) + array(1, -1, 0, 0)[i % 4u];
  let y = i32(hole / 3u) + array(0, 0, 1, -1)[i % 4u];
  if (x < 0 || x > 2 || y < 0 || y > 2) { return; }
  let other = u32(3 * y + x);
  cells[hole] = cells[other];
  cells[other] = 0u;
  var position = 0u;
  for (var cell = 9u; cell > 0u; cell--) { position = position * 9u + cells[cell - 1u]; }
  candidates[i] = position;
}`;

const KEEP = /* wgsl */ `
@group(0) @binding(0) var<storage, read> candidates: array<u32>;
@group(0) @binding(1) var<storage, read> before: array<u32>;
@group(0) @binding(2) var<storage, read> after: array<u32>;
@group(0) @binding(3) var<storage, read_write> frontier: array<u32>;
@group(0) @binding(4) var<storage, read_write> count: array<atomic<u32>>;

@compute @workgroup_size(${LANES}) fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= arrayLength(&candidates) || candidates[i] == ${EMPTY}u) { return; }
  if (before[i] != ${EMPTY}u || after[i] != i) { return; }
  frontier[atomicAdd(&count[0], 1u)] = candidates[i];
}`;

/** How many positions there are, and how many moves the farthest are away. @param {GPUDevice} device */
export async function visitedStates(device) {
  const visited = await createTable(device, "quotient", { capacity: STATES });
  const [expand, keep] = await Promise.all([kernel(device, EXPAND), kernel(device, KEEP)]);
  const solved = [1, 2, 3, 4, 5, 6, 7, 8, 0].reduceRight((position, tile) => position * 9 + tile, 0);
  const frontier = storage(device, FRONTIER);
  const count = storage(device, Uint32Array.of(1));
  const [candidates, numbers, before, after] = Array.from({ length: 4 }, () => storage(device, CANDIDATES));
  device.queue.writeBuffer(frontier, 0, Uint32Array.of(solved));
  await visited.insert({ keys: frontier, values: count, n: 1 });
  let states = 1;
  let moves = 0;
  for (let size = 1; ; moves++) {
    const n = 4 * size;
    const groups = Math.ceil(n / LANES);
    const encoder = device.createCommandEncoder();
    expand(encoder, groups, [frontier, count, candidates, numbers]);
    visited.encodeFind(encoder, { keys: candidates, results: before, n });
    visited.encodeInsert(encoder, { keys: candidates, values: numbers, n });
    visited.encodeFind(encoder, { keys: candidates, results: after, n });
    encoder.clearBuffer(count);
    keep(encoder, groups, [candidates, before, after, frontier, count]);
    device.queue.submit([encoder.finish()]);
    [size] = await read(device, count, 1);
    if (size === 0) break;
    states += size;
  }
  visited.destroy();
  for (const buffer of [frontier, count, candidates, numbers, before, after]) buffer.destroy();
  return { states, moves };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { states, moves } = await visitedStates(await openDevice());
  console.log(`${states} positions, the farthest ${moves} moves away`);
  process.exit();
}
