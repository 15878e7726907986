// GPH, workspace of an insert group in workgroup memory (Cao et al., SIGMOD 2025, section 6.3): the buckets of a cell, and what
// is needed to judge another offset or mapping without a look at the table. All functions are called by all lanes of the
// workgroup together, which hold the locks of the cell and of the buckets concerned.
//
// Layout: a place is a bucket of the cell (places OLD …) or of the mapping that is tried (NEW …); position place · M + slot.
import package::kernels::common::bits::lowest_bit;
import package::kernels::common::keys::EMPTY;
@if(BANKED) import package::kernels::gph::banked::{load, exchange};
import package::kernels::gph::hash::{cell_of, cell_word, cell_shift, virtual_bucket, bucket_of, R, M};
import package::kernels::gph::pair::{Value, STRIDE};
@if(COUNT) import package::kernels::gph::hash::SECTORS;
import package::kernels::gph::locks::{ids, holds, trace, NOT, HELD, OLD, NEW, TILE};
@if(COUNT) import package::kernels::common::count::{count_reads, count_rmw};

@group(0) @binding(0) var<storage, read_write> table: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> cells: array<atomic<u32>>;

// Keys by position, of the places OLD.
var<workgroup> slots: array<u32, R * M>;
// Positions of the cell's own pairs, and the values of those that move.
var<workgroup> list: array<u32, R * M>;
var<workgroup> moved: array<Value, R * M>;
var<workgroup> listed: atomic<u32>;
// Bits of the slots of a place that hold pairs of other cells.
var<workgroup> taken: array<atomic<u32>, 2u * R>;
// The cell's pairs by virtual bucket, with the one to be inserted.
var<workgroup> need: array<atomic<u32>, R>;
var<workgroup> choice: atomic<u32>;
const NONE = 0xffffffffu;

// What became of a pair.
const DIED = 0u;
const REFUSED = 1u;
const IN = 2u;
const MOVED = 3u;

fn reset_choice(lane: u32) {
  workgroupBarrier();
  if (lane == 0u) { atomicStore(&choice, NONE); }
  workgroupBarrier();
}

// Gives R places the buckets of the cell under a mapping.
fn name_buckets(base: u32, cell: u32, mapping: u32, lane: u32) {
  for (var j = lane; j < R; j += TILE) {
    ids[base + j] = bucket_of(cell, j, mapping);
    holds[base + j] = NOT;
    atomicStore(&taken[base + j], 0u);
  }
  workgroupBarrier();
}

// The place OLD that holds the lock of the bucket of this place.
fn holder(place: u32) -> u32 {
  for (var other = OLD; other < OLD + R; other++) {
    if (holds[other] == HELD && ids[other] == ids[place]) { return other; }
  }
  return place;
}

fn word_at(place: u32, slot: u32) -> u32 { return STRIDE * (ids[place] * M + slot); }

// Value words of the table, from this one on.
@if(KEYS_ONLY) fn value_at(word: u32) -> Value { return 0u; }
@if(!WIDE && !KEYS_ONLY && !BANKED) fn value_at(word: u32) -> Value { return atomicLoad(&table[word]); }
@if(WIDE && !BANKED) fn value_at(word: u32) -> Value {
  return Value(atomicLoad(&table[word]), atomicLoad(&table[word + 1u]), atomicLoad(&table[word + 2u]));
}
@if(!WIDE && !KEYS_ONLY && BANKED) fn value_at(word: u32) -> Value { return load(word); }
@if(WIDE && BANKED) fn value_at(word: u32) -> Value { return Value(load(word), load(word + 1u), load(word + 2u)); }
@if(KEYS_ONLY) fn exchange_value(word: u32, value: Value) -> u32 { return 0u; }
@if(!WIDE && !KEYS_ONLY && !BANKED) fn exchange_value(word: u32, value: Value) -> u32 { return atomicExchange(&table[word], value); }
@if(!WIDE && !KEYS_ONLY && BANKED) fn exchange_value(word: u32, value: Value) -> u32 { return exchange(word, value); }
@if(WIDE) fn exchange_value(word: u32, value: Value) -> u32 {
  @if(COUNT) count_rmw();
  @if(COUNT) count_rmw();
  @if(!BANKED) let last = atomicExchange(&table[word + 1u], value.y) | atomicExchange(&table[word + 2u], value.z);
  @if(!BANKED) return last | atomicExchange(&table[word], value.x);
  @if(BANKED) return exchange(word + 1u, value.y) | exchange(word + 2u, value.z) | exchange(word, value.x);
}

// Reads the buckets of the places OLD, each once.
fn read_old(cell: u32, lane: u32) {
  if (lane == 0u) { atomicStore(&listed, 0u); }
  workgroupBarrier();
  for (var at = lane; at < R * M; at += TILE) {
    let place = at / M;
    let slot = at % M;
    slots[at] = EMPTY;
    if (holds[place] != HELD) { continue; }
    @if(COUNT) { if (slot == 0u) { count_reads(SECTORS); } }
    @if(!BANKED) let key = atomicLoad(&table[word_at(place, slot)]);
    @if(BANKED) let key = load(word_at(place, slot));
    slots[at] = key;
    if (key == EMPTY) { continue; }
    if (cell_of(key) == cell) {
      list[atomicAdd(&listed, 1u)] = at;
    } else {
      atomicOr(&taken[place], 1u << slot);
    }
  }
  workgroupBarrier();
}

