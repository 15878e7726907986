// Rows whose keys may be there already, of tables that have a word of its value for each key: what becomes of the value, and what a row is
// told. A table's own upsert.wgsl has the functions and the kernel.
//
// A key's slot is claimed first; the word of its value is EMPTY then. The first row that puts its value there, by a CAS, is the one whose key was
// NEW, whichever row claimed the slot. So each new key is NEW once, nobody waits for anybody, and who is told FOUND gets a value that is there.
// No value is EMPTY: such rows are REFUSED, as those with a reserved key. A sum that comes to EMPTY, modulo 2^32, reads as an absent key, and
// the next row begins it anew.
//
// IDS, with the rule FIRST: the value of a new key is the next number, from 0 on. The row whose key is NEW puts SOON there, and takes a number with
// the others of its workgroup; rows that found SOON are told the number in the next dispatch (`again` of the table's upsert.wgsl).
//
// COMBINE: rows of a workgroup that have one key come to the table as one, by a small table in workgroup memory. A row whose place another key has
// goes alone.
import package::kernels::common::banks::{At, is_nowhere};
import package::kernels::common::grid::WORKGROUP;
@if(COMBINE) import package::kernels::common::hash::mix32;
import package::kernels::common::keys::{EMPTY, is_pair};
@if(IDS) import package::kernels::common::keys::DELETED;
@if(IDS) import package::kernels::common::words::store_word;
import package::kernels::common::words::{load_word, exchange_word, swap_word, add_word, min_word, max_word};
@if(COUNT) import package::kernels::common::count::{count_write, count_rmw, count_read, count_region, EPILOGUE};

// What becomes of the value of a key that is there: the row's value replaces it, the first one stays, or they become one.
const REPLACE = 0u;
const FIRST = 1u;
const ADD = 2u;
const MIN = 3u;
const MAX = 4u;
// That of a kernel.
override RULE: u32;

// What became of a row.
const REFUSED = 0u;
const NEW = 1u;
const FOUND = 2u;

// The state, and the value that the key has now (REPLACE, FIRST) or had before the row (others).
struct Settled { value: u32, state: u32 }
fn no_slot() -> Settled { return Settled(EMPTY, REFUSED); }

// The word of a new key's value.
@if(IDS) var<private> own_word: At;

// @param word of the key's value, or nowhere
fn settle(word: At, value: u32, rule: u32) -> Settled {
  @if(COUNT) count_region(EPILOGUE);
  if (is_nowhere(word)) { return no_slot(); }
  if (rule == REPLACE) {
    @if(COUNT) count_rmw();
    return Settled(value, select(FOUND, NEW, exchange_word(word, value) == EMPTY));
  }
  @if(COUNT) count_read();
  var seen = load_word(word);
  // A CAS may fail for no reason.
  for (var attempt = 0u; attempt < 32u && seen == EMPTY; attempt++) {
    @if(COUNT) count_rmw();
    let got = swap_word(word, EMPTY, value);
    if (got.done) {
      @if(IDS) own_word = word;
      return Settled(value, NEW);
    }
    seen = got.found;
  }
  if (seen == EMPTY) { return no_slot(); }
  @if(COUNT) { if (rule == ADD || (rule == MIN && value < seen) || (rule == MAX && value > seen)) { count_rmw(); } }
  if (rule == ADD) { add_word(word, value); }
  if (rule == MIN && value < seen) { min_word(word, value); }
  if (rule == MAX && value > seen) { max_word(word, value); }
  return Settled(seen, FOUND);
}

@if(IDS) const SOON = DELETED;
@if(IDS) @group(0) @binding(7) var<storage, read_write> next_id: atomic<u32>;
// Of the workgroup: new keys, and the first of their numbers.
@if(IDS) var<workgroup> fresh: atomic<u32>;
@if(IDS) var<workgroup> first_id: u32;

@if(!IDS) fn numbered(settled: Settled, lid: u32) -> Settled { return settled; }
// All lanes: the row with its key's number, which is the table's now, if the key is new.
@if(IDS) fn numbered(settled: Settled, lid: u32) -> Settled {
  var place = 0u;
  if (settled.state == NEW) { place = atomicAdd(&fresh, 1u); }
  workgroupBarrier();
  if (lid == 0u && atomicLoad(&fresh) > 0u) { first_id = atomicAdd(&next_id, atomicLoad(&fresh)); }
  let first = workgroupUniformLoad(&first_id);
  if (settled.state != NEW) { return settled; }
  store_word(own_word, first + place);
  @if(COUNT) count_write();
  return Settled(first + place, NEW);
}

@if(RESULTS) @group(0) @binding(5) var<storage, read_write> results: array<u32>;
@if(STATES) @group(0) @binding(6) var<storage, read_write> states: array<u32>;

fn tell(item: u32, settled: Settled) {
  @if(RESULTS) results[item] = settled.value;
  @if(STATES) states[item] = settled.state;
}

// A row, and its place in workgroup memory: NO_PLACE if it goes alone, or is none.
struct Row { key: u32, value: u32, place: u32, asks: bool }
const NO_PLACE = 0xffffffffu;

@if(!COMBINE) fn combined(key: u32, value: u32) -> Row { return Row(key, value, NO_PLACE, true); }
@if(!COMBINE) fn shared_out(row: Row, settled: Settled) -> Settled { return settled; }

// ~key, and the rows' value: 0 at first.
@if(COMBINE) const PLACES = 2u * WORKGROUP;
@if(COMBINE) var<workgroup> keys_here: array<atomic<u32>, PLACES>;
@if(COMBINE) var<workgroup> values_here: array<atomic<u32>, PLACES>;

// All lanes: what comes to the table of the lane's row. One row of a key `asks` for all.
@if(COMBINE) fn combined(key: u32, value: u32) -> Row {
  var row = Row(key, value, NO_PLACE, true);
  if (is_pair(key, value)) {
    let place = mix32(key) % PLACES;
    var got = atomicCompareExchangeWeak(&keys_here[place], 0u, ~key);
    for (var attempt = 0u; attempt < 32u && !got.exchanged && got.old_value == 0u; attempt++) {
      got = atomicCompareExchangeWeak(&keys_here[place], 0u, ~key);
    }
    if (got.exchanged || got.old_value == ~key) {
      row.place = place;
      row.asks = got.exchanged;
      if (RULE == ADD) { atomicAdd(&values_here[place], value); }
      if (RULE == MAX) { atomicMax(&values_here[place], value); }
      if (RULE == MIN) { atomicMax(&values_here[place], ~value); }
    }
  }
  workgroupBarrier();
  if (row.place != NO_PLACE && row.asks && RULE >= ADD) {
    let all = atomicLoad(&values_here[row.place]);
    row.value = select(all, ~all, RULE == MIN);
  }
  return row;
}

// All lanes: what the row is told, by the one that asked.
@if(COMBINE) fn shared_out(row: Row, settled: Settled) -> Settled {
  if (row.place != NO_PLACE && row.asks) {
    atomicStore(&keys_here[row.place], settled.state);
    atomicStore(&values_here[row.place], settled.value);
  }
  workgroupBarrier();
  if (row.asks) { return settled; }
  let state = atomicLoad(&keys_here[row.place]);
  return Settled(atomicLoad(&values_here[row.place]), select(FOUND, REFUSED, state == REFUSED));
}
