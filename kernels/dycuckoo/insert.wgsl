// DyCuckoo, INSERT by voter coordination (Li et al., Algorithm 1), without evictions: those are evict.wgsl's. A lane holds a pair.
// The TILE lanes of a tile vote for one of theirs. With LOCKS it tries the lock of the bucket that its key goes to first, once; if it gets
// it, the tile puts the pair into one of the key's buckets; if not, the tile votes for another. It looks at the buckets without
// waiting for the lock's answer. A key that is there already gets its new value without a lock: in this dispatch it stays where it is.
// Work sharing as in common/warp.wgsl, but that the tile goes on with another lane where it does not get a lock.
//   UNIQUE  REPLACE: both buckets are looked at for the key
//   else    the second bucket is looked at only if the first is full. Enough where no key can be in its second bucket
//           and its first have room: keys of a rehash, and any keys where the table was empty.
//   ASKS    as UNIQUE if there are pairs in the table (vacant.wgsl), else as without
//   SWAP    Algorithm 1: a pair whose first bucket is full evicts one there (evict.wgsl), whatever room the second has
//   LOCKS   as above, and in the paper; else no lock is taken
//   VOTER   as above; else the tile tries the lock of one pair until it gets it (5.2, of MegaKV)
//
// A lock keeps most pairs that want one slot apart, and does no more: what keeps a key from being stored twice is the order of
// claims. No slot becomes EMPTY or changes its key in this dispatch, and every tile claims the first slot that it has seen EMPTY, by a
// CAS, in an order that is the key's; so lanes with one key meet at one slot, and the one that comes late looks again. Orders
// differ by the lane of the tile that they begin with, which keeps different keys apart without locks too.
//
// Layout: as in places.wgsl.  Bound of the loop: TURNS; a lane that reaches it has not inserted.
import package::kernels::common::keys::{EMPTY, is_pair};
import package::kernels::common::warp::{warp_lane, tile_ballot, tile_shuffle, tile_any, first_lane, convoy_any, leader, lanes_below, WARP_GROUP};
import package::kernels::dycuckoo::bucket::{look, nothing, NONE, TILE};
import package::kernels::dycuckoo::locks::{try_lock, unlock, change_once};
@if(ASKS) import package::kernels::dycuckoo::locks::{locks, VACANT};
import package::kernels::dycuckoo::pending::{batch, is_pending, mark, Batch, keys_in, values_in, status};
import package::kernels::dycuckoo::places::{places_of, Places, BUCKET};
import package::kernels::dycuckoo::words::{claim_key, store_value};
@if(COUNT) import package::kernels::common::count::{count_begin, count_turn, count_buckets, count_reads, count_rmw, count_write, count_failed_cas, count_once, count_region, PROLOGUE, PROBE, CLAIM, count_flush};
@if(SUBGROUPS) enable subgroups;
@if(SUBGROUPS) diagnostic(off, subgroup_uniformity);

const TURNS = 1u << 24u;

// The input of a rehash is a sub-table, whose buckets are read.
@if(COUNT) fn count_source(item: u32) {
  if (batch.shift != 0u && batch.retry == 0u && item < batch.end && item % BUCKET == 0u) {
    count_reads(8u);
  }
}

// The lane of a tile whose slots the key claims first: other bits than choose the bucket.
fn first_claimed(key: u32) -> u32 { return ((key * 0x9e3779b1u) >> 27u) % TILE; }

