// GPH, insert kernel, saturation fill (Cao et al., SIGMOD 2025, section 6.3): direct inserts only, no locks. The cell index
// does not change, so a key has one bucket (PERFECT false: two, the second where the first is full). A lane holds a pair; the TILE
// lanes of an insert group look at the buckets of one pair after another. A pair whose bucket is full leaves a bit in `pending`, for
// refine.wgsl.
//
// A key is stored once: slots go from EMPTY to a key and never back here, and are claimed in their order by a CAS of EMPTY, on
// the first slot seen EMPTY after all before it were seen taken by others.
//
// Of the lanes of a workgroup that have the same key one inserts it, for all of them: their reads and writes of one bucket would
// wait for one another in the cache that all multiprocessors share, which atomics always go to.
// Layout: as in hash.wgsl.  Bound of the loop: TURNS; a turn settles a pair, or another lane has taken a slot of its bucket.
import package::kernels::common::keys::EMPTY;
import package::kernels::common::warp::{warp_lane, tile_ballot, tile_shuffle, first_lane, convoy_any, leader, WARP_GROUP};
import package::kernels::common::hash::mix32;
import package::kernels::common::range::Range;
import package::kernels::common::status::Status;
@if(BANKED) import package::kernels::gph::banked::{load, put_word, claim_word};
import package::kernels::gph::hash::M;
import package::kernels::gph::input::{keys, value_of};
import package::kernels::gph::pair::{Value, STRIDE, takes};
@if(COUNT) import package::kernels::gph::hash::SECTORS;
@if(PERFECT) import package::kernels::gph::hash::{cell_of, cell_word, cell_in, bucket_by};
@if(!PERFECT) import package::kernels::gph::hash::{first_bucket, second_bucket};
@if(COUNT) import package::kernels::common::count::{count_begin, count_turn, count_reads, count_write, count_rmw, count_failed_cas, count_once, count_region, PROLOGUE, PROBE, CLAIM, NEXT, count_flush};
@if(SUBGROUPS) enable subgroups;
@if(SUBGROUPS) diagnostic(off, subgroup_uniformity);

// Lanes of an insert group, no more than M: |h|.
override TILE: u32;
const TURNS = 1u << 16u;

@if(!BANKED) @group(0) @binding(0) var<storage, read_write> table: array<atomic<u32>>;
@group(0) @binding(3) var<uniform> range: Range;
@group(0) @binding(4) var<storage, read_write> status: Status;
@if(PERFECT) @group(0) @binding(5) var<storage, read> cells: array<u32>;
// Bit i: pair first + i. Clear before.
@group(0) @binding(6) var<storage, read_write> pending: array<atomic<u32>>;

// The slots that the tile sees hold the key, and those that are EMPTY.
struct Slots { same: u32, empty: u32 }
fn slots_of(bucket: u32, key: u32, part: u32, lane: u32) -> Slots {
  var mine = Slots(0u, 0u);
  for (var slot = part; slot < M; slot += TILE) {
    @if(!BANKED) let word = atomicLoad(&table[STRIDE * (bucket * M + slot)]);
    @if(BANKED) let word = load(STRIDE * (bucket * M + slot));
    mine.same |= select(0u, 1u << slot, word == key);
    mine.empty |= select(0u, 1u << slot, word == EMPTY);
  }
  var all = Slots(0u, 0u);
  for (var base = 0u; base < M; base += TILE) {
    let bit = 1u << (base + part);
    all.same |= tile_ballot((mine.same & bit) != 0u, TILE, lane) << base;
    all.empty |= tile_ballot((mine.empty & bit) != 0u, TILE, lane) << base;
  }
  return all;
}

@if(!WIDE && !KEYS_ONLY && !BANKED) fn store(word: u32, value: Value) { atomicStore(&table[word], value); }
@if(WIDE && !BANKED) fn store(word: u32, value: Value) {
  atomicStore(&table[word], value.x);
  atomicStore(&table[word + 1u], value.y);
  atomicStore(&table[word + 2u], value.z);
}
@if(!WIDE && !KEYS_ONLY && BANKED) fn store(word: u32, value: Value) { put_word(word, value); }
@if(WIDE && BANKED) fn store(word: u32, value: Value) {
  for (var i = 0u; i < 3u; i++) { put_word(word + i, value[i]); }
}

