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

fn after(slot: u32) -> u32 { return select(slot + 1u, 0u, slot + 1u == SLOTS); }
fn element(four: vec4u, row: u32) -> u32 { return select(select(four.x, four.y, row == 1u), select(four.z, four.w, row == 3u), row > 1u); }

// The slots of four rows' groups, of those that are wanted, which are taken if there are none; EMPTY if there is no room. The first slots are
// looked at together. Then a lane looks for one row after another in one loop: a warp takes as many turns as its slowest lane does for all
// four, not as the slowest lane of each row.
fn slots_in_group(hashes: vec4u, wanted: vec4<bool>) -> vec4u {
  let homes = vec4u(home_of(hashes.x), home_of(hashes.y), home_of(hashes.z), home_of(hashes.w));
  let there = vec4u(atomicLoad(&held[homes.x]), atomicLoad(&held[homes.y]), atomicLoad(&held[homes.z]), atomicLoad(&held[homes.w]));
  var slots = select(homes, vec4u(EMPTY), hashes == vec4u(EMPTY));
  let sought = wanted & (there != hashes) & (hashes != vec4u(EMPTY));
  var left = dot(select(vec4u(), vec4u(1u, 2u, 4u, 8u), sought), vec4u(1u));
  var row = firstTrailingBit(left);
  var hash = element(hashes, row);
  var slot = element(slots, row);
  for (var moves = 0u; left != 0u; ) {
    var held_there = atomicLoad(&held[slot]);
    if (held_there == EMPTY) {
      let claim = atomicCompareExchangeWeak(&held[slot], EMPTY, hash);
      held_there = select(claim.old_value, hash, claim.exchanged);
    }
    if (held_there != EMPTY && held_there != hash) {
      slot = after(slot);
      moves++;
    }
    if (held_there == hash || moves >= REACH) {
      slots = select(slots, vec4u(select(EMPTY, slot, held_there == hash)), vec4u(0u, 1u, 2u, 3u) == vec4u(row));
      left &= left - 1u;
      row = firstTrailingBit(left);
      hash = element(hashes, row);
      slot = element(slots, row);
      moves = 0u;
    }
  }
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
