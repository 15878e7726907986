// Group-by: a workgroup's table of hashes and words, in its own memory. A group that finds none of REACH slots free is never in it: slots
// are not given back, so that every row of the group finds them taken too.
//
// Layout: word w of the group in slot s is words[w * SLOTS + s].
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

// The group's slot, which is taken if there is none; EMPTY if there is no room.
fn slot_in_group(hash: u32) -> u32 {
  if (hash == EMPTY) { return EMPTY; }
  var slot = home_of(hash);
  for (var moves = 0u; moves < REACH; ) {
    var held_there = atomicLoad(&held[slot]);
    if (held_there == EMPTY) {
      let claim = atomicCompareExchangeWeak(&held[slot], EMPTY, hash);
      held_there = select(claim.old_value, hash, claim.exchanged);
    }
    if (held_there == hash) { return slot; }
    if (held_there != EMPTY) {
      slot = select(slot + 1u, 0u, slot + 1u == SLOTS);
      moves++;
    }
  }
  return EMPTY;
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
