// Cooperative probing of keys that have two words, the search of find.wgsl and erase.wgsl: that of warpcore's search.wgsl, whose lanes read both words of
// each slot. WORDS: of a slot a lane, PAIR: of two, WIDE: of eight, else of four. ERASES: the keys that are found are erased in this dispatch; by atomics.
// Layout: as in layout.wgsl.  Bound: sizes.windows probes a key, one tile's after another.
@if(!ERASES) import package::kernels::common::banks::{block_at, offset};
@if(ERASES) import package::kernels::common::banks::offset;
import package::kernels::common::keys::EMPTY;
@if(!ERASES) import package::kernels::common::parts::{part_at, Part, PART_WORDS};
import package::kernels::common::warp::leader;
@if(ERASES) import package::kernels::common::words::load_word;
import package::kernels::warpcore::layout::{home_of, next_of, sizes, GROUP, SECTORS};
import package::kernels::warpcore::tile::{votes, word_of, any_works, TILE};
import package::kernels::wide_windows::layout::{hash_of, is_key};
@if(ERASES) import package::kernels::wide_windows::layout::first_in;
@if(COUNT) import package::kernels::common::count::{count_turn, count_reads, count_region, PROBE, CLAIM, NEXT};

// The slots that a lane looks at.
@if(!ERASES) const WIDTH = PART_WORDS;
// What has the first, or SECOND, words of these.
const FIRST = 0u;
const SECOND = 1u;
@if(!ERASES) fn words_at(window: u32, number: u32, which: u32) -> Part {
  return part_at(offset(block_at(window, 4u * GROUP / WIDTH), which * GROUP / WIDTH + number));
}
@if(ERASES) alias Part = u32;
@if(ERASES) const WIDTH = 1u;
@if(ERASES) fn words_at(window: u32, number: u32, which: u32) -> Part {
  return load_word(offset(first_in(window, number), which * GROUP));
}

// What a lane has seen, if not the slot of the key: nothing that ends the search, or an EMPTY slot.
const NOTHING = 0xffffffffu;
const ENDS = 0xfffffffeu;

@if(WORDS) fn look_at(window: u32, number: u32, key: vec2u) -> u32 {
  let words = words_at(window, number, FIRST);
  let hit = words == key.x && words_at(window, number, SECOND) == key.y;
  return select(select(NOTHING, ENDS, words == EMPTY), number, hit);
}
@if(PAIR) fn look_at(window: u32, number: u32, key: vec2u) -> u32 {
  let words = words_at(window, number, FIRST);
  let hit = (words == vec2u(key.x)) & (words_at(window, number, SECOND) == vec2u(key.y));
  let slot = number * WIDTH;
  let other = select(select(NOTHING, ENDS, words.y == EMPTY), slot + 1u, hit.y);
  return select(other, slot, hit.x);
}
@if(!WORDS && !PAIR) fn look_at(window: u32, number: u32, key: vec2u) -> u32 {
  let words = words_at(window, number, FIRST);
  let hit = (words == vec4u(key.x)) & (words_at(window, number, SECOND) == vec4u(key.y));
  let slot = number * WIDTH;
  // If any slot of the window is EMPTY, the last one is.
  let other = select(select(NOTHING, ENDS, words.w == EMPTY), slot + 3u, hit.w);
  return select(select(select(other, slot + 2u, hit.z), slot + 1u, hit.y), slot, hit.x);
}

@if(!WIDE) fn look(window: u32, number: u32, key: vec2u) -> u32 { return look_at(window, number, key); }
@if(WIDE) fn look(window: u32, number: u32, key: vec2u) -> u32 {
  let lower = look_at(window, 2u * number, key);
  // The lower half ends no search: if it has an EMPTY slot, the upper half does.
  return select(look_at(window, 2u * number + 1u, key), lower, lower < GROUP);
}

// The number of the key's slot; EMPTY: it is not there. Called by all lanes of the tile; `part` is the lane's number in it.
fn search(key: vec2u, part: u32, lane: u32) -> u32 {
  let hash = hash_of(key);
  let home = home_of(hash);
  var found = EMPTY;
  // Of the tile: lanes whose keys are searched for; the window that it looks at, and its number in the probe sequence.
  var queue = votes(is_key(key), lane);
  var window = 0u;
  var probe = 0u;
  for (var turn = 0u; turn <= TILE * sizes.windows; turn++) {
    if (!any_works(queue != 0u, lane)) { break; }
    let works = queue != 0u;
    @if(COUNT) count_turn(works);
    @if(COUNT) count_region(PROBE);
    let wanted = vec2u(word_of(key.x, queue, lane), word_of(key.y, queue, lane));
    let wanted_hash = word_of(hash, queue, lane);
    let start = word_of(home, queue, lane);
    if (probe == 0u) { window = start; }
    var seen = NOTHING;
    if (works) {
      @if(COUNT) { if (part == 0u) { count_reads(2u * SECTORS); } }
      seen = look(window, part, wanted);
    }
    let ends = votes(seen != NOTHING, lane);
    let slot = word_of(seen, ends, lane);
    if (ends != 0u) {
      @if(COUNT) count_region(CLAIM);
      if (part == leader(queue) && slot < GROUP) { found = window * GROUP + slot; }
    }
    probe += 1u;
    if (ends != 0u || probe == sizes.windows) {
      queue &= queue - 1u;
      probe = 0u;
    } else if (works) {
      @if(COUNT) count_region(NEXT);
      window = next_of(window, wanted_hash, probe);
    }
  }
  return found;
}
