// The pairs of a table in blocks of keys, each followed by as many values, side by side in two other buffers. One lane a slot.
//
// Layout: slot s is word s % block of block s / block of `table`, and its value the word `block` words later.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::DELETED;

@group(0) @binding(0) var<storage, read> table: array<u32>;
@group(0) @binding(1) var<storage, read_write> keys: array<u32>;
@group(0) @binding(2) var<storage, read_write> values: array<u32>;
// Zero before.
@group(0) @binding(3) var<storage, read_write> count: atomic<u32>;
// Keys of a block.
@group(0) @binding(4) var<uniform> block: u32;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let slot = grid(wid, nwg, lid).index;
  if (slot >= arrayLength(&table) / 2u) { return; }
  let word = slot + slot / block * block;
  let key = table[word];
  if (key >= DELETED) { return; }
  let place = atomicAdd(&count, 1u);
  keys[place] = key;
  values[place] = table[word + block];
}
