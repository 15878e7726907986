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

// A warp has 32 lanes, and so 1, 4 or 8 tiles: what all its lanes have read of the bucket of each, the last four where there are 8.
struct Words { first: vec4u, last: vec4u }

// Of one tile's bucket, in one request to memory where a tile by itself makes one a sector.
@if(WHOLE) fn word_of(tile: u32, looks: u32, bucket: u32, lane: u32) -> u32 {
  let at = warp_shuffle(bucket, tile * TILE, lane) * BUCKET + lane;
  var word = NONE - 1u;
  if (((looks >> (tile * TILE)) & 1u) == 1u) { word = load_key(at); }
  return word;
}
// Called by all lanes of the warp together, each with its tile's bucket, and whether the tile looks. Nothing waits for what is read
// here before slots_of.
@if(WHOLE) fn words_of(bucket: u32, looks: bool, lane: u32) -> Words {
  @if(COUNT) { if (looks) { count_look(lane % TILE); } }
  let all = warp_ballot(looks, lane);
  var words = Words(vec4u(0u), vec4u(0u));
  words.first.x = word_of(0u, all, bucket, lane);
  if (TILE < 32u) {
    words.first.y = word_of(1u, all, bucket, lane);
    words.first.z = word_of(2u, all, bucket, lane);
    words.first.w = word_of(3u, all, bucket, lane);
  }
  if (TILE == 4u) {
    let x = word_of(4u, all, bucket, lane);
    let y = word_of(5u, all, bucket, lane);
    let z = word_of(6u, all, bucket, lane);
    words.last = vec4u(x, y, z, word_of(7u, all, bucket, lane));
  }
  return words;
}

// Of the bucket of this lane's tile, if that is `tile`.
@if(WHOLE) fn slots_of_tile(tile: u32, word: u32, key: u32, lane: u32, mine: Slots) -> Slots {
  let wanted = warp_shuffle(key, tile * TILE, lane);
  let hits = warp_ballot(word == wanted, lane);
  let holes = warp_ballot(word == EMPTY, lane);
  if (lane / TILE == tile) { return Slots(hits, holes); }
  return mine;
}
// Each lane with its tile's key, and whether the tile has looked.
@if(WHOLE) fn slots_of(words: Words, key: u32, looks: bool, lane: u32) -> Slots {
  var mine = slots_of_tile(0u, words.first.x, key, lane, Slots(0u, 0u));
  if (TILE < 32u) {
    mine = slots_of_tile(1u, words.first.y, key, lane, mine);
    mine = slots_of_tile(2u, words.first.z, key, lane, mine);
    mine = slots_of_tile(3u, words.first.w, key, lane, mine);
  }
  if (TILE == 4u) {
    mine = slots_of_tile(4u, words.last.x, key, lane, mine);
    mine = slots_of_tile(5u, words.last.y, key, lane, mine);
    mine = slots_of_tile(6u, words.last.z, key, lane, mine);
    mine = slots_of_tile(7u, words.last.w, key, lane, mine);
  }
  if (!looks) { return Slots(0u, 0u); }
  return mine;
}
