// Cooperative probing, find (Jünger et al., WarpDrive, IPDPS 2018, section IV; WarpCore, HiPC 2020). A lane holds a query, and
// the TILE lanes of a tile search for one of their queries after another, a window a turn (work sharing: common/warp.wgsl). Values
// are loaded at the end, by the lanes that hold the queries, all at once.
//
// How lanes read the keys of a window (nothing changes it in this dispatch): a word each as in the papers, PAIR two,
// QUAD a vec4, WIDE two adjacent vec4. Slots are taken in their order: if any are EMPTY, the last one of the window is.
// Layout: as in layout.wgsl.  Bound: sizes.windows probes a query, one tile's after another.
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::warp::{leader, WARP_GROUP};
import package::kernels::warpcore::layout::{home_of, next_of, base_of, sizes, GROUP, SECTORS};
import package::kernels::warpcore::tile::{lane_of, votes, word_of, any_works, TILE};
@if(COUNT) import package::kernels::common::count::{count_turn, count_reads, count_once, count_region, PROLOGUE, PROBE, CLAIM, NEXT, count_flush};
@if(COUNT && COOPERATIVE) import package::kernels::common::count::count_begin;
@if(SUBGROUPS) enable subgroups;
@if(SUBGROUPS) diagnostic(off, subgroup_uniformity);

@if(!PAIR && !QUAD) alias Part = u32;
@if(PAIR) alias Part = vec2u;
@if(QUAD) alias Part = vec4u;
@if(!PAIR && !QUAD) const WIDTH = 1u;
@if(PAIR) const WIDTH = 2u;
@if(QUAD) const WIDTH = 4u;

@group(0) @binding(0) var<storage, read> table: array<Part>;
@group(0) @binding(1) var<storage, read> queries: array<u32>;
@group(0) @binding(2) var<storage, read_write> results: array<u32>;
@group(0) @binding(3) var<uniform> n: u32;

// What a lane has seen, if not the slot of the key: nothing that ends the search, or an EMPTY slot.
const NOTHING = 0xffffffffu;
const ENDS = 0xfffffffeu;

@if(!PAIR && !QUAD) fn slot_in(part: Part, key: u32, first: u32) -> u32 {
  return select(select(NOTHING, ENDS, part == EMPTY), first, part == key);
}
@if(PAIR) fn slot_in(part: Part, key: u32, first: u32) -> u32 {
  let other = select(select(NOTHING, ENDS, part.y == EMPTY), first + 1u, part.y == key);
  return select(other, first, part.x == key);
}
@if(QUAD) fn slot_in(part: Part, key: u32, first: u32) -> u32 {
  let hit = part == vec4u(key);
  let other = select(select(NOTHING, ENDS, part.w == EMPTY), first + 3u, hit.w);
  return select(select(select(other, first + 2u, hit.z), first + 1u, hit.y), first, hit.x);
}

@if(!WIDE) fn look(window: u32, number: u32, key: u32) -> u32 {
  return slot_in(table[base_of(window) / WIDTH + number], key, number * WIDTH);
}
@if(WIDE) fn look(window: u32, number: u32, key: u32) -> u32 {
  let at = base_of(window) / WIDTH + 2u * number;
  let lower = table[at];
  let upper = table[at + 1u];
  // The lower half ends no search: if it has an EMPTY slot, the upper half does.
  let slot = slot_in(upper, key, (2u * number + 1u) * WIDTH);
  let other = slot_in(lower, key, 2u * number * WIDTH);
  return select(slot, other, other < GROUP);
}

@if(!PAIR && !QUAD) fn load(word: u32) -> u32 { return table[word]; }
@if(PAIR || QUAD) fn load(word: u32) -> u32 { return table[word / WIDTH][word % WIDTH]; }

@compute @workgroup_size(WARP_GROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let group = wid.y * nwg.x + wid.x;
  let lane = lane_of(lid);
  let part = lane % TILE;
  let item = group * WARP_GROUP + lid;
  let has_item = item < n;
  @if(COUNT && COOPERATIVE) count_begin(lid);
  @if(COUNT) count_once(PROLOGUE);
  var key = EMPTY;
  if (has_item) { key = queries[item]; }
  let home = home_of(key);
  // The key's word.
  var found = EMPTY;
  // Of the tile: lanes whose queries are to be answered; the window that it looks at, and its number in the probe sequence.
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
      if (part == leader(queue) && slot < GROUP) { found = base_of(window) + slot; }
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
  if (has_item) {
    var result = EMPTY;
    if (found != EMPTY) {
      @if(COUNT) count_reads(1u);
      result = load(found + GROUP);
    }
    results[item] = result;
  }
  @if(COUNT) count_flush(group, lid, has_item);
}
