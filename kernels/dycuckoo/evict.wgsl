// DyCuckoo, evictions (Li et al., Algorithm 1, lines 18-21): the pairs that found both of their buckets full. Lanes and votes as in
// insert.wgsl, but a lane has the pairs of SPAN bits, one after another: most have none. A tile does its lanes' evictions one after another, some
// microseconds each: where a batch leaves lanes of the device idle, SPAN is 1. A pair of the key's bucket moves to its
// other bucket, and the new pair takes its slot.
//
// In the paper the evicted pair travels with the lane, in no bucket. Here it is moved before its slot is taken, so that a key is
// always in the table, no second copy of it can come in, and a pair that finds no room leaves the table as it was. Two locks
// are held: that of the new key, and that of the key that moves, each tried once; if one fails, both are released. Where the other bucket of
// the evicted pair is full too, another pair of the bucket is tried.
//   SWAP   pairs of the first bucket are tried before slots of the second, which may have room
//   VOTER  as in insert.wgsl
//   GROWS  once a pair found no room, the others leave it to the next size
//
// A value that moves was written before its lock was released: data are written by exchanges, and the release depends on what
// they return. What is read under a lock depends on whether it was got: else it may be older than the lock.
//
// Layout: as in places.wgsl.  Bound of the loop: TURNS; of a pair: TRIES turns in which it has its lock.
import package::kernels::common::bits::lowest_bit;
import package::kernels::common::hash::mix32;
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::warp::{warp_lane, tile_ballot, tile_shuffle, tile_any, first_lane, convoy_any, leader, lanes_below, WARP_GROUP};
import package::kernels::dycuckoo::bucket::{look, Seen, nothing, NONE, TILE};
import package::kernels::dycuckoo::locks::{try_lock, unlock, lock_of, change, flush_changes};
import package::kernels::dycuckoo::pending::{batch, Batch, keys_in, values_in, status, pending, word_of};
import package::kernels::dycuckoo::places::{places_of, Places, BUCKET};
import package::kernels::dycuckoo::words::{claim_key, load_key, exchange_key, load_value, exchange_value};
@if(COUNT) import package::kernels::common::count::{count_begin, count_turn, count_buckets, count_rmw, count_write, count_failed_cas, count_once, count_region, PROLOGUE, PROBE, CLAIM, count_flush};
@if(SUBGROUPS) enable subgroups;
@if(SUBGROUPS) diagnostic(off, subgroup_uniformity);

const TURNS = 1u << 24u;
// Each pair of the two buckets comes twice. In a table that keeps its size eight times: where few buckets are all there is, most tries
// do not get the other lock.
@if(GROWS) const TRIES = 2u * 2u * BUCKET;
@else const TRIES = 8u * 2u * BUCKET;
// A part of a word of bits.
override SPAN: u32;