// Of the places NEW: what others hold there. Buckets that are among the cell's present ones have been read.
fn read_new(lane: u32) {
  for (var at = lane; at < R * M; at += TILE) {
    let place = NEW + at / M;
    let slot = at % M;
    if (holds[place] == HELD) {
      @if(COUNT) { if (slot == 0u) { count_reads(SECTORS); } }
      @if(!BANKED) if (atomicLoad(&table[word_at(place, slot)]) != EMPTY) { atomicOr(&taken[place], 1u << slot); }
      @if(BANKED) if (load(word_at(place, slot)) != EMPTY) { atomicOr(&taken[place], 1u << slot); }
    } else if (slot == 0u) {
      atomicStore(&taken[place], atomicLoad(&taken[holder(place)]));
    }
  }
  workgroupBarrier();
}

fn tally(key: u32, mapping: u32, lane: u32) {
  for (var j = lane; j < R; j += TILE) { atomicStore(&need[j], 0u); }
  workgroupBarrier();
  let count = atomicLoad(&listed);
  for (var k = lane; k < count; k += TILE) { atomicAdd(&need[virtual_bucket(slots[list[k]], mapping)], 1u); }
  if (lane == 0u) { atomicAdd(&need[virtual_bucket(key, mapping)], 1u); }
  workgroupBarrier();
}

// No offset can do: a virtual bucket has more pairs than slots, or two are the same bucket.
fn pruned(base: u32, lane: u32) -> bool {
  reset_choice(lane);
  for (var j = lane; j < R; j += TILE) {
    var hopeless = atomicLoad(&need[j]) > M;
    for (var other = 0u; other < j; other++) { hopeless = hopeless || ids[base + other] == ids[base + j]; }
    if (hopeless) { atomicMin(&choice, j); }
  }
  return workgroupUniformLoad(&choice) != NONE;
}

fn fits(base: u32, offset: u32) -> bool {
  for (var j = 0u; j < R; j++) {
    let others = countOneBits(atomicLoad(&taken[base + ((j + offset) & (R - 1u))]));
    if (atomicLoad(&need[j]) + others > M) { return false; }
  }
  return true;
}

// The first offset that has room for all pairs of the cell; NONE.
fn choose_offset(base: u32, lane: u32) -> u32 {
  reset_choice(lane);
  for (var offset = lane; offset < R; offset += TILE) {
    if (fits(base, offset)) { atomicMin(&choice, offset); }
  }
  return workgroupUniformLoad(&choice);
}

fn put(place: u32, slot: u32, key: u32, value: Value) {
  @if(COUNT) count_rmw();
  @if(COUNT && !KEYS_ONLY) count_rmw();
  let word = word_at(place, slot);
  @if(!BANKED) atomicOr(&trace, exchange_value(word + 1u, value) | atomicExchange(&table[word], key));
  @if(BANKED) atomicOr(&trace, exchange_value(word + 1u, value) | exchange(word, key));
}

// A slot that no pair has; there is one, by `fits`. Bound: M, as in each turn that fails another slot was taken.
fn claim(place: u32) -> u32 {
  for (var turn = 0u; turn < M; turn++) {
    let slot = min(lowest_bit(~atomicLoad(&taken[place])), M - 1u);
    let bit = 1u << slot;
    if ((atomicOr(&taken[place], bit) & bit) == 0u) { return slot; }
  }
  return 0u;
}

fn goal_of(base: u32, key: u32, mapping: u32, offset: u32) -> u32 {
  return base + ((virtual_bucket(key, mapping) + offset) & (R - 1u));
}

// Brings the pairs of the cell to where the mapping and the offset have them, with the new pair, and changes the cell from
// `before`.
fn relocate(base: u32, cell: u32, before: u32, mapping: u32, offset: u32, key: u32, value: Value, lane: u32) {
  let count = atomicLoad(&listed);
  // All that move leave, before any arrives: one may arrive where another one was.
  for (var k = lane; k < count; k += TILE) {
    let at = list[k];
    let goal = goal_of(base, slots[at], mapping, offset);
    let word = word_at(at / M, at % M);
    if (ids[goal] == ids[at / M]) {
      atomicOr(&taken[goal], 1u << (at % M));
    } else {
      @if(COUNT) count_rmw();
      moved[k] = value_at(word + 1u);
      @if(!BANKED) atomicOr(&trace, atomicExchange(&table[word], EMPTY));
      @if(BANKED) atomicOr(&trace, exchange(word, EMPTY));
    }
  }
  storageBarrier();
  workgroupBarrier();
  for (var k = lane; k < count; k += TILE) {
    let at = list[k];
    let goal = goal_of(base, slots[at], mapping, offset);
    if (ids[goal] != ids[at / M]) { put(goal, claim(goal), slots[at], moved[k]); }
  }
  if (lane == 0u) {
    let goal = goal_of(base, key, mapping, offset);
    put(goal, claim(goal), key, value);
    let after = mapping * R + offset;
    atomicOr(&trace, atomicXor(&cells[cell_word(cell)], (before ^ after) << cell_shift(cell)));
  }
}
