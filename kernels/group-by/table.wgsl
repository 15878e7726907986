// Group-by: what its kernels share, which are the hash of a key, what is added to a group, and the table in global memory (ours).
//
// A group is known by its hash, a bijection of its key. Words of a group: those of each column's aggregates (its sum, the sum's upper
// word, its minimum, its maximum, as far as they are wanted), then its count of rows.
// Layout: slot s begins at word s * STRIDE with the hash of its group, or EMPTY; the group's words follow. One slot behind the last
// is for the group whose hash is EMPTY.
// Bounds: REACH_TABLE slots of a search, but for turns in which another lane takes the slot; after PATIENCE of them it ends where the
// table was too small for another row already, as the run is for nothing then.
import package::kernels::common::hash::{mix32, unmix32};
import package::kernels::common::keys::EMPTY;
import package::kernels::common::status::Status;

// Lanes a workgroup.
override LANES: u32 = 256u;
override COLUMNS: u32 = 1u;
// Words of a column, where its minimum and maximum stand among them, and words of a group.
override COLUMN_WORDS: u32 = 1u;
override LEAST_AT: u32 = 0u;
override MOST_AT: u32 = 0u;
override WORDS: u32 = 1u;
override STRIDE: u32 = 2u;
const REACH_TABLE = 1024u;
const PATIENCE = 64u;

struct Said {
  // bound: a table, or the answer, was too small. distinct: groups of the answer.
  status: Status,
  // Tiles of rows that workgroups have taken; of a join, rows in the list.
  tiles: atomic<u32>,
}
struct Plan {
  rows: u32,
  // The slot of a hash is its upper 32 - shift bits.
  shift: u32,
  seed: u32,
  // Groups that the answer has room for.
  room: u32,
}
@group(0) @binding(20) var<uniform> plan: Plan;
@group(0) @binding(21) var<storage, read_write> table: array<atomic<u32>>;
@group(0) @binding(22) var<storage, read_write> said: Said;

fn hash_of(key: u32) -> u32 { return mix32(key ^ plan.seed); }
fn key_of(hash: u32) -> u32 { return unmix32(hash) ^ plan.seed; }
fn slots_of_table() -> u32 { return 1u << (32u - plan.shift); }

// What rows add to a group: an element a column.
struct Part {
  sums: vec4u,
  // The sums' upper words.
  uppers: vec4u,
  least: vec4u,
  most: vec4u,
  rows: u32,
}
fn part_of_row(values: vec4u) -> Part { return Part(values, vec4u(), values, values, 1u); }

// The word of that number of a group without rows.
fn neutral(word: u32) -> u32 {
  @if(MIN) { if (word < COLUMNS * COLUMN_WORDS && word % COLUMN_WORDS == LEAST_AT) { return 0xffffffffu; } }
  return 0u;
}

// The group's slot, which is taken if there is none; EMPTY if there is no room.
fn slot_in_table(hash: u32) -> u32 {
  if (hash == EMPTY) {
    atomicStore(&table[slots_of_table() * STRIDE], 0u);
    return slots_of_table();
  }
  var slot = hash >> plan.shift;
  for (var moves = 0u; moves < REACH_TABLE; ) {
    var held = atomicLoad(&table[slot * STRIDE]);
    if (held == EMPTY) {
      let claim = atomicCompareExchangeWeak(&table[slot * STRIDE], EMPTY, hash);
      held = select(claim.old_value, hash, claim.exchanged);
    }
    if (held == hash) { return slot; }
    if (held != EMPTY) {
      slot = (slot + 1u) & (slots_of_table() - 1u);
      moves++;
      if (moves % PATIENCE == 0u && atomicLoad(&said.status.bound) != 0u) { break; }
    }
  }
  return EMPTY;
}

fn add_to_table(hash: u32, part: Part) {
  let slot = slot_in_table(hash);
  if (slot == EMPTY) {
    atomicMax(&said.status.bound, 1u);
    return;
  }
  let first = slot * STRIDE + 1u;
  for (var column = 0u; column < COLUMNS; column++) {
    let at = first + column * COLUMN_WORDS;
    @if(SUM && !SUM64) atomicAdd(&table[at], part.sums[column]);
    @if(SUM64) {
      let before = atomicAdd(&table[at], part.sums[column]);
      let upper = part.uppers[column] + select(0u, 1u, before + part.sums[column] < before);
      if (upper > 0u) { atomicAdd(&table[at + 1u], upper); }
    }
    @if(MIN) atomicMin(&table[at + LEAST_AT], part.least[column]);
    @if(MAX) atomicMax(&table[at + MOST_AT], part.most[column]);
  }
  @if(ROWS) atomicAdd(&table[first + COLUMNS * COLUMN_WORDS], part.rows);
}
