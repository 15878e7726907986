// DyCuckoo, FIND in bulk (Li et al., 5.2): a lane holds a query, and the TILE lanes of a tile search for one of their queries after
// another, a bucket a turn, two at most (work sharing: common/warp.wgsl). Values are read after the loop, by all lanes at once.
//
// How lanes read the keys of a bucket (nothing changes them in this dispatch):
//   WORDS  as many lanes as slots, a word each, as in the paper
//   WIDE   4 lanes, two adjacent vec4 each;  else 8 lanes, a vec4 each
// Layout: as in places.wgsl.  Bound of the loop: two turns a query of the tile.
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::range::Range;
import package::kernels::common::warp::{warp_lane, tile_ballot, tile_shuffle, tile_told, first_lane, convoy_any, WARP_GROUP};
import package::kernels::dycuckoo::places::{places_of, Places, BUCKET};
import package::kernels::dycuckoo::read::{part_of, value_at};
@if(COUNT) import package::kernels::common::count::{count_begin, count_turn, count_reads, count_once, count_region, PROLOGUE, PROBE, EPILOGUE, count_flush};
@if(SUBGROUPS) enable subgroups;
@if(SUBGROUPS) diagnostic(off, subgroup_uniformity);

// Lanes that read a bucket together.
override TILE: u32;
const NONE = 0xffffffffu;

@group(0) @binding(10) var<storage, read> queries: array<u32>;
@group(0) @binding(11) var<storage, read_write> results: array<u32>;
@group(0) @binding(13) var<uniform> range: Range;

// The place of the key among these, NONE if it is not there.
@if(!WORDS) fn among(words: vec4u, key: u32) -> u32 {
  let equal = words == vec4u(key);
  let upper = select(select(NONE, 3u, equal.w), 2u, equal.z);
  return select(select(upper, 1u, equal.y), 0u, equal.x);
}

// The slot of the bucket in which the lane sees the key, else NONE.
@if(WORDS) fn look(bucket: u32, part: u32, key: u32) -> u32 { return select(NONE, part, part_of(bucket, part) == key); }
@if(!WORDS && WIDE) fn look(bucket: u32, part: u32, key: u32) -> u32 {
  let lower = part_of(bucket, 2u * part);
  let upper = part_of(bucket, 2u * part + 1u);
  let a = among(lower, key);
  let b = among(upper, key);
  return select(select(8u * part + a, 8u * part + 4u + b, a == NONE), NONE, a == NONE && b == NONE);
}
@if(!WORDS && !WIDE) fn look(bucket: u32, part: u32, key: u32) -> u32 {
  let a = among(part_of(bucket, part), key);
  return select(4u * part + a, NONE, a == NONE);
}

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
  let places = places_of(key);
  // The bucket to look at next, and the slot where the key is.
  var bucket = places.first;
  var slot = NONE;
  // Lanes whose queries are to be answered.
  var queue = tile_ballot(key < DELETED, TILE, lane);
  for (var turn = 0u; turn < 2u * TILE; turn++) {
    if (!convoy_any(queue != 0u, lane)) { break; }
    let waits = queue != 0u;
    @if(COUNT) count_turn(waits);
    @if(COUNT) count_region(PROBE);
    let source = first_lane(queue, TILE - 1u);
    let wanted = tile_shuffle(key, source, TILE, lane);
    let at = tile_shuffle(bucket, source, TILE, lane);
    var seen = NONE;
    if (waits) {
      @if(COUNT && !BESIDE) { if (part == 0u) { count_reads(BUCKET / 8u); } }
      @if(COUNT && BESIDE) { if (part == 0u) { count_reads(BUCKET / 4u); } }
      seen = look(at, part, wanted);
    }
    let hits = tile_ballot(seen != NONE, TILE, lane);
    let told = tile_shuffle(seen, first_lane(hits, TILE - 1u), TILE, lane);
    let last = tile_told(bucket == places.second, source, TILE, lane);
    if (waits && part == source) {
      if (hits != 0u) { slot = at * BUCKET + told; }
      bucket = places.second;
    }
    if (hits != 0u || last) { queue &= queue - 1u; }
  }
  var result = EMPTY;
  if (slot != NONE) {
    @if(COUNT) count_region(EPILOGUE);
    // Beside its key it lies in a sector that was read.
    @if(COUNT && !BESIDE) count_reads(1u);
    result = value_at(slot);
  }
  if (has_item) { results[item] = result; }
  @if(COUNT) count_flush(group, lid, has_item);
}