@compute @workgroup_size(WARP_GROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let group = wid.y * nwg.x + wid.x;
  let lane = warp_lane(lid);
  let part = lane % TILE;
  let item = batch.first + group * WARP_GROUP + lid;
  @if(COUNT) count_begin(lid);
  @if(COUNT) count_once(PROLOGUE);
  var own_key = EMPTY;
  var own_value = EMPTY;
  if (item < batch.end && is_pending(item)) {
    own_key = keys_in[item];
    own_value = values_in[item + batch.shift];
  }
  @if(COUNT) count_source(item);
  let has_one = is_pair(own_key, own_value);
  let places = places_of(own_key);
  // Whether no key can be in its second bucket.
  var vacant = true;
  @if(ASKS) vacant = atomicLoad(&locks[VACANT]) == 1u;
  var waits = has_one;
  var full = false;
  // The sub-table that the pair came to, if it is new.
  var into = NONE;
  // The tile votes for the first lane from here on.
  var from_lane = 0u;
  for (var turn = 0u; turn < TURNS; turn++) {
    let queue = tile_ballot(waits, TILE, lane);
    if (!convoy_any(queue != 0u, lane)) { break; }
    @if(COUNT) count_turn(queue != 0u);
    @if(COUNT) count_region(PROBE);
    let later = queue & ~lanes_below(from_lane);
    let source = first_lane(select(queue, later, later != 0u), TILE - 1u);
    let leads = waits && part == source;
    let key = tile_shuffle(own_key, source, TILE, lane);
    let value = tile_shuffle(own_value, source, TILE, lane);
    let first = tile_shuffle(places.first, source, TILE, lane);
    let second = tile_shuffle(places.second, source, TILE, lane);
    var got = false;
    if (leads) {
      @if(LOCKS && COUNT) count_rmw();
      @if(LOCKS) got = try_lock(first);
      @else got = true;
      @if(LOCKS && COUNT) { if (!got) { count_failed_cas(); } }
    }
    // Looked at while the lock is on its way: nearly every lock is free.
    var here = nothing();
    var there = nothing();
    if (queue != 0u) {
      here = look(first, part, key);
      @if(UNIQUE && !ASKS) there = look(second, part, key);
      @if(ASKS) { if (!vacant) { there = look(second, part, key); } }
    }
    let locked = tile_any(got, TILE, lane);
    // Without its lock a bucket is not accessed, as the paper counts.
    @if(COUNT && UNIQUE) { if (leads && locked) { count_buckets(2u); } }
    @if(COUNT && !UNIQUE) { if (leads && locked) { count_buckets(1u); } }
    @if(SWAP) there.hole = NONE;
    let holes_here = tile_ballot(here.hole != NONE, TILE, lane);
    @if((!UNIQUE || ASKS) && !SWAP) {
      if (locked && holes_here == 0u && vacant) {
        @if(COUNT) { if (leads) { count_buckets(1u); } }
        there = look(second, part, key);
      }
    }
    let holes_there = tile_ballot(there.hole != NONE, TILE, lane);
    let hit = min(here.hit, there.hit);
    let hits = tile_ballot(hit != NONE, TILE, lane);
    // The lane that has seen the slot acts; if none has, the one that holds the lock.
    let holes = select(holes_there, holes_here, holes_here != 0u);
    let seen = select(holes, hits, hits != 0u);
    let from_first = seen & ~lanes_below(first_claimed(key));
    let actor = select(source, leader(select(seen, from_first, from_first != 0u)), seen != 0u);
    var done = false;
    if ((locked || hits != 0u) && part == actor) {
      @if(COUNT) count_region(CLAIM);
      var slot = hit;
      var found = 0u;
      done = hits != 0u;
      if (!done && seen != 0u) {
        @if(COUNT) count_rmw();
        slot = select(there.hole, here.hole, holes_here != 0u);
        let claimed = claim_key(slot, key);
        done = claimed.done;
        found = claimed.found;
        @if(COUNT) { if (!done) { count_failed_cas(); } }
      }
      if (done) {
        // Values are not read in this dispatch: of two stores to one slot either may stay.
        store_value(slot, value);
        @if(COUNT) count_write();
      }
      @if(LOCKS) {
        if (locked) {
          unlock(first, found & batch.zero);
          @if(COUNT) count_rmw();
        }
      }
    }
    let finished = tile_any(done, TILE, lane);
    if (leads && (locked || finished)) {
      full = seen == 0u;
      waits = !finished && !full;
      if (finished && hits == 0u) { into = select(places.second_table, places.first_table, holes_here != 0u); }
    }
    @if(VOTER) from_lane = select(source + 1u, source, locked);
    @else from_lane = source;
  }
  change_once(into, 1, group, lane);
  mark(item, has_one, waits || full);
  if (item < batch.end && !has_one && batch.refuses == 1u) { atomicAdd(&status.refused, 1u); }
  @if(COUNT) count_flush(group, lid, has_one);
}
