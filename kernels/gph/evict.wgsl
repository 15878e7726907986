// GPH without perfect hashing (Cao et al., SIGMOD 2025, section 7.4, compare it so): a pair whose two buckets are full, as in
// DyCuckoo (Li et al., 5.2). An insert group locks both; the pair takes the slot of one there whose other bucket has room, and
// which has moved before. Where there is none, the pair is refused and the table stays as it is.
//
// Layout: R = 2; places OLD are the pair's buckets, places NEW the other buckets of two pairs there. Position place · M + slot.
// Bound: the 2 · M pairs of the two buckets, two at a time. All functions are called by all lanes of the workgroup together.
import package::kernels::common::keys::EMPTY;
@if(BANKED) import package::kernels::gph::banked::load;
import package::kernels::gph::hash::{first_bucket, second_bucket, M};
import package::kernels::gph::pair::Value;
@if(COUNT) import package::kernels::gph::hash::SECTORS;
import package::kernels::gph::locks::{lock_buckets, unlock_buckets, ids, holds, NOT, OLD, NEW, TILE};
import package::kernels::gph::workspace::{table, word_at, value_at, put, reset_choice, slots, choice, NONE, DIED, REFUSED, IN, MOVED};
@if(COUNT) import package::kernels::common::count::count_reads;

fn name_two(base: u32, first: u32, second: u32, lane: u32) {
  workgroupBarrier();
  if (lane == 0u) {
    ids[base] = first;
    ids[base + 1u] = second;
    holds[base] = NOT;
    holds[base + 1u] = NOT;
  }
  workgroupBarrier();
}

// Overwrites the key's value, or takes a free slot of its buckets.
fn insert_in_two(key: u32, value: Value, lane: u32) -> bool {
  reset_choice(lane);
  for (var at = lane; at < 2u * M; at += TILE) {
    @if(COUNT) { if (at % M == 0u) { count_reads(SECTORS); } }
    @if(!BANKED) let there = atomicLoad(&table[word_at(OLD + at / M, at % M)]);
    @if(BANKED) let there = load(word_at(OLD + at / M, at % M));
    slots[at] = there;
    if (there == key) { atomicMin(&choice, at); }
    if (there == EMPTY) { atomicMin(&choice, 2u * M + at); }
  }
  let best = workgroupUniformLoad(&choice);
  if (best == NONE) { return false; }
  if (lane == 0u) { put(OLD + best % (2u * M) / M, best % M, key, value); }
  return true;
}

// The bucket of the pair at a position in which it is not.
fn other_bucket(at: u32) -> u32 {
  let first = first_bucket(slots[at]);
  return select(first, second_bucket(slots[at]), first == ids[OLD + at / M]);
}

// Moves one of the pairs at two neighbouring positions, and puts the new one there.
fn evict(at: u32, key: u32, value: Value, stamp: u32, lane: u32) -> u32 {
  name_two(NEW, other_bucket(at), other_bucket(at + 1u), lane);
  var outcome = DIED;
  if (lock_buckets(NEW, stamp, lane)) {
    outcome = REFUSED;
    reset_choice(lane);
    for (var i = lane; i < 2u * M; i += TILE) {
      @if(COUNT) { if (i % M == 0u) { count_reads(SECTORS); } }
      @if(!BANKED) if (atomicLoad(&table[word_at(NEW + i / M, i % M)]) == EMPTY) { atomicMin(&choice, i); }
      @if(BANKED) if (load(word_at(NEW + i / M, i % M)) == EMPTY) { atomicMin(&choice, i); }
    }
    let free = workgroupUniformLoad(&choice);
    if (free != NONE) {
      outcome = MOVED;
      if (lane == 0u) {
        let moved = at + free / M;
        let place = OLD + moved / M;
        put(NEW + free / M, free % M, slots[moved], value_at(word_at(place, moved % M) + 1u));
        put(place, moved % M, key, value);
      }
    }
  }
  unlock_buckets(NEW, lane);
  return outcome;
}

// One start of a pair.
fn settle_in_two(key: u32, value: Value, stamp: u32, lane: u32) -> u32 {
  name_two(OLD, first_bucket(key), second_bucket(key), lane);
  var outcome = DIED;
  if (lock_buckets(OLD, stamp, lane)) {
    outcome = IN;
    if (!insert_in_two(key, value, lane)) {
      outcome = REFUSED;
      for (var at = 0u; at < 2u * M && outcome == REFUSED; at += 2u) {
        outcome = evict(at, key, value, stamp, lane);
      }
    }
  }
  unlock_buckets(OLD, lane);
  return outcome;
}
