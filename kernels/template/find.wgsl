// TITLE, find. One lane a query; an absent key is answered by EMPTY. Layout: layout.wgsl. Bound of the loop: sizes.slots probes.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::{EMPTY, DELETED};
import super::layout::{first_slot, next_slot, sizes};
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_flush};

@group(0) @binding(0) var<storage, read> table: array<vec2u>;
@group(0) @binding(1) var<storage, read> queries: array<u32>;
@group(0) @binding(2) var<storage, read_write> results: array<u32>;
@group(0) @binding(3) var<uniform> n: u32;

fn find(key: u32) -> u32 {
  if (key >= DELETED) { return EMPTY; }
  var slot = first_slot(key);
  for (var probe = 0u; probe < sizes.slots; probe++) {
    @if(COUNT) count_step();
    @if(COUNT) count_read();
    let pair = table[slot];
    if (pair.x == key) { return pair.y; }
    if (pair.x == EMPTY) { return EMPTY; }
    slot = next_slot(slot);
  }
  return EMPTY;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let has_item = at.index < n;
  if (has_item) { results[at.index] = find(queries[at.index]); }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
