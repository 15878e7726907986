// GPH, lookup kernel (Cao et al., SIGMOD 2025, section 5), with the cell index in global memory, through the cache. A lane holds
// a query and computes its bucket; the TILE lanes of a lookup group read one bucket after another together, each exactly once.
// Layout: as in hash.wgsl.  Bound: the TILE turns of requester.wgsl.
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::range::Range;
import package::kernels::common::warp::{warp_lane, WARP_GROUP};
import package::kernels::gph::hash::{cell_of, cell_word, cell_in, bucket_by};
import package::kernels::gph::pair::Value;
import package::kernels::gph::requester::{look_up, TILE};
@if(COUNT) import package::kernels::common::count::{count_begin, count_once, count_index, PROLOGUE, count_flush};
@if(SUBGROUPS) enable subgroups;
@if(SUBGROUPS) diagnostic(off, subgroup_uniformity);

@group(0) @binding(1) var<storage, read> queries: array<u32>;
@group(0) @binding(2) var<storage, read_write> results: array<u32>;
@group(0) @binding(3) var<uniform> range: Range;
@group(0) @binding(5) var<storage, read> cells: array<u32>;

@if(!WIDE) fn answer(item: u32, value: Value) { results[item] = value; }
@if(WIDE) fn answer(item: u32, value: Value) {
  results[3u * item] = value.x;
  results[3u * item + 1u] = value.y;
  results[3u * item + 2u] = value.z;
}

@compute @workgroup_size(WARP_GROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let group = wid.y * nwg.x + wid.x;
  let lane = warp_lane(lid);
  let item = range.first + group * WARP_GROUP + lid;
  let has_item = item < range.end;
  @if(COUNT) count_begin(lid);
  @if(COUNT) count_once(PROLOGUE);
  var key = EMPTY;
  if (has_item) { key = queries[item]; }
  @if(COUNT) { if (has_item) { count_index(); } }
  let cell = cell_of(key);
  let bucket = bucket_by(key, cell, cell_in(cells[cell_word(cell)], cell));
  let first = item - lane % TILE;
  let result = look_up(key, bucket, max(range.end, first) - first, lane);
  if (has_item) { answer(item, select(result, Value(EMPTY), key >= DELETED)); }
  @if(COUNT) count_flush(group, lid, has_item);
}
