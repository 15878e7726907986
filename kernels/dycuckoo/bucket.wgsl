// What the TILE lanes of a tile see of a bucket's keys in a dispatch that changes them: each lane looks at 32 / TILE slots, or
// (WHOLE) all lanes of the warp at the bucket of each of its tiles, a slot a lane.
import package::kernels::common::keys::EMPTY;
import package::kernels::dycuckoo::places::BUCKET;
import package::kernels::dycuckoo::words::load_key;
@if(WHOLE) import package::kernels::common::warp::{warp_ballot, warp_shuffle};
@if(COUNT) import package::kernels::common::count::{count_bucket, count_reads};

// Lanes that read a bucket together: 4, 8 or 32.
override TILE: u32;
const NONE = 0xffffffffu;

// The lane's slots that hold the key and that are EMPTY, one of each: addresses.
struct Seen { hit: u32, hole: u32 }
fn nothing() -> Seen { return Seen(NONE, NONE); }

fn see(seen: ptr<function, Seen>, slot: u32, word: u32, key: u32) {
  if (word == key) { (*seen).hit = slot; }
  if (word == EMPTY) { (*seen).hole = slot; }
}

// Counted by the first lane of the tile: a bucket, and the sectors of its keys.
@if(COUNT) fn count_look(part: u32) {
  if (part == 0u) {
    count_bucket();
    count_reads(4u);
  }
}

@if(WORDS) fn look(bucket: u32, part: u32, key: u32) -> Seen {
  @if(COUNT) count_look(part);
  var seen = nothing();
  let slot = bucket * BUCKET + part;
  see(&seen, slot, load_key(slot), key);
  return seen;
}
@if(!WORDS) fn look(bucket: u32, part: u32, key: u32) -> Seen {
  @if(COUNT) count_look(part);
  var seen = nothing();
  // Once or twice; four loads are under way together.
  for (var i = part; i < BUCKET; i += 4u * TILE) {
    let slot = bucket * BUCKET + i;
    let words = vec4u(load_key(slot), load_key(slot + TILE), load_key(slot + 2u * TILE), load_key(slot + 3u * TILE));
    see(&seen, slot + 3u * TILE, words.w, key);
    see(&seen, slot + 2u * TILE, words.z, key);
    see(&seen, slot + TILE, words.y, key);
    see(&seen, slot, words.x, key);
  }
  return seen;
}

// The slots of a bucket that hold the key, and those that are EMPTY: a bit a slot.
struct Slots { hits: u32, holes: u32 }

// A warp has 32 lanes, and so 1, 4 or 8 tiles. Reads of `tile`'s bucket, in one request to memory where a tile by itself makes one
// a sector; what all lanes of the warp have read of it.
@if(WHOLE) fn word_of(tile: u32, looks: u32, bucket: u32, lane: u32) -> u32 {
  let at = warp_shuffle(bucket, tile * TILE, lane) * BUCKET + lane;
  var word = NONE - 1u;
  if (((looks >> (tile * TILE)) & 1u) == 1u) { word = load_key(at); }
  return word;
}
@if(WHOLE) fn slots_of(tile: u32, word: u32, key: u32, lane: u32, mine: Slots) -> Slots {
  let wanted = warp_shuffle(key, tile * TILE, lane);
  let hits = warp_ballot(word == wanted, lane);
  let holes = warp_ballot(word == EMPTY, lane);
  if (lane / TILE == tile) { return Slots(hits, holes); }
  return mine;
}

// Called by all lanes of the warp together, each with its tile's bucket and key, and whether the tile looks. All reads are under
// way before the first is looked at.
@if(WHOLE) fn look_whole(bucket: u32, key: u32, looks: bool, lane: u32) -> Slots {
  @if(COUNT) { if (looks) { count_look(lane % TILE); } }
  let all = warp_ballot(looks, lane);
  var mine = Slots(0u, 0u);
  let w0 = word_of(0u, all, bucket, lane);
  if (TILE == 32u) { return slots_of(0u, w0, key, lane, mine); }
  let w1 = word_of(1u, all, bucket, lane);
  let w2 = word_of(2u, all, bucket, lane);
  let w3 = word_of(3u, all, bucket, lane);
  if (TILE == 4u) {
    let w4 = word_of(4u, all, bucket, lane);
    let w5 = word_of(5u, all, bucket, lane);
    let w6 = word_of(6u, all, bucket, lane);
    let w7 = word_of(7u, all, bucket, lane);
    mine = slots_of(4u, w4, key, lane, mine);
    mine = slots_of(5u, w5, key, lane, mine);
    mine = slots_of(6u, w6, key, lane, mine);
    mine = slots_of(7u, w7, key, lane, mine);
  }
  mine = slots_of(0u, w0, key, lane, mine);
  mine = slots_of(1u, w1, key, lane, mine);
  mine = slots_of(2u, w2, key, lane, mine);
  mine = slots_of(3u, w3, key, lane, mine);
  if (!looks) { return Slots(0u, 0u); }
  return mine;
}
