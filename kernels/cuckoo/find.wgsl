// Cuckoo hashing after Alcantara et al., GPU Computing Gems 2011, 4.3.2, Listing 4.2. One lane a query: the slots of its
// functions one after another, until the key is seen; EARLY_EXIT, or an empty one: a key is in the slot of its i-th function
// only after it was in those of the functions before, and a slot that was taken once is never empty again.
//
// Layout: slot s = (key, value), a part of the table: one 8-byte load a slot. Bound: FUNCTIONS slots.
import package::kernels::common::banks::block_at;
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::parts::part_at;
import package::kernels::common::range::Range;
import package::kernels::cuckoo::functions::{place, Functions, FUNCTIONS};
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_once, PROLOGUE, count_flush};

@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<storage, read_write> results: array<u32>;
@group(0) @binding(3) var<uniform> f: Functions;
@group(0) @binding(4) var<uniform> range: Range;

fn find(key: u32) -> u32 {
  @if(COUNT) count_once(PROLOGUE);
  if (key >= DELETED) { return EMPTY; }
  for (var i = 0u; i < FUNCTIONS; i++) {
    @if(COUNT) count_step();
    @if(COUNT) count_read();
    let pair = part_at(block_at(place(key, f.constants[i]), 1u));
    if (pair.x == key) { return pair.y; }
    @if(EARLY_EXIT) { if (pair.x == EMPTY) { return EMPTY; } }
  }
  return EMPTY;
}

// The chapter's workgroups have 64 lanes: one that waits for its slowest query keeps fewer lanes from the next.
@if(GROUPS_OF_64) const LANES = 64u;
@if(!GROUPS_OF_64) const LANES = WORKGROUP;

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let item = range.first + at.group * LANES + lid;
  let has_item = item < range.end;
  if (has_item) { results[item] = find(keys[item]); }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
