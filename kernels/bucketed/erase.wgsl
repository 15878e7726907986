// Bucketed table, erase. One lane a key: its slot becomes DELETED, which no search stops at and no insertion reuses
// (an insertion that did could put a key in twice). Layout and bounds as in find.wgsl.
// REUSE: insertions of later dispatches do, and begin with a value that is EMPTY. So no insertion may run beside an erasure.
@if(REUSE) import package::kernels::common::banks::offset;
import package::kernels::common::banks::is_nowhere;
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::range::Range;
import package::kernels::common::status::Status;
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::words::exchange_word;
@if(REUSE) import package::kernels::common::words::store_word;
import package::kernels::bucketed::locate::locate;
@if(COUNT) import package::kernels::common::count::{count_rmw, count_once, count_region, PROLOGUE, CLAIM, count_flush};
@if(COUNT && REUSE) import package::kernels::common::count::count_write;

@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<uniform> range: Range;
@group(0) @binding(3) var<storage, read_write> status: Status;

// Of several lanes with one key, one erases it.
fn erase(key: u32) -> bool {
  @if(COUNT) count_once(PROLOGUE);
  if (key >= DELETED) { return false; }
  let word = locate(key);
  if (is_nowhere(word)) { return false; }
  @if(COUNT) count_region(CLAIM);
  @if(COUNT) count_rmw();
  if (exchange_word(word, DELETED) != key) { return false; }
  @if(REUSE) store_word(offset(word, 4u), EMPTY);
  @if(REUSE && COUNT) count_write();
  return true;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let item = range.first + at.index;
  let has_item = item < range.end;
  if (has_item && erase(keys[item])) { atomicAdd(&status.changed, 1u); }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
