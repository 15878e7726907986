// Cooperative probing of keys that have two words, erase: as warpcore's erase.wgsl. A slot's first word becomes DELETED, which no search stops at, and its
// second EMPTY, as insertions of later dispatches find it.
// Layout: as in layout.wgsl.  Bound: that of search.wgsl.
import package::kernels::common::banks::offset;
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::range::Range;
import package::kernels::common::status::Status;
import package::kernels::common::warp::WARP_GROUP;
import package::kernels::common::words::{exchange_word, store_word};
import package::kernels::warpcore::layout::GROUP;
import package::kernels::warpcore::tile::{lane_of, votes, TILE};
import package::kernels::wide_windows::layout::first_at;
import package::kernels::wide_windows::search::search;
@if(COUNT) import package::kernels::common::count::{count_rmw, count_write, count_once, count_region, PROLOGUE, EPILOGUE, count_flush};
@if(COUNT && COOPERATIVE) import package::kernels::common::count::count_begin;
@if(SUBGROUPS) enable subgroups;
@if(SUBGROUPS) diagnostic(off, subgroup_uniformity);

@group(0) @binding(1) var<storage, read> keys: array<vec2u>;
@group(0) @binding(3) var<uniform> range: Range;
@group(0) @binding(4) var<storage, read_write> status: Status;

@compute @workgroup_size(WARP_GROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let group = wid.y * nwg.x + wid.x;
  let lane = lane_of(lid);
  let part = lane % TILE;
  let item = range.first + group * WARP_GROUP + lid;
  let has_item = item < range.end;
  @if(COUNT && COOPERATIVE) count_begin(lid);
  @if(COUNT) count_once(PROLOGUE);
  var key = vec2u(EMPTY);
  if (has_item) { key = keys[item]; }
  let slot = search(key, part, lane);
  var erased = false;
  if (slot != EMPTY) {
    @if(COUNT) count_region(EPILOGUE);
    @if(COUNT) count_rmw();
    // Of several lanes with one key, one erases it.
    erased = exchange_word(first_at(slot), DELETED) == key.x;
    if (erased) {
      @if(COUNT) count_write();
      store_word(offset(first_at(slot), GROUP), EMPTY);
    }
  }
  let won = countOneBits(votes(erased, lane));
  if (part == 0u && won > 0u) { atomicAdd(&status.changed, won); }
  @if(COUNT) count_flush(group, lid, has_item);
}
