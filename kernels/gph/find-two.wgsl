// GPH's lookup kernel without perfect hashing, as Cao et al. compare it (SIGMOD 2025, section 7.4): DyCuckoo's scheme. A lane
// holds a query, and the TILE lanes of a lookup group search for one after another, a bucket a turn: the key's first one and,
// if it is not there, its second (work sharing: common/warp.wgsl).
// Layout: buckets as in hash.wgsl; no cell index.  Bound of the loop: two turns a query of the group.
@if(BANKED) import package::kernels::common::banks::block_at;
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::range::Range;
import package::kernels::common::warp::{warp_lane, tile_ballot, tile_shuffle, tile_told, first_lane, convoy_any, WARP_GROUP};
import package::kernels::gph::hash::{first_bucket, second_bucket};
import package::kernels::gph::requester::{request, Look, TILE};
@if(COUNT) import package::kernels::gph::hash::SECTORS;
@if(COUNT) import package::kernels::common::count::{count_reads, count_begin, count_turn, count_once, count_region, PROLOGUE, PROBE, CLAIM, count_flush};
@if(SUBGROUPS) enable subgroups;
@if(SUBGROUPS) diagnostic(off, subgroup_uniformity);

@group(0) @binding(1) var<storage, read> queries: array<u32>;
@group(0) @binding(2) var<storage, read_write> results: array<u32>;
@group(0) @binding(3) var<uniform> range: Range;

@compute @workgroup_size(WARP_GROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let group = wid.y * nwg.x + wid.x;
  let lane = warp_lane(lid);
  let part = lane % TILE;
  let item = range.first + group * WARP_GROUP + lid;
  let has_item = item < range.end;
  @if(COUNT) count_begin(lid);
  @if(COUNT) count_once(PROLOGUE);
  var key = EMPTY;
  if (has_item) { key = queries[item]; }
  let second = second_bucket(key);
  var bucket = first_bucket(key);
  var result = EMPTY;
  // Lanes whose queries are to be answered.
  var queue = tile_ballot(key < DELETED, TILE, lane);
  for (var turn = 0u; turn < 2u * TILE; turn++) {
    if (!convoy_any(queue != 0u, lane)) { break; }
    let works = queue != 0u;
    @if(COUNT) count_turn(works);
    @if(COUNT) count_region(PROBE);
    let source = first_lane(queue, TILE - 1u);
    let wanted = tile_shuffle(key, source, TILE, lane);
    let at = tile_shuffle(bucket, source, TILE, lane);
    let last = tile_told(bucket == second, source, TILE, lane);
    var seen = Look(false, EMPTY);
    if (works) {
      @if(COUNT) { if (part == 0u) { count_reads(SECTORS); } }
      @if(!BANKED) seen = request(at, part, wanted);
      @if(BANKED) let place = block_at(at, 1u);
      @if(BANKED) seen = request(place.bank, place.word, part, wanted);
    }
    let hits = tile_ballot(seen.hit, TILE, lane);
    let told = tile_shuffle(seen.value, first_lane(hits, TILE - 1u), TILE, lane);
    if (works && part == source) {
      if (hits != 0u) {
        @if(COUNT) count_region(CLAIM);
        result = told;
      }
      bucket = second;
    }
    if (hits != 0u || last) { queue &= queue - 1u; }
  }
  if (has_item) { results[item] = result; }
  @if(COUNT) count_flush(group, lid, has_item);
}
