// What the TILE lanes of a tile see of a bucket's keys in a dispatch that changes them: each lane looks at BUCKET / TILE slots.
import package::kernels::common::keys::EMPTY;
import package::kernels::dycuckoo::places::BUCKET;
import package::kernels::dycuckoo::words::{load_key, STRIDE};
@if(COUNT) import package::kernels::common::count::count_reads;

// Lanes that read a bucket together: 4, 8, or as many as it has slots (WORDS).
override TILE: u32;
const NONE = 0xffffffffu;

// The lane's slots that hold the key and that are EMPTY, one of each: addresses.
struct Seen { hit: u32, hole: u32 }
fn nothing() -> Seen { return Seen(NONE, NONE); }

fn see(seen: ptr<function, Seen>, slot: u32, word: u32, key: u32) {
  if (word == key) { (*seen).hit = slot; }
  if (word == EMPTY) { (*seen).hole = slot; }
}

// Counted by the first lane of the tile: the sectors of its keys.
@if(COUNT) fn count_look(part: u32) { if (part == 0u) { count_reads(STRIDE * BUCKET / 8u); } }

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
