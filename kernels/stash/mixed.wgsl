// Stadium hashing, operations of all kinds in one dispatch (section III.B, "Support for mixed operation concurrency"). One
// lane an operation of a slice; every turn of its loop is one try at one slot, so that a lane which has to wait for another
// never keeps its warp from going on.
//
// ACCESS: tickets have the access bit, any mix is allowed. An insertion writes the pair by exchanges and publishes the ticket
// by an RMW that depends on them (WGSL has no fence). A search waits while the access bit is unset, and looks at the key again
// after the value. An erasure takes the access bit, looks again, and frees the ticket.
// Without ACCESS, as in the paper's experiments: insertions, and searches for keys inserted in earlier slices.
// ERASED: keys were erased before, or may be in this dispatch.
//
// Layout: board as in board.wgsl; a pair is STRIDE_WORDS words, its value from VALUE_AT on.
// Bounds: sizes.slots tries for an insertion, the longest insertion's for the others, and PATIENCE turns of waiting.
import package::kernels::common::banks::{At, block_at, offset};
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::kinds::{INSERT, FIND};
import package::kernels::common::reach::extend_reach;
@if(ERASED) import package::kernels::common::reach::get_reach;
import package::kernels::common::records::{Key, Value, KEY_WORDS, VALUE_WORDS, is_key, takes, no_value, key_word, value_word, set_value_word};
import package::kernels::common::status::Status;
import package::kernels::common::wide::word_of;
import package::kernels::common::words::{load_word, exchange_word};
import package::kernels::stash::board::{ticket_at, is_free, is_readable, may_hold, ends, book, put_info, publish, lock, unlock, release, TICKET};
import package::kernels::stash::hash::{first_slot, slot_step, next_slot, info_of, sizes};
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_reads, count_writes, count_rmw, count_once, count_region, PROLOGUE, CLAIM, count_flush};

override STRIDE_WORDS: u32;
override VALUE_AT: u32;
override KEY_SECTORS: u32;
override PAIR_SECTORS: u32;

struct Slice {
  first: u32,
  count: u32,
  // Always 0, which the compiler does not know.
  zero: u32,
}
@group(0) @binding(5) var<storage, read> keys: array<Key>;
@group(0) @binding(6) var<storage, read> values: array<Value>;
@group(0) @binding(7) var<uniform> slice: Slice;
// failed: erasures, which need the access bit.  bound: lanes whose patience ended.
@group(0) @binding(8) var<storage, read_write> status: Status;
@group(0) @binding(10) var<storage, read> kinds: array<u32>;
@group(0) @binding(11) var<storage, read_write> results: array<Value>;

const PATIENCE = 16777216u;

// What a turn makes of an operation: try the next slot, this one again, or it is done.
const ON = 0u;
const AGAIN = 1u;
const DONE = 2u;

// After a look in vain at a slot with this ticket.
fn beyond(ticket: u32) -> u32 { return select(ON, DONE, ends(ticket)); }

fn answer(word: u32) -> Value {
  var record = no_value();
  for (var j = 0u; j < VALUE_WORDS; j++) { set_value_word(&record, j, word_of(word, j)); }
  return record;
}

// The key's words in the table, compared; `after` is 0.
fn holds(slot: u32, key: Key, after: u32) -> bool {
  let pair = block_at(slot, STRIDE_WORDS);
  var same = true;
  for (var j = 0u; j < KEY_WORDS; j++) {
    same = same && load_word(At(pair.bank, (pair.word + j) | after)) == key_word(key, j);
  }
  return same;
}

fn try_insert(slot: u32, key: Key, value: Value, tries: u32) -> u32 {
  @if(COUNT) count_rmw();
  if (!book(slot)) { return ON; }
  @if(COUNT) count_region(CLAIM);
  @if(!ACCESS) put_info(slot, info_of(key));
  var seen = 0u;
  let pair = block_at(slot, STRIDE_WORDS);
  for (var j = 0u; j < KEY_WORDS; j++) { seen |= exchange_word(offset(pair, j), key_word(key, j)); }
  for (var j = 0u; j < VALUE_WORDS; j++) { seen |= exchange_word(offset(pair, VALUE_AT + j), value_word(value, j)); }
  @if(ACCESS) publish(slot, info_of(key), seen & slice.zero);
  @if(COUNT) count_writes(PAIR_SECTORS);
  @if(COUNT) { if (TICKET > 1u) { count_rmw(); } }
  extend_reach(tries);
  return DONE;
}

