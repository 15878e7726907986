// Bucketed table, erase. One lane a key: its slot becomes DELETED, which no search stops at and no insertion reuses
// (an insertion that did could put a key in twice). Layout and bounds as in find.wgsl.
// REUSE: insertions of later dispatches do, and begin with a value that is EMPTY. So no insertion may run beside an erasure.
import package::kernels::common::banks::{At, block_at, offset};
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::range::Range;
import package::kernels::common::status::Status;
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::words::{load_word, exchange_word};
@if(REUSE) import package::kernels::common::words::store_word;
@if(REUSE) import package::kernels::common::reach::get_reach;
import package::kernels::bucketed::layout::{first_bucket, bucket_after, most_probes};
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
  @if(REUSE) store_word(offset(word, 4u), EMPTY);
  @if(REUSE && COUNT) count_write();
  return true;
}

// The loop of locate.wgsl, with the exchange inside: behind the loop it waits for the subgroup's last lane.
fn erase(key: u32) -> bool {
  @if(COUNT) count_once(PROLOGUE);
  if (key >= DELETED) { return false; }
  var bucket = first_bucket(key);
  @if(REUSE) let reach = get_reach();
  for (var probe = 0u; probe < most_probes(); probe++) {
    @if(REUSE) { if (probe == reach) { break; } }
    @if(COUNT) count_step();
    @if(COUNT) count_read();
    var full = true;
    let at = block_at(bucket, 8u);
    for (var slot = 0u; slot < 4u; slot++) {
      let seen = load_word(offset(at, slot));
      full = full && seen != EMPTY;
      if (seen == key) { return take(offset(at, slot), key); }
    }
    if (!full) { return false; }
    @if(COUNT) count_region(NEXT);
    bucket = bucket_after(probe, bucket, key);
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
