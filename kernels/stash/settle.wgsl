// What follows a booked ticket: info bits, then the pair. HOST: the table is in the host's memory, and what is written is
// the slot, for the host to put the pair there.
// A pair is a key and the rest of it: its value; HOST: its number in the input.
import package::kernels::common::records::{Key, Value, Pair, VALUE_WORDS, takes, value_word, set_value_word};
import package::kernels::stash::board::{put_info, publish, TICKET};
import package::kernels::stash::hash::info_of;
@if(!HOST) import package::kernels::stash::table::{put_pair, PAIR_SECTORS};
@if(COUNT) import package::kernels::common::count::{count_writes, count_rmw};

@group(0) @binding(6) var<storage, read> values: array<Value>;
@if(HOST) @group(0) @binding(16) var<storage, read_write> booked: array<u32>;

// Whether the key and the item's value are a pair. The value is loaded again when it is stored: held all the time, a wide one would take a
// lane's registers.
fn has_pair(key: Key, item: u32) -> bool { return takes(key, values[item]); }

@if(!HOST) alias Rest = Value;
@if(!HOST) const REST_WORDS = VALUE_WORDS;
@if(!HOST) fn rest_at(item: u32) -> Rest { return values[item]; }
@if(!HOST) fn rest_word(rest: Rest, j: u32) -> u32 { return value_word(rest, j); }
@if(!HOST) fn set_rest_word(rest: ptr<function, Rest>, j: u32, word: u32) { set_value_word(rest, j, word); }
@if(!HOST) fn put(slot: u32, key: Key, rest: Rest) { put_pair(slot, Pair(key, rest)); }
@if(HOST) alias Rest = u32;
@if(HOST) const REST_WORDS = 1u;
@if(HOST) fn rest_at(item: u32) -> Rest { return item; }
@if(HOST) fn rest_word(rest: Rest, j: u32) -> u32 { return rest; }
@if(HOST) fn set_rest_word(rest: ptr<function, Rest>, j: u32, word: u32) { *rest = word; }
@if(HOST) fn put(slot: u32, key: Key, rest: Rest) { booked[rest] = slot; }

fn settle(slot: u32, key: Key, rest: Rest) {
  @if(!ACCESS) put_info(slot, info_of(key));
  @if(ACCESS) publish(slot, info_of(key), 0u);
  @if(COUNT) { if (TICKET > 1u) { count_rmw(); } }
  put(slot, key, rest);
  @if(!HOST && COUNT) count_writes(PAIR_SECTORS);
}
