// Cooperative probing of keys that have two words, insert: as warpcore's insert.wgsl, with slots that are claimed word after word, as in
// wide-keys/insert.wgsl. A lane holds a pair, and the TILE = GROUP lanes of a tile insert one of their pairs after another, a window a turn and a
// slot a lane. The lane that holds the pair claims the slot, and stores the value.
//
// A key that is there gets the new value. Else it takes the first slot of its probe sequence that may become its key's, once an EMPTY slot, or the
// sequence's end, says that it is not there. Such a slot is DELETED, EMPTY, or has the key's first word and no second one. In a dispatch
// words are taken and never given back, so that lanes with one key claim the same slot.
// Layout: as in layout.wgsl.  Bounds: sizes.windows probes to a claim, and a claim fails only if another key's of that slot did
// not, or for no reason; TURNS turns of a warp.
import package::kernels::common::banks::offset;
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::range::Range;
import package::kernels::common::status::Status;
import package::kernels::common::warp::{leader, WARP_GROUP};
import package::kernels::common::words::{load_word, store_word};
import package::kernels::warpcore::layout::{home_of, next_of, sizes, GROUP, SECTORS};
import package::kernels::warpcore::tile::{lane_of, votes, word_of, any_works, TILE};
import package::kernels::wide_keys::claim::claim;
import package::kernels::wide_windows::layout::{first_at, first_in, hash_of, is_key};
@if(COUNT) import package::kernels::common::count::{count_turn, count_reads, count_write, count_once, count_region, PROLOGUE, PROBE, NEXT, EPILOGUE, count_flush};
@if(COUNT && COOPERATIVE) import package::kernels::common::count::count_begin;
@if(SUBGROUPS) enable subgroups;
@if(SUBGROUPS) diagnostic(off, subgroup_uniformity);

// Never reached, unless claims fail again and again for no reason.
const TURNS = 0xffffffffu;

@group(0) @binding(1) var<storage, read> keys: array<vec2u>;
@group(0) @binding(2) var<storage, read> values: array<u32>;
@group(0) @binding(3) var<uniform> range: Range;
@group(0) @binding(4) var<storage, read_write> status: Status;

@compute @workgroup_size(WARP_GROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let group = wid.y * nwg.x + wid.x;
  let lane = lane_of(lid);
  let part = lane % TILE;
  let item = range.first + group * WARP_GROUP + lid;
  let has_item = item < range.end;
  @if(COUNT && COOPERATIVE) count_begin(lid);
  @if(COUNT) count_once(PROLOGUE);
  var key = vec2u(EMPTY);
  var value = 0u;
  if (has_item) {
    key = keys[item];
    value = values[item];
  }
  let hash = hash_of(key);
  let home = home_of(hash);
  var waits = is_key(key) && value != EMPTY;
  // The key's slot; whether the key was there.
  var place = EMPTY;
  var was_there = false;
  // Of the tile: the window that it looks at, its number in the probe sequence, and the first slot so far that may become the key's.
  var window = 0u;
  var probe = 0u;
  var free = EMPTY;
  var turn = 0u;
  for (; turn < TURNS; turn++) {
    let queue = votes(waits, lane);
    let works = queue != 0u;
    if (!any_works(works, lane)) { break; }
    @if(COUNT) count_turn(works);
    @if(COUNT) count_region(PROBE);
    let wanted = vec2u(word_of(key.x, queue, lane), word_of(key.y, queue, lane));
    let wanted_hash = word_of(hash, queue, lane);
    let start = word_of(home, queue, lane);
    if (probe == 0u) { window = start; }
    let base = window * GROUP;
    var seen = 0u;
    var second = 0u;
    if (works) {
      @if(COUNT) { if (part == 0u) { count_reads(2u * SECTORS); } }
      seen = load_word(first_in(window, part));
      if (seen == wanted.x) { second = load_word(offset(first_in(window, part), GROUP)); }
    }
    let has_first = works && seen == wanted.x;
    let hits = votes(has_first && second == wanted.y, lane);
    let ends = hits | votes(works && seen == EMPTY, lane);
    let open = votes(works && (seen >= DELETED || (has_first && second == EMPTY)), lane);
    if (free == EMPTY && open != 0u) { free = base + leader(open); }
    probe += 1u;
    if (ends != 0u || probe == sizes.windows) {
      if (works && part == leader(queue)) {
        if (hits != 0u) {
          place = base + leader(hits);
          was_there = true;
        } else if (free != EMPTY && claim(first_at(free), GROUP, key)) {
          place = free;
        }
        waits = place == EMPTY && free != EMPTY;
        // At once: a sector that the cache still has.
        if (place != EMPTY && !was_there) {
          @if(COUNT) count_write();
          store_word(offset(first_at(place), 2u * GROUP), value);
        }
      }
      // The next pair; or this one from its first window on, as another key took the slot.
      probe = 0u;
      free = EMPTY;
    } else if (works) {
      @if(COUNT) count_region(NEXT);
      window = next_of(window, wanted_hash, probe);
    }
  }
  if (was_there) {
    @if(COUNT) count_region(EPILOGUE);
    @if(COUNT) count_write();
    store_word(offset(first_at(place), 2u * GROUP), value);
  } else if (has_item && place == EMPTY) {
    atomicAdd(&status.refused, 1u);
  }
  if (turn == TURNS) { atomicMax(&status.bound, EMPTY); }
  @if(COUNT) count_flush(group, lid, has_item);
}
