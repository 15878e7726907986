// Quotiented buckets, erase (our own table; sources and layout: layout.wgsl). One lane a key: its tag becomes FREE, which no
// search stops at, and a slot of the stash DELETED. Both are used again by later insertions, and have the value EMPTY until then.
// Bounds: those of locate.wgsl.
import package::kernels::common::banks::is_nowhere;
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::range::Range;
import package::kernels::common::status::Status;
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::words::{store_word, or_word, exchange_word};
import package::kernels::quotient::layout::FREE;
import package::kernels::quotient::locate::{locate, IN_STASH};
@if(COUNT) import package::kernels::common::count::{count_write, count_rmw, count_once, count_region, PROLOGUE, CLAIM, count_flush};

@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<uniform> range: Range;
@group(0) @binding(3) var<storage, read_write> status: Status;

// Of several lanes with one key, one erases it.
fn erase(key: u32) -> bool {
  @if(COUNT) count_once(PROLOGUE);
  if (key >= DELETED) { return false; }
  let at = locate(key);
  if (is_nowhere(at.word)) { return false; }
  @if(COUNT) count_region(CLAIM);
  @if(COUNT) count_rmw();
  if (at.tag == IN_STASH) {
    if (exchange_word(at.word, DELETED) != key) { return false; }
  } else {
    let old = or_word(at.word, FREE << at.shift);
    if (((old >> at.shift) & FREE) != at.tag) { return false; }
  }
  // No insertion runs in this dispatch.
  @if(COUNT) count_write();
  store_word(at.value, EMPTY);
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
