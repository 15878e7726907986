// The pairs of a table in blocks of keys, each followed by as many values, side by side in two other buffers; without PAIRS they are
// counted alone. One lane a slot.
//
// Layout: slot s is word s % in_block of block s / in_block of `table`, and its value the word `in_block` words later.
import package::kernels::common::exported::{place_of, put};
@if(PIECE) import package::kernels::common::exported::piece_first;
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::{EMPTY, DELETED};

@group(0) @binding(0) var<storage, read> table: array<u32>;
// Keys of a block.
@group(0) @binding(5) var<uniform> in_block: u32;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  @if(!PIECE) let slot = grid(wid, nwg, lid).index;
  @if(PIECE) let slot = piece_first + grid(wid, nwg, lid).index;
  let word = slot + slot / in_block * in_block;
  var key = EMPTY;
  var value = EMPTY;
  if (slot < arrayLength(&table) / 2u) {
    key = table[word];
    value = table[word + in_block];
  }
  let place = place_of(u32(key < DELETED), lid);
  if (key < DELETED) { put(place, key, value); }
}
