// Slab hash, SEARCHALL in bulk: all values of a key, by warp-cooperative work sharing as in find.wgsl, 8 lanes a query and a
// vec4, two pairs, a lane. Two dispatches: the first counts each query's values; after a prefix sum of the counts, the second
// (COLLECT) writes the values side by side, in the order of the list, and says where.
//
// Layout: as in slab.wgsl.  Bound of the loop: TURNS.
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::status::Status;
import package::kernels::common::warp::{warp_lane, tile_ballot, tile_shuffle, first_lane, convoy_any, prefix_count, WARP_GROUP};
import package::kernels::slab_hash::read::part_of;
import package::kernels::slab_hash::slab::{bucket_of, base_slab};
@if(COUNT) import package::kernels::common::count::{count_begin, count_turn, count_reads, count_once, count_region, PROLOGUE, PROBE, count_flush};
@if(SUBGROUPS) enable subgroups;
@if(SUBGROUPS) diagnostic(off, subgroup_uniformity);

const TILE = 8u;
override TURNS: u32 = 16777216u;

@group(0) @binding(1) var<storage, read> queries: array<u32>;
@group(0) @binding(3) var<uniform> n: u32;
@group(0) @binding(4) var<storage, read_write> status: Status;
// A query's number of values; then, COLLECT, how many those before it have.
@group(0) @binding(5) var<storage, read_write> counts: array<u32>;
// A query's (first, number of values): the words of the list; EMPTY both if it has none.
@if(COLLECT) @group(0) @binding(2) var<storage, read_write> ranges: array<vec2u>;
@if(COLLECT) @group(0) @binding(6) var<storage, read_write> list: array<u32>;

@compute @workgroup_size(WARP_GROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let group = wid.y * nwg.x + wid.x;
  let lane = warp_lane(lid);
  let part = lane % TILE;
  let item = group * WARP_GROUP + lid;
  let has_item = item < n;
  @if(COUNT) count_begin(lid);
  @if(COUNT) count_once(PROLOGUE);
  var key = EMPTY;
  if (has_item) { key = queries[item]; }
  var slab = base_slab(bucket_of(key));
  // Values found so far; COLLECT: where the next one goes.
  var found = 0u;
  @if(COLLECT) { if (has_item) { found = counts[item]; } }
  let first = found;
  var queue = tile_ballot(key < DELETED, TILE, lane);
  var turn = 0u;
  for (; turn < TURNS; turn++) {
    if (!convoy_any(queue != 0u, lane)) { break; }
    let waits = queue != 0u;
    @if(COUNT) count_turn(waits);
    @if(COUNT) count_region(PROBE);
    let source = first_lane(queue, TILE - 1u);
    let wanted = tile_shuffle(key, source, TILE, lane);
    let at = tile_shuffle(slab, source, TILE, lane);
    @if(COLLECT) let end = tile_shuffle(found, source, TILE, lane);
    var pairs = vec4u(EMPTY);
    if (waits) {
      @if(COUNT) { if (part == 0u) { count_reads(4u); } }
      pairs = part_of(at, part);
    }
    let low = tile_ballot(waits && pairs.x == wanted, TILE, lane);
    let high = tile_ballot(waits && pairs.z == wanted, TILE, lane);
    @if(COLLECT) {
      let place = end + prefix_count(low, part) + prefix_count(high, part);
      if (((low >> part) & 1u) == 1u) { list[place] = pairs.y; }
      if (((high >> part) & 1u) == 1u) { list[place + ((low >> part) & 1u)] = pairs.w; }
    }
    let next = tile_shuffle(pairs.w, TILE - 1u, TILE, lane);
    if (waits && part == source) {
      found += countOneBits(low) + countOneBits(high);
      slab = next;
    }
    if (next == EMPTY) { queue &= queue - 1u; }
  }
  if (has_item) {
    @if(COLLECT) ranges[item] = select(vec2u(EMPTY), vec2u(first, found - first), found > first);
    @else counts[item] = found;
  }
  if (turn == TURNS) { atomicAdd(&status.bound, 1u); }
  @if(COUNT) count_flush(group, lid, has_item);
}