fn try_find(slot: u32, key: Key, info: u32, value: ptr<function, Value>) -> u32 {
  @if(COUNT) count_read();
  let ticket = ticket_at(slot);
  if (is_free(ticket)) { return beyond(ticket); }
  @if(ACCESS) { if (!is_readable(ticket)) { return AGAIN; } }
  if (!may_hold(ticket, info)) { return beyond(ticket); }
  @if(COUNT) count_reads(KEY_SECTORS);
  if (!holds(slot, key, ticket & slice.zero)) { return beyond(ticket); }
  let value_at = offset(block_at(slot, STRIDE_WORDS), VALUE_AT);
  var seen = 0u;
  for (var j = 0u; j < VALUE_WORDS; j++) {
    let word = load_word(offset(value_at, j));
    seen |= word;
    set_value_word(value, j, word);
  }
  @if(ACCESS) {
    // Erased, and the slot taken by another key, while the value was read?
    if (!holds(slot, key, seen & slice.zero)) {
      *value = no_value();
      return AGAIN;
    }
  }
  return DONE;
}

@if(ACCESS) fn try_erase(slot: u32, key: Key, info: u32, erased: ptr<function, bool>) -> u32 {
  @if(COUNT) count_read();
  let ticket = ticket_at(slot);
  if (is_free(ticket)) { return beyond(ticket); }
  if (!is_readable(ticket)) { return AGAIN; }
  if (!may_hold(ticket, info)) { return beyond(ticket); }
  @if(COUNT) count_reads(KEY_SECTORS);
  if (!holds(slot, key, ticket & slice.zero)) { return beyond(ticket); }
  @if(COUNT) count_rmw();
  let locked = lock(slot);
  if (!is_readable(locked)) { return AGAIN; }
  @if(COUNT) count_rmw();
  if (!holds(slot, key, locked & slice.zero)) {
    unlock(slot);
    return beyond(locked);
  }
  release(slot);
  *erased = true;
  return DONE;
}

fn operate(kind: u32, key: Key, item: u32) -> Value {
  @if(COUNT) count_once(PROLOGUE);
  var value = no_value();
  var erased = false;
  var inserted = false;
  var taken = is_key(key);
  if (kind == INSERT) { taken = takes(key, values[item]); }
  if (taken) {
    let info = info_of(key);
    let step = slot_step(key);
    var bound = sizes.slots;
    // Keys that were there before this dispatch are not beyond the longest insertion before it.
    @if(ERASED) { if (kind != INSERT) { bound = get_reach(); } }
    var slot = first_slot(key);
    var waited = 0u;
    for (var tries = 1u; tries <= bound && waited < PATIENCE;) {
      @if(COUNT) count_step();
      var state = DONE;
      if (kind == INSERT) {
        state = try_insert(slot, key, values[item], tries);
        inserted = state == DONE;
      } else if (kind == FIND) {
        state = try_find(slot, key, info, &value);
      } else {
        @if(ACCESS) state = try_erase(slot, key, info, &erased);
        @if(!ACCESS) atomicAdd(&status.failed, 1u);
      }
      if (state == DONE) { break; }
      if (state == AGAIN) {
        waited += 1u;
      } else {
        slot = next_slot(slot, step);
        tries += 1u;
      }
    }
    if (waited == PATIENCE) { atomicAdd(&status.bound, 1u); }
  }
  if (kind == FIND) { return value; }
  if (kind == INSERT && !inserted) { atomicAdd(&status.refused, 1u); }
  return answer(select(0u, 1u, inserted || erased));
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let item = slice.first + at.index;
  let has_item = at.index < slice.count;
  if (has_item) { results[item] = operate(kinds[item], keys[item], item); }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
