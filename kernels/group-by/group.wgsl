// Group-by: a workgroup's table of hashes and words, in its own memory. A group that finds none of REACH slots free is never in it: slots
// are not given back, so that every row of the group finds them taken too.
//
// Layout: word w of the group in slot s is words[w * SLOTS + s].
// Condition SPARSE: there are far fewer groups than slots.
// Bounds: as in table.wgsl.
import package::kernels::common::keys::EMPTY;
import package::kernels::group_by::table::{COLUMNS, COLUMN_WORDS, LANES, LEAST_AT, MOST_AT, WORDS, Part, neutral};

// 2^16 at most.
override SLOTS: u32 = 1024u;
override REACH: u32 = 8u;
override ALL_WORDS: u32 = SLOTS * WORDS;

var<workgroup> held: array<atomic<u32>, SLOTS>;
var<workgroup> words: array<atomic<u32>, ALL_WORDS>;

// To be followed by a barrier.
fn clear_group(lid: u32) {
  for (var slot = lid; slot < SLOTS; slot += LANES) {
    atomicStore(&held[slot], EMPTY);
    for (var word = 0u; word < WORDS; word++) { atomicStore(&words[word * SLOTS + slot], neutral(word)); }
  }
}

// By the lower bits of the hash: partitions go by its upper ones.
fn home_of(hash: u32) -> u32 { return ((hash & 0xffffu) * SLOTS) >> 16u; }
fn after(slot: u32) -> u32 { return select(slot + 1u, 0u, slot + 1u == SLOTS); }

// Whether the slot is the group's, which takes it if it is free.
fn is_slot_of(slot: u32, hash: u32) -> bool {
  var held_there = atomicLoad(&held[slot]);
  while (held_there == EMPTY) {
    let claim = atomicCompareExchangeWeak(&held[slot], EMPTY, hash);
    held_there = select(claim.old_value, hash, claim.exchanged);
  }
  return held_there == hash;
}

// The group's slot, of REACH from its home on, which is taken if there is none; EMPTY if there is no room.
fn slot_in_group(hash: u32) -> u32 {
  if (hash == EMPTY) { return EMPTY; }
  var slot = home_of(hash);
  for (var moves = 0u; moves < REACH; moves++) {
    if (is_slot_of(slot, hash)) { return slot; }
    slot = after(slot);
  }
  return EMPTY;
}

fn held_at(slots: vec4u) -> vec4u {
  return vec4u(atomicLoad(&held[slots.x]), atomicLoad(&held[slots.y]), atomicLoad(&held[slots.z]), atomicLoad(&held[slots.w]));
}

// The slots of four rows' groups, of those that are wanted; EMPTY for no room. Slots of all four are looked at together, without a branch: nearly
// all rows have theirs there. The others take one.
@if(SPARSE) fn slots_in_group(hashes: vec4u, wanted: vec4<bool>) -> vec4u {
  var slots = vec4u(home_of(hashes.x), home_of(hashes.y), home_of(hashes.z), home_of(hashes.w));
  let sought = wanted & ((held_at(slots) != hashes) | (hashes == vec4u(EMPTY)));
  if (sought.x) { slots.x = slot_in_group(hashes.x); }
  if (sought.y) { slots.y = slot_in_group(hashes.y); }
  if (sought.z) { slots.z = slot_in_group(hashes.z); }
  if (sought.w) { slots.w = slot_in_group(hashes.w); }
  return slots;
}

// Where there are more groups, each is first looked for in a pair of slots side by side, and then from its home on.
override PAIRS: u32 = SLOTS / 2u;
fn pair_of(hash: u32) -> u32 { return 2u * ((((hash * 0x9e3779b1u) >> 16u) * PAIRS) >> 16u); }
fn slot_or_pair(hash: u32) -> u32 {
  if (hash == EMPTY) { return EMPTY; }
  let pair = pair_of(hash);
  if (is_slot_of(pair, hash)) { return pair; }
  if (is_slot_of(pair + 1u, hash)) { return pair + 1u; }
  return slot_in_group(hash);
}
const SOUGHT = 0xfffffffeu;
@if(!SPARSE) fn slots_in_group(hashes: vec4u, wanted: vec4<bool>) -> vec4u {
  let none = vec4u(EMPTY);
  let pairs = vec4u(pair_of(hashes.x), pair_of(hashes.y), pair_of(hashes.z), pair_of(hashes.w));
  let homes = vec4u(home_of(hashes.x), home_of(hashes.y), home_of(hashes.z), home_of(hashes.w));
  let first = held_at(pairs);
  let second = held_at(pairs + 1u);
  let third = held_at(homes);
  var slots = vec4u(SOUGHT);
  // Of two slots from its home on the second is the last one.
  if (REACH <= 2u) {
    let nexts = vec4u(after(homes.x), after(homes.y), after(homes.z), after(homes.w));
    let fourth = held_at(nexts);
    slots = select(slots, none, (first != none) & (second != none) & (third != none) & (fourth != none));
    slots = select(slots, nexts, fourth == hashes);
  }
  slots = select(slots, homes, third == hashes);
  slots = select(slots, pairs + 1u, second == hashes);
  slots = select(slots, pairs, first == hashes);
  slots = select(none, slots, wanted & (hashes != none));
  if (slots.x == SOUGHT) { slots.x = slot_or_pair(hashes.x); }
  if (slots.y == SOUGHT) { slots.y = slot_or_pair(hashes.y); }
  if (slots.z == SOUGHT) { slots.z = slot_or_pair(hashes.z); }
  if (slots.w == SOUGHT) { slots.w = slot_or_pair(hashes.w); }
  return slots;
}

fn add_to_group(slot: u32, part: Part) {
  for (var column = 0u; column < COLUMNS; column++) {
    let at = column * COLUMN_WORDS * SLOTS + slot;
    @if(SUM && !SUM64) atomicAdd(&words[at], part.sums[column]);
    @if(SUM64) {
      let before = atomicAdd(&words[at], part.sums[column]);
      let upper = part.uppers[column] + select(0u, 1u, before + part.sums[column] < before);
      if (upper > 0u) { atomicAdd(&words[at + SLOTS], upper); }
    }
    @if(MIN) atomicMin(&words[at + LEAST_AT * SLOTS], part.least[column]);
    @if(MAX) atomicMax(&words[at + MOST_AT * SLOTS], part.most[column]);
  }
  @if(ROWS) atomicAdd(&words[COLUMNS * COLUMN_WORDS * SLOTS + slot], part.rows);
}

fn word_of_slot(word: u32, slot: u32) -> u32 { return atomicLoad(&words[word * SLOTS + slot]); }

fn part_of_slot(slot: u32) -> Part {
  var part = Part();
  for (var column = 0u; column < COLUMNS; column++) {
    let word = column * COLUMN_WORDS;
    @if(SUM) part.sums[column] = word_of_slot(word, slot);
    @if(SUM64) part.uppers[column] = word_of_slot(word + 1u, slot);
    @if(MIN) part.least[column] = word_of_slot(word + LEAST_AT, slot);
    @if(MAX) part.most[column] = word_of_slot(word + MOST_AT, slot);
  }
  @if(ROWS) part.rows = word_of_slot(COLUMNS * COLUMN_WORDS, slot);
  return part;
}