// A lane that looks for a key finds here one of those that have the key, unless a lane with another key was later.
override OWNERS: u32 = 2u * WARP_GROUP;
var<workgroup> owners: array<atomic<u32>, OWNERS>;
// By lane: its key, and then 1 if that goes to the refinement.
var<workgroup> of_lane: array<u32, WARP_GROUP>;

// The lane that inserts the key for this one; uniform control flow.
fn leader_of(key: u32, lid: u32) -> u32 {
  let at = mix32(key) % OWNERS;
  of_lane[lid] = key;
  atomicStore(&owners[at], lid);
  workgroupBarrier();
  let owner = atomicLoad(&owners[at]);
  let same = of_lane[owner] == key;
  workgroupBarrier();
  return select(lid, owner, same);
}

fn leave(item: u32) {
  let bit = item - range.first;
  atomicOr(&pending[bit / 32u], 1u << (bit % 32u));
}

// The pair has its slot, or none is left for it.
fn settle(bucket: u32, slots: Slots, key: u32, value: Value, item: u32, lid: u32) -> bool {
  if ((slots.same | slots.empty) == 0u) {
    @if(COUNT) count_region(NEXT);
    leave(item);
    of_lane[lid] = 1u;
    return true;
  }
  @if(COUNT) count_region(CLAIM);
  let word = STRIDE * (bucket * M + leader(select(slots.empty, slots.same, slots.same != 0u)));
  if (slots.same == 0u) {
    @if(COUNT) count_rmw();
    @if(!BANKED) let got = atomicCompareExchangeWeak(&table[word], EMPTY, key);
    @if(BANKED) let got = claim_word(word, EMPTY, key);
    if (!got.exchanged && got.old_value != key) {
      @if(COUNT) count_failed_cas();
      return false;
    }
  }
  @if(!KEYS_ONLY) store(word + 1u, value);
  @if(COUNT && !KEYS_ONLY) count_write();
  return true;
}

@compute @workgroup_size(WARP_GROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let group = wid.y * nwg.x + wid.x;
  let lane = warp_lane(lid);
  let part = lane % TILE;
  let item = range.first + group * WARP_GROUP + lid;
  let has_item = item < range.end;
  @if(COUNT) count_begin(lid);
  @if(COUNT) count_once(PROLOGUE);
  var key = EMPTY;
  var value = Value(EMPTY);
  if (has_item) {
    key = keys[item];
    value = value_of(item);
    if (!takes(key, value)) {
      atomicAdd(&status.refused, 1u);
      key = EMPTY;
    }
  }
  @if(PERFECT) let cell = cell_of(key);
  @if(PERFECT) let bucket = bucket_by(key, cell, cell_in(cells[cell_word(cell)], cell));
  @if(!PERFECT) let second = second_bucket(key);
  @if(!PERFECT) var bucket = first_bucket(key);
  let inserter = leader_of(key, lid);
  of_lane[lid] = 0u;
  // Lanes whose pairs are to be inserted.
  var queue = tile_ballot(key != EMPTY && inserter == lid, TILE, lane);
  var turn = 0u;
  for (; turn < TURNS; turn++) {
    if (!convoy_any(queue != 0u, lane)) { break; }
    let works = queue != 0u;
    @if(COUNT) count_turn(works);
    @if(COUNT) count_region(PROBE);
    let source = first_lane(queue, TILE - 1u);
    let wanted = tile_shuffle(key, source, TILE, lane);
    let at = tile_shuffle(bucket, source, TILE, lane);
    @if(COUNT) { if (works && part == 0u) { count_reads(SECTORS); } }
    let slots = slots_of(at, wanted, part, lane);
    var settled = false;
    if (works && part == source) {
      @if(PERFECT) settled = settle(bucket, slots, key, value, item, lid);
      // A full bucket stays as it is, so that a key that is not there never will be.
      @if(!PERFECT) let goes_on = (slots.same | slots.empty) == 0u && bucket != second;
      @if(!PERFECT) if (!goes_on) { settled = settle(bucket, slots, key, value, item, lid); }
      @if(!PERFECT) if (goes_on) { bucket = second; }
    }
    queue &= ~tile_ballot(settled, TILE, lane);
  }
  if (turn == TURNS) { atomicAdd(&status.bound, 1u); }
  workgroupBarrier();
  if (key != EMPTY && inserter != lid && of_lane[inserter] == 1u) { leave(item); }
  @if(COUNT) count_flush(group, lid, has_item);
}
