// GPH, insert kernel, refinement (Cao et al., SIGMOD 2025, sections 6.1 and 6.3): the pairs whose bucket was full. An insert
// group is a workgroup of TILE lanes; it takes PENDING_WORDS words of `pending` and settles their pairs one by one:
//   locks the cell and its R buckets, reads them to the workspace,
//   inserts directly where there is room by now, or else extended move: the other offsets, then the other mappings, whose R
//   buckets it locks too; the first one that has room for all pairs of the cell is taken.
// Where none has, the pair is refused and the table stays as it is. PERFECT false: evict.wgsl, between the pair's two buckets.
// Layout: as in hash.wgsl; locks in locks.wgsl, workspace in workspace.wgsl.
// Bounds: PENDING_WORDS · 32 pairs; TRIES starts a pair, after which its bit stays for the next dispatch; the cell's mappings.
import package::kernels::gph::hash::{virtual_bucket, cell_of, cell_word, cell_in, mapping_of, offset_of, R, M, CELL_BITS};
import package::kernels::gph::input::{keys, value_of};
import package::kernels::gph::pair::Value;
import package::kernels::gph::locks::{lock_cell, lock_buckets, unlock_cell, unlock_buckets, range, OLD, NEW, TILE};
import package::kernels::gph::workspace::{name_buckets, read_old, read_new, tally, pruned, choose_offset, relocate, put, holder, reset_choice, slots, choice, cells, NONE, DIED, REFUSED, IN, MOVED};
@if(!PERFECT) import package::kernels::gph::evict::settle_in_two;
import package::kernels::common::bits::lowest_bit;
import package::kernels::common::keys::EMPTY;
import package::kernels::common::status::Status;
@if(COUNT) import package::kernels::common::count::{count_begin, count_turn, count_once, count_region, PROLOGUE, PROBE, count_flush};

const TRIES = 64u;
override PENDING_WORDS: u32;
override MAPPINGS: u32 = (1u << CELL_BITS) / R;

// `changed` counts extended moves, `left` the pairs whose bit stays.
@group(0) @binding(4) var<storage, read_write> status: Status;
@group(0) @binding(6) var<storage, read_write> pending: array<atomic<u32>>;

var<workgroup> bits_of: array<u32, PENDING_WORDS>;
var<workgroup> some_left: atomic<u32>;

// Overwrites the key's value, or takes a free slot of its bucket.
fn insert_directly(place: u32, key: u32, value: Value, lane: u32) -> bool {
  reset_choice(lane);
  for (var slot = lane; slot < M; slot += TILE) {
    let there = slots[place * M + slot];
    if (there == key) { atomicMin(&choice, slot); }
    if (there == EMPTY) { atomicMin(&choice, M + slot); }
  }
  let best = workgroupUniformLoad(&choice);
  if (best == NONE) { return false; }
  if (lane == 0u) { put(place, best % M, key, value); }
  return true;
}

// One loop for the mapping of now, whose buckets are locked and read, and the others: drivers take long for two of these.
fn extended_move(cell: u32, content: u32, key: u32, value: Value, stamp: u32, lane: u32) -> u32 {
  let mapping = mapping_of(content);
  for (var step = 0u; step < MAPPINGS; step++) {
    let base = select(NEW, OLD, step == 0u);
    let other = (mapping + step) % MAPPINGS;
    if (step > 0u) { name_buckets(NEW, cell, other, lane); }
    tally(key, other, lane);
    if (pruned(base, lane)) { continue; }
    var locked = true;
    if (step > 0u) { locked = lock_buckets(NEW, stamp, lane); }
    var offset = NONE;
    if (locked) {
      if (step > 0u) { read_new(lane); }
      offset = choose_offset(base, lane);
      if (offset != NONE) { relocate(base, cell, content, other, offset, key, value, lane); }
    }
    if (step > 0u) { unlock_buckets(NEW, lane); }
    if (!locked) { return DIED; }
    if (offset != NONE) { return MOVED; }
  }
  return REFUSED;
}

// One start of a pair, in the cell's lock.
fn settle(cell: u32, key: u32, value: Value, stamp: u32, lane: u32) -> u32 {
  let content = cell_in(atomicLoad(&cells[cell_word(cell)]), cell);
  let mapping = mapping_of(content);
  name_buckets(OLD, cell, mapping, lane);
  var outcome = DIED;
  if (lock_buckets(OLD, stamp, lane)) {
    read_old(cell, lane);
    outcome = IN;
    let place = holder((virtual_bucket(key, mapping) + offset_of(content)) & (R - 1u));
    if (!insert_directly(place, key, value, lane)) {
      outcome = extended_move(cell, content, key, value, stamp, lane);
    }
  }
  unlock_buckets(OLD, lane);
  return outcome;
}

fn insert(item: u32, lane: u32) -> u32 {
  let key = keys[item];
  let value = value_of(item);
  @if(PERFECT) let cell = cell_of(key);
  let stamp = item + 1u;
  for (var start = 0u; start < TRIES; start++) {
    @if(COUNT) count_turn(true);
    @if(COUNT) count_region(PROBE);
    @if(PERFECT) if (!lock_cell(cell, stamp, lane)) { continue; }
    @if(PERFECT) let outcome = settle(cell, key, value, stamp, lane);
    @if(PERFECT) unlock_cell(cell, lane);
    @if(!PERFECT) let outcome = settle_in_two(key, value, stamp, lane);
    if (outcome != DIED) { return outcome; }
  }
  return DIED;
}

@compute @workgroup_size(TILE)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lane: u32) {
  let group = wid.y * nwg.x + wid.x;
  @if(COUNT) count_begin(lane);
  @if(COUNT) count_once(PROLOGUE);
  let all_words = (range.end - range.first + 31u) / 32u;
  for (var i = lane; i < PENDING_WORDS; i += TILE) {
    let word = group * PENDING_WORDS + i;
    var left = 0u;
    if (word < all_words) { left = atomicLoad(&pending[word]); }
    bits_of[i] = left;
    if (left != 0u) { atomicStore(&some_left, 1u); }
  }
  @if(COUNT) var worked = false;
  // Pairs whose bucket was full, and that this pass is done with.
  var overflowed = 0u;
  workgroupBarrier();
  // Most groups of the passes after the first one have nothing to do.
  let words = workgroupUniformLoad(&some_left) * PENDING_WORDS;
  for (var i = 0u; i < words; i++) {
    let word = group * PENDING_WORDS + i;
    var left = workgroupUniformLoad(&bits_of[i]);
    while (left != 0u) {
      @if(COUNT) worked = true;
      let bit = left & (0u - left);
      left ^= bit;
      let outcome = insert(range.first + 32u * word + lowest_bit(bit), lane);
      if (lane == 0u) {
        if (outcome != DIED) {
          atomicAnd(&pending[word], ~bit);
          overflowed += 1u;
        }
        if (outcome == REFUSED) { atomicAdd(&status.refused, 1u); }
        if (outcome == MOVED) { atomicAdd(&status.changed, 1u); }
        if (outcome == DIED) { atomicAdd(&status.left, 1u); }
      }
    }
  }
  if (overflowed > 0u) { atomicAdd(&status.failed, overflowed); }
  @if(COUNT) count_flush(group, lane, lane == 0u && worked);
}
