// Cooperative probing, the search of find.wgsl and erase.wgsl (Jünger et al., WarpDrive, IPDPS 2018, section IV; WarpCore, HiPC 2020). A
// lane holds a key, and the TILE lanes of a tile search for one of their keys after another, a window a turn (work sharing:
// common/warp.wgsl).
//
// How lanes read the keys of a window (nothing changes it in the search): WORDS a word each as in the papers, PAIR two,
// else a vec4, WIDE two adjacent vec4; of pairs SIDE_BY_SIDE a word each. Slots are taken in their order: if any are EMPTY, the last one of the window is.
// ERASES: the keys that are found are erased in this dispatch; a word each, by atomics.
// Layout: as in layout.wgsl.  Bound: sizes.windows probes a key, one tile's after another.
@if(!ERASES) import package::kernels::common::banks::{block_at, offset};
import package::kernels::common::keys::{EMPTY, DELETED};
@if(!ERASES) import package::kernels::common::parts::{part_at, Part, PART_WORDS};
import package::kernels::common::warp::leader;
@if(ERASES) import package::kernels::common::words::load_word;
@if(ERASES) import package::kernels::warpcore::layout::key_in;
import package::kernels::warpcore::layout::{home_of, next_of, sizes, GROUP, SECTORS, STRIDE};
import package::kernels::warpcore::tile::{votes, word_of, any_works, TILE};
@if(COUNT) import package::kernels::common::count::{count_turn, count_reads, count_region, PROBE, CLAIM, NEXT};

// The keys that a lane reads at a time.
@if(!ERASES) const WIDTH = PART_WORDS;
@if(!ERASES) fn keys_at(window: u32, number: u32) -> Part {
  return part_at(offset(block_at(window, 2u * GROUP / WIDTH), STRIDE * number));
}
@if(ERASES) alias Part = u32;
@if(ERASES) const WIDTH = 1u;
@if(ERASES) fn keys_at(window: u32, number: u32) -> Part { return load_word(key_in(window, number)); }

// What a lane has seen, if not the slot of the key: nothing that ends the search, or an EMPTY slot.
const NOTHING = 0xffffffffu;
const ENDS = 0xfffffffeu;

@if(WORDS) fn slot_in(part: Part, key: u32, first: u32) -> u32 {
  return select(select(NOTHING, ENDS, part == EMPTY), first, part == key);
}
@if(PAIR) fn slot_in(part: Part, key: u32, first: u32) -> u32 {
  let other = select(select(NOTHING, ENDS, part.y == EMPTY), first + 1u, part.y == key);
  return select(other, first, part.x == key);
}
@if(!WORDS && !PAIR) fn slot_in(part: Part, key: u32, first: u32) -> u32 {
  let hit = part == vec4u(key);
  let other = select(select(NOTHING, ENDS, part.w == EMPTY), first + 3u, hit.w);
  return select(select(select(other, first + 2u, hit.z), first + 1u, hit.y), first, hit.x);
}

@if(!WIDE) fn look(window: u32, number: u32, key: u32) -> u32 {
  return slot_in(keys_at(window, number), key, number * WIDTH);
}
@if(WIDE) fn look(window: u32, number: u32, key: u32) -> u32 {
  let lower = keys_at(window, 2u * number);
  let upper = keys_at(window, 2u * number + 1u);
  // The lower half ends no search: if it has an EMPTY slot, the upper half does.
  let slot = slot_in(upper, key, (2u * number + 1u) * WIDTH);
  let other = slot_in(lower, key, 2u * number * WIDTH);
  return select(slot, other, other < GROUP);
}

// The number of the key's slot; EMPTY: it is not there. Called by all lanes of the tile; `part` is the lane's number in it.
fn search(key: u32, part: u32, lane: u32) -> u32 {
  let home = home_of(key);
  var found = EMPTY;
  // Of the tile: lanes whose keys are searched for; the window that it looks at, and its number in the probe sequence.
  var queue = votes(key < DELETED, lane);
  var window = 0u;
  var probe = 0u;
  for (var turn = 0u; turn <= TILE * sizes.windows; turn++) {
    if (!any_works(queue != 0u, lane)) { break; }
    let works = queue != 0u;
    @if(COUNT) count_turn(works);
    @if(COUNT) count_region(PROBE);
    let wanted = word_of(key, queue, lane);
    let start = word_of(home, queue, lane);
    if (probe == 0u) { window = start; }
    var seen = NOTHING;
    if (works) {
      @if(COUNT) { if (part == 0u) { count_reads(SECTORS); } }
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
      window = next_of(window, wanted, probe);
    }
  }
  return found;
}