@compute @workgroup_size(WARP_GROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let group = wid.y * nwg.x + wid.x;
  let lane = warp_lane(lid);
  let part = lane % TILE;
  @if(COUNT) count_begin(lid);
  @if(COUNT) count_once(PROLOGUE);
  let begin = (batch.first / SPAN + group * WARP_GROUP + lid) * SPAN;
  // Pairs that the lane still has.
  var left = 0u;
  if (begin < batch.end) { left = extractBits(atomicLoad(&pending[word_of(begin)]), begin % 32u, SPAN); }
  let has_one = left != 0u;
  // Bits of pairs that got in.
  var done_bits = 0u;
  var own_bit = 0u;
  var own_key = EMPTY;
  var own_value = EMPTY;
  var places = Places(0u, 0u, 0u, 0u);
  var waits = false;
  // Turns in which the lane had the lock of its pair.
  var tries = 0u;
  var lost = 0u;
  var from_lane = 0u;
  for (var turn = 0u; turn < TURNS; turn++) {
    if (!waits && left != 0u) {
      let bit = lowest_bit(left);
      left &= left - 1u;
      own_bit = 1u << (begin % 32u + bit);
      own_key = keys_in[begin + bit];
      own_value = values_in[begin + bit + batch.shift];
      places = places_of(own_key);
      waits = true;
      tries = 0u;
    }
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
    let number = tile_shuffle(tries, source, TILE, lane);
    var got = false;
    if (leads) {
      @if(COUNT) count_rmw();
      got = try_lock(first);
      @if(COUNT) { if (!got) { count_failed_cas(); } }
    }
    let locked = tile_any(got, TILE, lane);
    let after = u32(locked) & batch.zero;
    var here = nothing();
    var there = nothing();
    // The slot whose pair is to move: one after another of those tries that have the lock, so that all have their turn also where
    // others get the lock between them.
    @if(SWAP) let at_second = number / BUCKET % 2u == 1u;
    @else let at_second = (mix32(key) + number) / BUCKET % 2u == 1u;
    let pick = mix32(key) + number;
    let bucket = select(first, second, at_second);
    let victim = bucket * BUCKET + pick % BUCKET + after;
    var moved = EMPTY;
    if (locked) {
      @if(COUNT) { if (leads) { count_buckets(2u); } }
      here = look(first + after, part, key);
      there = look(second + after, part, key);
      moved = load_key(victim);
    }
    let hit = min(here.hit, there.hit);
    let hits = tile_ballot(hit != NONE, TILE, lane);
    // Another copy of the key, which came first, is replaced.
    let theirs = places_of(moved);
    let away = hits == 0u && moved < DELETED;
    let at_first = theirs.first == bucket;
    // A slot that needs no eviction: the second bucket was not looked at before.
    @if(SWAP) let vacant = hits == 0u && moved == EMPTY;
    let other = select(theirs.first, theirs.second, at_first);
    let shared_lock = lock_of(theirs.first) == lock_of(first);
    var both = false;
    if (locked && leads && away) {
      both = shared_lock;
      if (!both) {
        @if(COUNT) count_rmw();
        both = try_lock(theirs.first);
        @if(COUNT) { if (!both) { count_failed_cas(); } }
      }
    }
    let both_locked = tile_any(both, TILE, lane);
    let after_both = u32(both_locked) & batch.zero;
    var room = nothing();
    // It may have moved before its lock was taken; from now on it stays.
    if (both_locked && load_key(victim + after_both) == moved) {
      @if(COUNT) { if (leads) { count_buckets(1u); } }
      room = look(other + after_both, part, EMPTY);
    }
    let holes = tile_ballot(room.hole != NONE, TILE, lane);
    let sees = select(holes, hits, hits != 0u);
    let actor = select(source, leader(sees), sees != 0u);
    var done = false;
    if (locked && part == actor) {
      @if(COUNT) count_region(CLAIM);
      var tie = 0u;
      if (hits != 0u) {
        @if(COUNT) count_rmw();
        tie = exchange_value(hit, value);
        done = true;
      } else if (holes != 0u) {
        @if(COUNT) count_rmw();
        let claimed = claim_key(room.hole, moved);
        done = claimed.done;
        tie = claimed.found;
        if (done) {
          @if(COUNT) { count_rmw(); count_rmw(); count_rmw(); }
          tie |= exchange_value(room.hole, load_value(victim + after_both));
          tie |= exchange_value(victim, value);
          tie |= exchange_key(victim, key);
        }
      }
      @if(SWAP) {
        if (vacant) {
          @if(COUNT) count_rmw();
          let claimed = claim_key(victim, key);
          done = claimed.done;
          tie = claimed.found;
          if (done) {
            @if(COUNT) count_rmw();
            tie |= exchange_value(victim, value);
          }
        }
      }
      if (both_locked && !shared_lock) { unlock(theirs.first, tie & batch.zero); }
      unlock(first, tie & batch.zero);
    }
    let finished = tile_any(done, TILE, lane);
    if (leads && locked) {
      tries += 1u;
      waits = !finished && tries < TRIES;
      // A table that can grow is going to: lanes that still wait give up.
      @if(GROWS) waits = waits && atomicLoad(&status.failed) == 0u;
      // The sub-table that has one pair more: the evicted pair's other one, or the key's own.
      var into = select(theirs.first_table, theirs.second_table, at_first);
      @if(SWAP) { if (vacant) { into = select(places.first_table, places.second_table, at_second); } }
      if (finished && hits == 0u) { change(into, 1); }
      // At once, for the lanes that still wait.
      @if(GROWS) { if (!finished && tries == TRIES) { atomicMax(&status.failed, 1u); } }
      if (finished) { done_bits |= own_bit; }
      if (!waits && !finished) { lost += 1u; }
    }
    @if(VOTER) from_lane = select(source + 1u, source, locked);
    @else from_lane = source;
  }
  if (done_bits != 0u) { atomicAnd(&pending[word_of(begin)], ~done_bits); }
  // Those of a loop that came to its bound too.
  lost += countOneBits(left) + select(0u, 1u, waits);
  if (lost != 0u) { atomicAdd(&status.left, lost); }
  flush_changes(lid, WARP_GROUP);
  @if(COUNT) count_flush(group, lid, has_one);
}
