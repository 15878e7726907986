// Double hashing with one pair a slot, find (Stadium, section 2, names it as the classical scheme). One lane a query,
// one slot a probe.
//
// Layout: a slot is (key, value).
// Bound of the probe loop: sizes.slots (a prime: the sequence is then at its start again).
import package::kernels::common::banks::block_at;
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::parts::part_at;
@if(REUSE) import package::kernels::common::reach::get_reach;
import package::kernels::common::range::Range;
import package::kernels::double_hashing::layout::{first_slot, slot_step, next_slot, sizes};
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_once, count_region, PROLOGUE, NEXT, STEP, count_flush};

@group(0) @binding(1) var<storage, read> queries: array<u32>;
@group(0) @binding(2) var<storage, read_write> results: array<u32>;
@group(0) @binding(3) var<uniform> range: Range;

fn find(key: u32) -> u32 {
  @if(COUNT) count_once(PROLOGUE);
  if (key >= DELETED) { return EMPTY; }
  var slot = first_slot(key);
  var step = 0u;
  @if(REUSE) let reach = get_reach();
  for (var probe = 0u; probe < sizes.slots; probe++) {
    @if(REUSE) { if (probe == reach) { break; } }
    @if(COUNT) count_step();
    @if(COUNT) count_read();
    let pair = part_at(block_at(slot, 1u));
    if (pair.x == key) { return pair.y; }
    if (pair.x == EMPTY) { return EMPTY; }
    @if(COUNT) count_region(NEXT);
    if (probe == 0u) {
      @if(COUNT) count_region(STEP);
      step = slot_step(key);
    }
    slot = next_slot(slot, step);
  }
  return EMPTY;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let item = range.first + at.index;
  let has_item = item < range.end;
  if (has_item) { results[item] = find(queries[item]); }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
