// Two-level compacting table, phase 6: the numbers of the keys in their buckets become ids, and the list of the keys by id is
// written. One lane a slot.
//
// Layout: compact.wgsl; bases[b]: keys of the buckets before b, bases[sizes.buckets]: all; list[id] = key.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::EMPTY;
import package::kernels::common::status::StatusWords;
import package::kernels::two_level::buckets::{sizes, BUCKET_SLOTS};
@if(COUNT) import package::kernels::common::count::{count_read, count_write, count_flush};

@group(0) @binding(0) var<storage, read_write> table: array<vec2u>;
// If the attempt has failed nothing is done.
@group(0) @binding(4) var<storage, read_write> status: StatusWords;
@group(0) @binding(8) var<storage, read> bases: array<u32>;
@group(0) @binding(9) var<storage, read_write> list: array<u32>;

fn number_slot(slot: u32) {
  // Neighbouring lanes share a sector, of the table and of the bases.
  @if(COUNT) { if (slot % 4u == 0u) { count_read(); } }
  let pair = table[slot];
  if (pair.x == EMPTY) { return; }
  let id = bases[slot / BUCKET_SLOTS] + pair.y;
  @if(COUNT) { if (slot % 4u == 0u) { count_write(); } }
  table[slot].y = id;
  @if(COUNT) count_write();
  list[id] = pair.x;
}

@compute @workgroup_size(WORKGROUP)
fn ids(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let has_item = at.index < sizes.buckets * BUCKET_SLOTS && status.failed == 0u;
  if (has_item) {
    number_slot(at.index);
    if (at.index == 0u) { status.distinct = bases[sizes.buckets]; }
  }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
