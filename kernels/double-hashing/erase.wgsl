// Double hashing with one pair a slot, erase. One lane a key: its slot becomes DELETED, which no search stops at and no
// insertion reuses (an insertion that did could put a key in twice). Layout and bounds as in find.wgsl.
// REUSE: insertions of later dispatches do, and begin with a value that is EMPTY. So no insertion may run beside an erasure.
import package::kernels::common::banks::{At, block_at};
@if(REUSE) import package::kernels::common::banks::offset;
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::range::Range;
import package::kernels::common::status::Status;
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::words::{load_word, exchange_word};
@if(REUSE) import package::kernels::common::words::store_word;
@if(REUSE) import package::kernels::common::reach::get_reach;
import package::kernels::double_hashing::layout::{first_slot, slot_step, next_slot, sizes};
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_rmw, count_once, count_region, PROLOGUE, NEXT, CLAIM, count_flush};
@if(COUNT && REUSE) import package::kernels::common::count::count_write;

@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<uniform> range: Range;
@group(0) @binding(3) var<storage, read_write> status: Status;

// Of several lanes with one key, one erases it.
fn take(word: At, key: u32) -> bool {
  @if(COUNT) count_region(CLAIM);
  @if(COUNT) count_rmw();
  if (exchange_word(word, DELETED) != key) { return false; }
  @if(REUSE) store_word(offset(word, 1u), EMPTY);
  @if(REUSE && COUNT) count_write();
  return true;
}

// The loop of locate.wgsl, with the exchange inside: behind the loop it waits for the subgroup's last lane.
fn erase(key: u32) -> bool {
  @if(COUNT) count_once(PROLOGUE);
  if (key >= DELETED) { return false; }
  var slot = first_slot(key);
  let step = slot_step(key);
  @if(REUSE) let reach = get_reach();
  for (var probe = 0u; probe < sizes.slots; probe++) {
    @if(REUSE) { if (probe == reach) { break; } }
    @if(COUNT) count_step();
    @if(COUNT) count_read();
    let at = block_at(slot, 2u);
    let seen = load_word(at);
    if (seen == EMPTY) { return false; }
    if (seen == key) { return take(at, key); }
    @if(COUNT) count_region(NEXT);
    slot = next_slot(slot, step);
  }
  return false;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let item = range.first + at.index;
  let has_item = item < range.end;
  if (has_item && erase(keys[item])) { atomicAdd(&status.changed, 1u); }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
