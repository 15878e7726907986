// Cooperative probing of keys that have two words, find: as warpcore's find.wgsl. A lane holds a query; the search is search.wgsl's.
// Layout: as in layout.wgsl.  Bound: that of search.wgsl.
import package::kernels::common::banks::{block_at, offset};
import package::kernels::common::keys::EMPTY;
import package::kernels::common::parts::part_at;
import package::kernels::common::range::Range;
import package::kernels::common::warp::WARP_GROUP;
import package::kernels::warpcore::layout::GROUP;
import package::kernels::warpcore::tile::{lane_of, TILE};
import package::kernels::wide_windows::search::{search, WIDTH};
@if(COUNT) import package::kernels::common::count::{count_reads, count_once, PROLOGUE, count_flush};
@if(COUNT && COOPERATIVE) import package::kernels::common::count::count_begin;
@if(SUBGROUPS) enable subgroups;
@if(SUBGROUPS) diagnostic(off, subgroup_uniformity);

@group(0) @binding(1) var<storage, read> queries: array<vec2u>;
@group(0) @binding(2) var<storage, read_write> results: array<u32>;
@group(0) @binding(3) var<uniform> range: Range;

fn value_of(slot: u32) -> u32 {
  let word = 2u * GROUP + slot % GROUP;
  let part = part_at(offset(block_at(slot / GROUP, 4u * GROUP / WIDTH), word / WIDTH));
  @if(WORDS) return part;
  @if(!WORDS) return part[word % WIDTH];
}

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
  if (has_item) { key = queries[item]; }
  let found = search(key, part, lane);
  if (has_item) {
    var result = EMPTY;
    if (found != EMPTY) {
      @if(COUNT) count_reads(1u);
      result = value_of(found);
    }
    results[item] = result;
  }
  @if(COUNT) count_flush(group, lid, has_item);
}
