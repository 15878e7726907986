// Cooperative probing, insert (Jünger et al., WarpDrive, IPDPS 2018, section IV; WarpCore, HiPC 2020). A lane holds a pair, and
// the TILE = GROUP lanes of a tile insert one of their pairs after another, a window a turn and a slot a lane. The lane that
// holds the pair claims the slot by a CAS of its key, and stores the value. Values of keys that were there are stored at the end, by all lanes at once:
// lanes of a warp that have one key then make one access.
//
// A key that is there gets the new value. Else it takes the first DELETED or EMPTY slot of its probe sequence, once an EMPTY
// slot, or the sequence's end, says that it is not there. In a dispatch slots are taken and never given back, so that lanes with
// one key claim the same slot: see results/studies/warpcore.md.
// Layout: as in layout.wgsl.  Bounds: sizes.windows probes to a claim, and a claim fails only if another one of that slot did
// not, or for no reason; TURNS turns of a warp.
import package::kernels::common::banks::offset;
import package::kernels::common::keys::{EMPTY, DELETED, is_pair};
import package::kernels::common::range::Range;
import package::kernels::common::status::Status;
import package::kernels::common::warp::{leader, WARP_GROUP};
import package::kernels::common::words::{load_word, store_word, swap_word};
import package::kernels::warpcore::layout::{home_of, next_of, key_at, key_in, sizes, GROUP, SECTORS, TO_VALUE};
import package::kernels::warpcore::tile::{lane_of, votes, word_of, any_works, TILE};
@if(COUNT) import package::kernels::common::count::{count_turn, count_reads, count_rmw, count_write, count_failed_cas, count_once, count_region, PROLOGUE, PROBE, CLAIM, NEXT, EPILOGUE, count_flush};
@if(COUNT && COOPERATIVE) import package::kernels::common::count::count_begin;
@if(SUBGROUPS) enable subgroups;
@if(SUBGROUPS) diagnostic(off, subgroup_uniformity);

// Never reached, unless claims fail again and again for no reason.
const TURNS = 0xffffffffu;

@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<storage, read> values: array<u32>;
@group(0) @binding(3) var<uniform> range: Range;
@group(0) @binding(4) var<storage, read_write> status: Status;

// Whether the slot, which held `free`, holds the key now.
fn claim(slot: u32, free: u32, key: u32) -> bool {
  @if(COUNT) count_region(CLAIM);
  @if(COUNT) count_rmw();
  let got = swap_word(key_at(slot), free, key);
  @if(COUNT) { if (!got.done) { count_failed_cas(); } }
  return got.done || got.found == key;
}

@compute @workgroup_size(WARP_GROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let group = wid.y * nwg.x + wid.x;
  let lane = lane_of(lid);
  let part = lane % TILE;
  let item = range.first + group * WARP_GROUP + lid;
  let has_item = item < range.end;
  @if(COUNT && COOPERATIVE) count_begin(lid);
  @if(COUNT) count_once(PROLOGUE);
  var key = EMPTY;
  var value = 0u;
  if (has_item) {
    key = keys[item];
    value = values[item];
  }
  let home = home_of(key);
  var waits = is_pair(key, value);
  // The key's slot; whether the key was there.
  var place = EMPTY;
  var was_there = false;
  // Of the tile: the window that it looks at, its number in the probe sequence, and the first DELETED slot before it.
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
    let wanted = word_of(key, queue, lane);
    let start = word_of(home, queue, lane);
    if (probe == 0u) { window = start; }
    let base = window * GROUP;
    var seen = 0u;
    if (works) {
      @if(COUNT) { if (part == 0u) { count_reads(SECTORS); } }
      seen = load_word(key_in(window, part));
    }
    // EMPTY slots come after all others of their window.
    let ends = votes(works && (seen == wanted || seen == EMPTY), lane);
    let dead = votes(works && seen == DELETED, lane);
    let told = word_of(seen, ends, lane);
    if (free == EMPTY && dead != 0u) { free = base + leader(dead); }
    probe += 1u;
    if (ends != 0u || probe == sizes.windows) {
      if (works && part == leader(queue)) {
        let slot = base + leader(ends);
        if (ends != 0u && told == wanted) {
          place = slot;
          was_there = true;
        } else if (free != EMPTY) {
          if (claim(free, DELETED, key)) { place = free; }
        } else if (ends != 0u) {
          if (claim(slot, EMPTY, key)) { place = slot; }
        }
        let full = ends == 0u && free == EMPTY;
        waits = place == EMPTY && !full;
        // At once: a sector that the cache still has.
        if (place != EMPTY && !was_there) {
          @if(COUNT) count_write();
          store_word(offset(key_at(place), TO_VALUE), value);
        }
      }
      // The next pair; or this one from its first window on, as another key took the slot.
      probe = 0u;
      free = EMPTY;
    } else if (works) {
      @if(COUNT) count_region(NEXT);
      window = next_of(window, wanted, probe);
    }
  }
  if (was_there) {
    @if(COUNT) count_region(EPILOGUE);
    @if(COUNT) count_write();
    store_word(offset(key_at(place), TO_VALUE), value);
  } else if (has_item && place == EMPTY) {
    atomicAdd(&status.refused, 1u);
  }
  if (turn == TURNS) { atomicMax(&status.bound, EMPTY); }
  @if(COUNT) count_flush(group, lid, has_item);
}
