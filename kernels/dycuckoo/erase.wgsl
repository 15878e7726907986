// DyCuckoo, DELETE in bulk (Li et al., 5.2), without locks: a lane holds a key, and the TILE lanes of a tile look for one of their
// keys after another, a bucket a turn, two at most; the lane that sees it makes the slot EMPTY. Of several lanes that erase
// one key, one gets it back. The slot can be used again.
//   SPARING  erases the copies that a resize made of a sub-table's keys: keys are not looked for in sub-table `spared`
//
// Layout: as in places.wgsl.  Bound of the loop: two turns a key of the tile.
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::status::Status;
import package::kernels::common::warp::{warp_lane, warp_ballot, tile_ballot, tile_shuffle, tile_told, tile_any, first_lane, convoy_any, WARP_GROUP};
import package::kernels::dycuckoo::bucket::{look, Seen, nothing, NONE, TILE};
import package::kernels::dycuckoo::locks::change_once;
import package::kernels::dycuckoo::places::{places_of, Places};
import package::kernels::dycuckoo::words::exchange_key;
@if(COUNT) import package::kernels::common::count::{count_begin, count_turn, count_rmw, count_once, count_region, PROLOGUE, PROBE, CLAIM, count_flush};
@if(SUBGROUPS) enable subgroups;
@if(SUBGROUPS) diagnostic(off, subgroup_uniformity);

@if(SPARING) struct Batch { first: u32, end: u32, spared: u32 }
@if(!SPARING) struct Batch { first: u32, end: u32 }
@group(0) @binding(10) var<storage, read> keys_in: array<u32>;
@group(0) @binding(13) var<uniform> batch: Batch;
@group(0) @binding(14) var<storage, read_write> status: Status;

@compute @workgroup_size(WARP_GROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let group = wid.y * nwg.x + wid.x;
  let lane = warp_lane(lid);
  let part = lane % TILE;
  let item = batch.first + group * WARP_GROUP + lid;
  let has_item = item < batch.end;
  @if(COUNT) count_begin(lid);
  @if(COUNT) count_once(PROLOGUE);
  var own_key = EMPTY;
  if (has_item) { own_key = keys_in[item]; }
  let places = places_of(own_key);
  var bucket = places.first;
  @if(SPARING) { if (places.first_table == batch.spared) { bucket = places.second; } }
  @if(SPARING) let end = select(places.second, places.first, places.second_table == batch.spared);
  @else let end = places.second;
  // The sub-table that the key went from.
  var table = NONE;
  var queue = tile_ballot(own_key < DELETED, TILE, lane);
  for (var turn = 0u; turn < 2u * TILE; turn++) {
    if (!convoy_any(queue != 0u, lane)) { break; }
    let waits = queue != 0u;
    @if(COUNT) count_turn(waits);
    @if(COUNT) count_region(PROBE);
    let source = first_lane(queue, TILE - 1u);
    let key = tile_shuffle(own_key, source, TILE, lane);
    let at = tile_shuffle(bucket, source, TILE, lane);
    let last = tile_told(bucket == end, source, TILE, lane);
    var seen = nothing();
    if (waits) {
      seen = look(at, part, key);
    }
    var mine = false;
    if (seen.hit != NONE) {
      @if(COUNT) count_region(CLAIM);
      @if(COUNT) count_rmw();
      mine = exchange_key(seen.hit, EMPTY) == key;
    }
    let hits = tile_ballot(seen.hit != NONE, TILE, lane);
    let erased = tile_any(mine, TILE, lane);
    if (waits && part == source) {
      if (erased) { table = select(places.second_table, places.first_table, at == places.first); }
      bucket = places.second;
    }
    if (hits != 0u || last) { queue &= queue - 1u; }
  }
  change_once(table, -1, group, lane);
  let won = countOneBits(warp_ballot(table != NONE, lane));
  if (lane == 0u && won > 0u) { atomicAdd(&status.changed, won); }
  @if(COUNT) count_flush(group, lid, has_item);
}
